package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.cli.terminal.TextTable;
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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The answer as text: the number of placed pods, a table of their devices, the reasons for the
 * other pods, and a tree of each server on which pods were placed or that refused a pod.
 */
final class ClusterReport {

  /** The limit of servers whose trees are shown by default. */
  private static final int MAX_TREES = 4;

  private final Terminal terminal;
  private final DeviceInventory inventory;
  private final Map<ClaimKey, ResourceClaim> claims;
  private final List<PodOutcome> pods;
  private final Map<String, GangScore> gangs;
  private final ClusterOutcome placed;
  private final Allocator allocator;
  private final boolean allTrees;

  ClusterReport(
      Terminal terminal,
      DeviceInventory inventory,
      ClusterOutcome outcome,
      Allocator allocator,
      boolean allTrees) {
    this.allTrees = allTrees;
    this.terminal = terminal;
    this.inventory = inventory;
    this.claims = outcome.claims();
    this.pods = outcome.pods();
    this.gangs = outcome.gangs();
    this.placed = outcome;
    this.allocator = allocator;
  }

  /** Prints the answer; {@code isAll} if all pods with claims are in it, and none was wrong. */
  void print(boolean isAll) {
    if (pods.isEmpty()) {
      terminal
          .out()
          .println(
              isAll
                  ? "Nothing to place: no pods with claims, and no pending claims."
                  : "Nothing placed: all pods with claims have errors, and no claims are pending.");
      return;
    }
    long onNodes = pods.stream().filter(Placed.class::isInstance).count();
    terminal.answer(answer(onNodes, pods.size()), onNodes == pods.size());
    DeviceCatalog devices = new DeviceCatalog(inventory);
    if (onNodes > 0) {
      terminal.out().println();
      printTable(rows(devices));
    }
    PodReasons.of(pods).forEach(this::printReasons);
    printScores();
    gangs.forEach((gang, score) -> terminal.paragraph(gang + ": " + score.explanation()));
    printTrees(devices);
  }

  /** Returns the answer in one line. */
  static String answer(long placed, int pods) {
    return "%d of %s placed".formatted(placed, CommandMessages.count(pods, "pod"));
  }

  private List<List<String>> rows(DeviceCatalog devices) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("POD", "NODE", "CLAIM", "REQUEST", "DEVICE", "PCIE ROOT", "NUMA"));
    for (PodOutcome outcome : pods) {
      if (outcome instanceof Placed pod) {
        for (ClaimKey key : pod.pod().claims()) {
          if (!claims.containsKey(key)) {
            rows.add(List.of(pod.pod().name(), pod.node(), "-", "-", "of device plugin", "-", "-"));
          } else if (resultsOf(key).isEmpty()) {
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
    }
    return rows;
  }

  private void printTrees(DeviceCatalog devices) {
    Map<String, DeviceWords> words = DeviceWords.after(allocator, inventory, placed);
    Collection<String> nodes = PicturedNodes.of(pods);
    if (nodes.size() > MAX_TREES && !allTrees) {
      terminal.out().println();
      terminal.paragraph(
          "trees of the devices of %s: use --tree to show all, --node to show one"
              .formatted(CommandMessages.count(nodes.size(), "node")));
      return;
    }
    for (String node : nodes) {
      terminal.out().println();
      new ServerPicture(devices, Objects.requireNonNull(words.get(node)))
          .draw(node)
          .forEach(this::line);
    }
  }

  /** Prints the scores of the devices of each pod, if there are any. */
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
      terminal.paragraph(
          "FRAGMENTATION: 1 for each GPU-NIC pair that can no longer be allocated, plus"
              + " 0.25 for each pair of a fully free group, 0.5 for each fully free NUMA node and"
              + " 1 for each fully free server that is lost, and 0.1 for each device left without"
              + " a partner");
      sentences.forEach(terminal::paragraph);
    }
  }

  private static String orNone(Stream<String> words) {
    String text = words.collect(Collectors.joining(", "));
    return text.isEmpty() ? "-" : text;
  }

  private void printReasons(PendingPod pod, List<String> reasons) {
    terminal.out().println();
    terminal.paragraph(pod.name() + ": " + reasons.get(0));
    reasons.stream().skip(1).forEach(reason -> terminal.paragraph("  " + reason));
  }

  private void printTable(List<List<String>> rows) {
    TextTable table = new TextTable(rows.get(0).toArray(String[]::new));
    rows.stream().skip(1).forEach(row -> table.row(row.toArray(String[]::new)));
    terminal.out().print(table);
  }

  private List<DeviceRequestAllocationResult> resultsOf(ClaimKey key) {
    ResourceClaim claim = claims.get(key);
    return claim == null || claim.allocation() == null ? List.of() : claim.allocation().results();
  }

  private void line(String text) {
    terminal.line(text);
  }
}
