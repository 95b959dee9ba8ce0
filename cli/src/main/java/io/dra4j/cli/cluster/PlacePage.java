package io.dra4j.cli.cluster;

import io.dra4j.allocation.Allocator;
import io.dra4j.cli.cluster.ExplainReport.DrawnDevice;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.scheduling.planning.JobPlacement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Writes the answer of {@code dra4j place} as one HTML page: the answer, jobs, pods, and servers.
 */
final class PlacePage {

  /** The limit of drawn servers; a page with more takes seconds to open. */
  private static final int MAX_SERVERS = 64;

  private PlacePage() {}

  static String of(PlaceReport report, DeviceInventory inventory, Allocator allocator) {
    HtmlPage page = new HtmlPage("dra4j place", report.answer());
    List<String> jobs =
        report.jobs().stream()
            .filter(job -> job.pods().size() > 1)
            .map(job -> line(job, report))
            .toList();
    if (!jobs.isEmpty()) {
      page.list(jobs);
    }
    if (!report.outcome().pods().isEmpty()) {
      page.table(PlaceText.rows(report));
    }
    Set<String> nodes = PicturedNodes.of(report.outcome().pods());
    DeviceCatalog catalog = new DeviceCatalog(inventory);
    Map<String, DeviceWords> words = DeviceWords.after(allocator, inventory, report.outcome());
    nodes.stream()
        .limit(MAX_SERVERS)
        .forEach(
            node ->
                page.server(
                    node,
                    DrawnDevice.of(
                        node, catalog, Objects.requireNonNull(words.get(node)), Map.of())));
    int more = nodes.size() - MAX_SERVERS;
    if (more > 0) {
      page.element("p", "", CommandMessages.count(more, "more server") + " not drawn");
    }
    return page.end();
  }

  private static String line(JobPlacement job, PlaceReport report) {
    return PlaceText.line(report, job);
  }
}
