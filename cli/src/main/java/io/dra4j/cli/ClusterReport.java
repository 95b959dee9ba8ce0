package io.dra4j.cli;

import io.dra4j.cli.ClusterRun.Placed;
import io.dra4j.cli.PodToPlace.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The answer for people: a table of who got what, a picture of each server that somebody got
 * something on, and why the others got nothing.
 */
final class ClusterReport {

  /** A pod that fits nowhere in a big cluster needs no more reasons than these. */
  private static final int MAX_REASONS = 4;

  private final Terminal terminal;
  private final ClusterSnapshot cluster;
  private final Map<ClaimKey, ResourceClaim> claims;
  private final List<Placed> placed;

  ClusterReport(
      Terminal terminal,
      ClusterSnapshot cluster,
      Map<ClaimKey, ResourceClaim> claims,
      List<Placed> placed) {
    this.terminal = terminal;
    this.cluster = cluster;
    this.claims = claims;
    this.placed = placed;
  }

  void print() {
    if (placed.isEmpty()) {
      terminal.out().println("Nothing to place: no pods with claims, and no pending claims.");
      return;
    }
    DeviceCatalog devices = new DeviceCatalog(cluster);
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("POD", "NODE", "CLAIM", "REQUEST", "DEVICE", "PCIE ROOT", "NUMA"));
    Set<String> nodes = new LinkedHashSet<>();
    for (Placed pod : placed) {
      if (pod.node() == null) {
        rows.add(List.of(pod.pod().name(), "-", "-", "-", "-", "-", "-"));
        continue;
      }
      nodes.add(pod.node());
      for (ClaimKey key : pod.pod().claims()) {
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
    Map<DeviceId, List<String>> holders = holders();
    for (String node : nodes) {
      terminal.out().println();
      new ServerPicture(devices, holders).draw(node).forEach(this::line);
    }
    for (Placed pod : placed) {
      printReasons(pod);
    }
  }

  private void printReasons(Placed pod) {
    if (pod.reasons().isEmpty()) {
      return;
    }
    terminal.out().println();
    List<String> reasons = pod.reasons();
    line(pod.pod().name() + ": " + reasons.get(0));
    reasons.stream().skip(1).limit(MAX_REASONS - 1L).forEach(reason -> line("  " + reason));
    if (reasons.size() > MAX_REASONS) {
      line("  ... and " + (reasons.size() - MAX_REASONS) + " more nodes");
    }
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

  private Map<DeviceId, List<String>> holders() {
    Map<DeviceId, List<String>> holders = new HashMap<>();
    claims.forEach(
        (key, claim) -> {
          for (DeviceRequestAllocationResult result : resultsOf(key)) {
            String how =
                Boolean.TRUE.equals(result.adminAccess())
                    ? " (admin)"
                    : result.shareId() != null ? " (share)" : "";
            holders.computeIfAbsent(result.deviceId(), id -> new ArrayList<>()).add(key + how);
          }
        });
    return holders;
  }

  private void line(String text) {
    terminal.out().println(Terminal.safe(text));
  }
}
