package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.gang.GangScore;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.PendingPod;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodOutcome.Placed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The answer for people: a table of pods and devices, a picture of each server that a pod got
 * something on or that refused a pod, and why the others got nothing.
 */
final class ClusterReport {

  private final Terminal terminal;
  private final DeviceInventory inventory;
  private final Map<ClaimKey, ResourceClaim> claims;
  private final List<PodOutcome> pods;
  private final Map<String, GangScore> gangs;
  private final ClusterOutcome placed;
  private final Allocator allocator;

  ClusterReport(
      Terminal terminal, DeviceInventory inventory, ClusterOutcome outcome, Allocator allocator) {
    this.terminal = terminal;
    this.inventory = inventory;
    this.claims = outcome.claims();
    this.pods = outcome.pods();
    this.gangs = outcome.gangs();
    this.placed = outcome;
    this.allocator = allocator;
  }

  /**
   * Prints the answer.
   *
   * @param isAll whether the pods are all that have claims, and none was reported as wrong
   */
  void print(boolean isAll) {
    if (pods.isEmpty()) {
      terminal
          .out()
          .println(
              isAll
                  ? "Nothing to place: no pods with claims, and no pending claims."
                  : "Nothing placed: all pods with claims are wrong, and no claims are pending.");
      return;
    }
    DeviceCatalog devices = new DeviceCatalog(inventory);
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("POD", "NODE", "CLAIM", "REQUEST", "DEVICE", "PCIE ROOT", "NUMA"));
    for (PodOutcome outcome : pods) {
      if (!(outcome instanceof Placed pod)) {
        rows.add(List.of(outcome.pod().name(), "-", "-", "-", "-", "-", "-"));
        continue;
      }
      for (ClaimKey key : pod.pod().claims()) {
        if (resultsOf(key).isEmpty()) {
          rows.add(List.of(pod.pod().name(), pod.node(), key.name(), "-", "no device", "-", "-"));
        }
        for (DeviceRequestAllocationResult result : resultsOf(key)) {
          rows.add(
              List.of(
                  pod.pod().name(),
                  pod.node(),
                  key.name(),
                  result.request(),
                  result.driver() + "/" + result.device(),
                  devices.pcieRoot(result.deviceId()),
                  devices.numaNode(result.deviceId())));
        }
      }
    }
    printTable(rows);
    printScores();
    gangs.forEach((gang, score) -> line(gang + ": " + score.explanation()));
    Map<String, DeviceWords> words = DeviceWords.after(allocator, inventory, placed);
    for (String node : PicturedNodes.of(pods)) {
      terminal.out().println();
      new ServerPicture(devices, Objects.requireNonNull(words.get(node)))
          .draw(node)
          .forEach(this::line);
    }
    PodReasons.of(pods).forEach(this::printReasons);
  }

  /** What the devices of each pod are worth together, where there is anything to say. */
  private void printScores() {
    List<List<String>> rows = new ArrayList<>();
    List<String> sentences = new ArrayList<>();
    rows.add(List.of("POD", "GB/S", "AT MOST", "PATHS", "RAILS", "FRAGMENTATION"));
    for (PodOutcome outcome : pods) {
      if (outcome instanceof Placed pod
          && pod.score().orElse(null) instanceof PlacementScore score
          && (!score.pairs().isEmpty() || score.nvLinkGigabytesPerSecond() > 0)) {
        rows.add(
            List.of(
                pod.pod().name(),
                AllocationPicture.rate(score.gigabytesPerSecond()),
                AllocationPicture.rate(score.upperBoundGigabytesPerSecond()),
                orNone(
                    score.paths().entrySet().stream()
                        .map(path -> path.getValue() + " " + path.getKey())),
                orNone(score.rails().stream().map(String::valueOf)),
                String.valueOf(score.fragmentationChange())));
        sentences.add(pod.pod().name() + ": " + score.explanation());
      }
    }
    if (!sentences.isEmpty()) {
      terminal.out().println();
      printTable(rows);
      line(
          "FRAGMENTATION: what stays free has lost 1 for each pair that is no longer to be had,"
              + " 0.25 for each pair of a group, 0.5 for each NUMA node and 1 for each server wholly"
              + " free, and 0.1 for each device left without a partner");
      sentences.forEach(this::line);
    }
  }

  private static String orNone(Stream<String> words) {
    String text = words.collect(Collectors.joining(", "));
    return text.isEmpty() ? "-" : text;
  }

  private void printReasons(PendingPod pod, List<String> reasons) {
    terminal.out().println();
    line(Terminal.safe(pod.name()) + ": " + reasons.get(0));
    reasons.stream().skip(1).forEach(reason -> line("  " + reason));
  }

  private void printTable(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], Terminal.safe(row.get(i)).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = Terminal.safe(row.get(i));
        text.append(cell).append(" ".repeat(widths[i] - cell.length() + 2));
      }
      terminal.out().println(text.toString().stripTrailing());
    }
  }

  private List<DeviceRequestAllocationResult> resultsOf(ClaimKey key) {
    ResourceClaim claim = Objects.requireNonNull(claims.get(key));
    return claim.allocation() == null ? List.of() : claim.allocation().results();
  }

  private void line(String text) {
    terminal.line(text);
  }
}
