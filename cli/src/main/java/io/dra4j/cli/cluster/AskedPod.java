package io.dra4j.cli.cluster;

import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.manifest.Manifest;
import io.dra4j.model.Pod;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodQueue;
import java.util.List;

/**
 * The answer about a pod that is not placed at all: its claims or templates are wrong or missing,
 * it has ended, or it uses no claims.
 *
 * @param pod what is reported
 * @param code how the command ends
 */
record AskedPod(ExplainReport.Pod pod, ExitCode code) {

  private static final String NO_CLAIMS = "requests no devices through ResourceClaims; ";

  /** The answer about the pod of the question; the queue does not have it. */
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
    List<String> others = input.queue().unoffered(); // of this pod: no other one waits
    String rest =
        others.isEmpty()
            ? "kubectl describe pod %s -n %s says what else decides about it"
                .formatted(name.substring(name.indexOf('/') + 1), name.split("/", 2)[0])
            : String.join("; ", others).replace(subject + " requests", "it requests");
    return answer(name, withHolds(holds, NO_CLAIMS + rest));
  }

  /** The problems of the pod; those of very many other pods may leave no room for them. */
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

  /** Whether the queue has the pod of the question. */
  static boolean isQueued(ClusterInput input) {
    return input.queue().pods().stream()
        .map(PendingPod::name)
        .anyMatch(input.scope().pod()::equals);
  }

  /** What was found out about nodes and devices, behind what keeps the scheduler from the pod. */
  static String withHolds(List<String> holds, String found) {
    return holds.isEmpty() ? found : String.join("; ", holds) + "; apart from that: " + found;
  }

  private static AskedPod answer(String name, String text) {
    return new AskedPod(ExplainReport.Pod.fitting(name, "", text), ExitCode.OK);
  }
}
