package io.dra4j.cli.cluster;

import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.common.ExplanationBug;
import io.dra4j.scheduling.NodeRefusal;
import io.dra4j.scheduling.NodeRefusal.Cause;
import io.dra4j.scheduling.NodeRefusals;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Returns the reasons why a pod is on no node, in a few lines. */
final class PodReasons {

  /** The limit of reasons of a pod. */
  private static final int MAX_REASONS = 4;

  private PodReasons() {}

  /** Returns the lines of all pods. The lines of a gang are printed once, with its first pod. */
  static Map<PendingPod, List<String>> of(List<PodOutcome> outcomes) {
    Map<String, List<String>> gangs = new LinkedHashMap<>();
    for (PodOutcome outcome : outcomes) {
      if (outcome instanceof PodOutcome.GangUnplaceable pod) {
        gangs.computeIfAbsent(pod.gang(), any -> new ArrayList<>()).add(pod.pod().name());
      }
    }
    Map<PendingPod, List<String>> reasons = new LinkedHashMap<>();
    for (PodOutcome outcome : outcomes) {
      List<String> lines = new ArrayList<>(of(outcome));
      if (outcome instanceof PodOutcome.GangUnplaceable pod) {
        List<String> pods = gangs.remove(pod.gang());
        if (pods == null) {
          continue;
        } else if (pods.size() > 1) {
          lines.add("none of its pods is placed: " + CommandMessages.some(pods));
        }
      }
      if (!lines.isEmpty()) {
        reasons.put(outcome.pod(), lines);
      }
    }
    return reasons;
  }

  /** Returns the lines of a pod; none if it is on a node. A bug here loses only the reasons. */
  static List<String> of(PodOutcome outcome) {
    try {
      return linesOf(outcome);
    } catch (RuntimeException e) {
      return List.of("is on no node; " + ExplanationBug.sentence(e));
    }
  }

  private static List<String> linesOf(PodOutcome outcome) {
    if (outcome instanceof PodOutcome.Unplaceable unplaceable) {
      return of(unplaceable.refusals());
    } else if (outcome instanceof PodOutcome.GangUnplaceable gang) {
      List<String> lines = new ArrayList<>();
      lines.add(gang.gang() + " does not fit: " + gang.reason());
      gang.alone().ifPresent(alone -> lines.addAll(of(alone)));
      return lines;
    } else if (outcome instanceof PodOutcome.Rejected rejected) {
      return List.of(rejected.fault().error());
    } else if (outcome instanceof PodOutcome.Undecided undecided) {
      return List.of(undecided.node() + ": undecided: " + undecided.reason());
    }
    return List.of();
  }

  private static List<String> of(NodeRefusals refusals) {
    int elsewhere = refusals.counts().getOrDefault(Cause.GANG_TOPOLOGY, 0);
    if (refusals.withoutDevices() == 0 && elsewhere == 0) {
      return List.of("does not fit: " + refusals);
    }
    List<String> reasons = new ArrayList<>();
    for (NodeRefusal refusal : refusals.first(MAX_REASONS)) {
      reasons.add(refusal.node() + ": does not fit: " + refusal.lines().get(0));
    }
    int more = refusals.withoutDevices() - reasons.size();
    if (more > 0) {
      reasons.add("... and " + CommandMessages.count(more, "more node"));
    }
    if (elsewhere > 0) {
      reasons.add(
          "does not fit on %s: its gang is where its topology keys have other values"
              .formatted(CommandMessages.count(elsewhere, "more node")));
    }
    List<String> others = new ArrayList<>();
    refusals
        .sentences()
        .forEach(
            (cause, sentences) -> {
              if (cause != Cause.NODE_NAME && cause != Cause.GANG_TOPOLOGY) {
                others.addAll(sentences);
              }
            });
    if (!others.isEmpty()) {
      reasons.add("does not fit on others: " + String.join("; ", others));
    }
    return reasons;
  }
}
