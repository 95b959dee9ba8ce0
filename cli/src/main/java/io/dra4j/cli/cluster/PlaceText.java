package io.dra4j.cli.cluster;

import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.WrappedText;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.gang.GangScore;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.planning.JobPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the answer of {@code dra4j place} as text: the answer, a line for each job, and the pods.
 */
final class PlaceText {

  private final PlaceReport report;
  private final int width;

  PlaceText(PlaceReport report, int width) {
    this.report = report;
    this.width = width;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    List<String> jobs = new ArrayList<>();
    for (JobPlacement job : report.jobs()) {
      if (job.pods().size() > 1) {
        jobs.addAll(WrappedText.paragraph(line(report, job), width));
      }
    }
    if (!jobs.isEmpty()) {
      lines.add("");
      lines.addAll(jobs);
    }
    if (!report.outcome().pods().isEmpty()) {
      lines.add("");
      lines.addAll(WrappedText.table(rows(report), width));
    }
    return lines;
  }

  /** Returns the outcome of a job, in one sentence. */
  static String line(PlaceReport report, JobPlacement job) {
    GangScore gang = report.outcome().gangs().get(job.name());
    StringBuilder line = new StringBuilder(job.name());
    line.append(": ").append(job.placed()).append(" of ").append(job.pods().size());
    line.append(" pods placed");
    if (job.placed() > 0) {
      line.append(" on ").append(CommandMessages.count(job.nodes(), "node"));
    }
    if (gang != null) {
      return line.append(", as a gang ").append(gang.explanation()).toString();
    }
    if (report.hasNoPlan(job)) {
      line.append(", as a gang without a plan, one pod after the other");
    }
    if (job.gigabytesPerSecond() > 0) {
      line.append(
          ", %s of at most %s GB/s, %s GB/s for the slowest pod"
              .formatted(
                  AllocationPicture.rate(job.gigabytesPerSecond()),
                  AllocationPicture.rate(job.upperBoundGigabytesPerSecond()),
                  AllocationPicture.rate(job.slowestGigabytesPerSecond())));
    }
    if (!job.rails().reason().isEmpty()) {
      line.append("; ").append(job.rails().reason());
    }
    return line.toString();
  }

  /** Returns a row for each pod; a pod without a node has its reason instead. */
  static List<List<String>> rows(PlaceReport report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("POD", "NODE", "GB/S", "DEVICES"));
    for (PodOutcome outcome : report.outcome().pods()) {
      String name = outcome.pod().name();
      if (outcome instanceof PodOutcome.Placed placed) {
        String devices =
            report.devicesOf(placed.pod()).stream()
                .map(DeviceRequestAllocationResult::device)
                .collect(Collectors.joining(" "));
        String plugin = report.hasDevicePlugin(placed.pod()) ? "of device plugin" : "";
        String all = (devices + " " + plugin).strip();
        rows.add(List.of(name, placed.node(), rate(placed), all.isEmpty() ? "no device" : all));
      } else {
        rows.add(List.of(name, "-", "-", report.reasons().getOrDefault(outcome.pod(), "")));
      }
    }
    return rows;
  }

  private static String rate(PodOutcome.Placed placed) {
    return placed.score().orElse(null) instanceof PlacementScore score
            && score.gigabytesPerSecond() > 0
        ? AllocationPicture.rate(score.gigabytesPerSecond())
        : "-";
  }
}
