package io.dra4j.cli.cluster;

import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.Pod;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodQueue;
import java.util.List;

/**
 * The answer about a pod that is not placed: its claims or templates are wrong or missing, it has
 * ended, or it uses no claims.
 *
 * @param pod the report
 * @param code the exit code of the command
 */
record AskedPod(ExplainReport.Pod pod, ExitCode code) {

  private static final String NO_CLAIMS = "requests no devices through ResourceClaims; ";

  /** Returns the answer about the requested pod, which is not in the queue. */
  static AskedPod of(ClusterInput input) {
    String name = input.scope().pod();
    String subject = "pod " + name;
    Manifest manifest = input.pod(name).orElseThrow();
    List<String> holds = SchedulerHolds.of(manifest);
    List<String> problems = problemsOf(input);
    if (!problems.isEmpty()) {
      String text = String.join("; ", problems).replace(subject + ": ", "");
      return new AskedPod(
          ExplainReport.Pod.refused(name, withHolds(holds, text)), ExitCode.BAD_INPUT);
    }
    if (manifest.object() instanceof Pod pod && pod.phase().isTerminal()) {
      return answer(name, "has ended (%s): no scheduler places it".formatted(pod.phase()));
    }
    List<String> others = input.queue().unoffered(); // of this pod: no other pod waits
    String rest =
        others.isEmpty()
            ? "kubectl describe pod %s -n %s shows other reasons"
                .formatted(name.substring(name.indexOf('/') + 1), name.split("/", 2)[0])
            : String.join("; ", others).replace(subject + " requests", "it requests");
    return answer(name, withHolds(holds, NO_CLAIMS + rest));
  }

  /** Returns the problems of the pod, which the queue may lack if very many pods have problems. */
  private static List<String> problemsOf(ClusterInput input) {
    List<String> found =
        input.queue().problems().stream().filter(input.scope()::coversProblem).toList();
    if (!found.isEmpty()) {
      return found;
    }
    Manifest pod = input.pod(input.scope().pod()).orElseThrow();
    return PodQueue.of(
            input.manifests().stream()
                .filter(one -> one == pod || !(one.object() instanceof Pod))
                .map(Manifest::object)
                .toList())
        .problems();
  }

  /** Returns whether the queue has the requested pod. */
  static boolean isQueued(ClusterInput input) {
    return input.queue().pods().stream()
        .map(PendingPod::name)
        .anyMatch(input.scope().pod()::equals);
  }

  /** Returns the scheduler's reasons to hold the pod, then the reasons of nodes and devices. */
  static String withHolds(List<String> holds, String found) {
    return holds.isEmpty() ? found : String.join("; ", holds) + "; apart from that: " + found;
  }

  private static AskedPod answer(String name, String text) {
    return new AskedPod(ExplainReport.Pod.fitting(name, "", text), ExitCode.OK);
  }
}
