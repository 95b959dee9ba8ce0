package io.dra4j.cli.cluster;

import io.dra4j.allocation.explanation.Reason;
import io.dra4j.cli.cluster.ExplainReport.DrawnDevice;
import io.dra4j.cli.terminal.Terminal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * An explanation as one page without scripts, images and links: reasons, and the server with the
 * refused devices marked. Its content security policy allows its own style only; all text from
 * manifests is escaped.
 */
final class ExplainPage {

  private static final String STYLE =
      """
      body { font: 15px/1.5 "DejaVu Sans", system-ui, sans-serif; margin: 24px; color: #1b1b1b; background: #fff; overflow-wrap: anywhere; }
      h1 { font-size: 20px; } h2 { font-size: 17px; margin-top: 32px; } h3 { font-size: 15px; }
      .warning { border-left: 4px solid #b26a00; padding-left: 12px; }
      .server, .numa, .root { border: 1px solid #9aa0a6; border-radius: 6px; padding: 8px 12px; margin: 8px; }
      .server { background: #f6f7f8; } .numa { background: #eceff1; } .root { background: #fff; }
      .row { display: flex; flex-wrap: wrap; }
      .device { border: 2px solid #2e7d32; border-radius: 6px; padding: 6px 10px; margin: 6px; width: 220px; box-sizing: border-box; }
      .held { border-color: #9aa0a6; color: #5f6368; }
      .refused { border: 2px dashed #b3261e; background: #fdecea; color: #1b1b1b; }
      .device b { display: block; } .device small { display: block; }
      """;

  private final StringBuilder html = new StringBuilder();

  private ExplainPage() {}

  static String of(ExplainReport report) {
    return new ExplainPage().page(report);
  }

  private String page(ExplainReport report) {
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
        .append("style-src 'sha256-")
        .append(hash(STYLE))
        .append("'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n")
        .append("<title>dra4j explain</title>\n<style>")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n<h1>Why claims do not fit</h1>\n");
    if (report.pods().isEmpty()) {
      element("p", "", "Nothing to explain: no pods with claims, and no pending claims.");
    }
    report.warnings().forEach(warning -> element("p", "warning", "Warning: " + warning));
    report.pods().stream().filter(pod -> !pod.fits()).forEach(this::add);
    for (ExplainReport.Pod pod : report.pods()) {
      if (pod.fits()) {
        element("p", "", pod.name() + ": " + pod.summary());
      }
    }
    return html.append("</body>\n</html>\n").toString();
  }

  private void add(ExplainReport.Pod pod) {
    element("h2", "", pod.name());
    element("p", "", pod.summary());
    for (ExplainReport.Group group : pod.groups()) {
      element("h3", "", "On " + ExplainText.title(group).replace(":", ""));
      list(group.refusals().stream().map(Reason::line).toList());
      String conflict = ExplainText.conflict(group);
      if (!conflict.isEmpty()) {
        element("p", "", "Cannot be fulfilled together: " + conflict);
      }
      if (!group.suggestions().found().isEmpty()) {
        element("p", "", "What would help (each was tried):");
        list(group.suggestions().found());
      }
      ExplainText.moreSuggestions(group).ifPresent(open -> element("p", "", capitalized(open)));
      draw(group);
    }
  }

  private static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private void list(List<String> items) {
    html.append("<ul>\n");
    items.forEach(item -> element("li", "", item));
    html.append("</ul>\n");
  }

  private void draw(ExplainReport.Group group) {
    if (group.picture().isEmpty()) {
      return;
    }
    Map<String, Map<String, List<DrawnDevice>>> tree = new TreeMap<>();
    for (DrawnDevice device : group.picture()) {
      tree.computeIfAbsent(device.numaNode(), any -> new TreeMap<>())
          .computeIfAbsent(device.pcieRoot(), any -> new ArrayList<>())
          .add(device);
    }
    html.append("<div class=\"server\">\n");
    element("b", "", "Node " + group.nodes().get(0));
    tree.forEach(
        (numa, roots) -> {
          html.append("<div class=\"numa\">\n");
          element("b", "", isKnown(numa) ? "NUMA node " + numa : "NUMA node unknown");
          html.append("<div class=\"row\">\n");
          roots.forEach(
              (root, devices) -> {
                html.append("<div class=\"root\">\n");
                element("b", "", isKnown(root) ? root : "no PCIe root");
                html.append("<div class=\"row\">\n");
                devices.forEach(this::draw);
                html.append("</div>\n</div>\n");
              });
          html.append("</div>\n</div>\n");
        });
    html.append("</div>\n");
  }

  private static boolean isKnown(String place) {
    return !place.equals(DeviceCatalog.UNKNOWN);
  }

  private void draw(DrawnDevice device) {
    String kind = !device.refused().isEmpty() ? " refused" : device.free() ? "" : " held";
    html.append("<div class=\"device").append(kind).append("\">\n");
    element("b", "", device.id().device());
    element("small", "", device.id().driver());
    if (isKnown(device.busId())) {
      element("small", "", device.busId());
    }
    element("small", "", device.state());
    if (!device.refused().isEmpty()) {
      element("small", "", "refused: " + device.refused());
    }
    html.append("</div>\n");
  }

  private void element(String tag, String kind, String text) {
    html.append('<').append(tag);
    if (!kind.isEmpty()) {
      html.append(" class=\"").append(kind).append('"');
    }
    html.append('>').append(escaped(text)).append("</").append(tag).append(">\n");
  }

  /** Text that is no markup, and moves no cursor either. */
  private static String escaped(String text) {
    return Terminal.safeLines(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  private static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return Base64.getEncoder()
          .encodeToString(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
