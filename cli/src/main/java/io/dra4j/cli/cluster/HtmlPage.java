package io.dra4j.cli.cluster;

import io.dra4j.cli.cluster.ExplainReport.DrawnDevice;
import io.dra4j.cli.terminal.Terminal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes an HTML page without scripts, images and links. Its content security policy allows only
 * its own style. All text from manifests is escaped.
 */
final class HtmlPage {

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
      table { border-collapse: collapse; } th, td { border-bottom: 1px solid #9aa0a6; padding: 4px 12px 4px 0; text-align: left; vertical-align: top; }
      .device b { display: block; } .device small { display: block; }
      """;

  private final StringBuilder html = new StringBuilder();

  /** Starts a page with the title of its window and the heading in its first line. */
  HtmlPage(String title, String heading) {
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
        .append("style-src 'sha256-")
        .append(hash(STYLE))
        .append("'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>")
        .append(escaped(title))
        .append("</title>\n<style>")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n");
    element("h1", "", heading);
  }

  /** Ends the page and returns it. */
  String end() {
    return html.append("</body>\n</html>\n").toString();
  }

  void list(List<String> items) {
    html.append("<ul>\n");
    items.forEach(item -> element("li", "", item));
    html.append("</ul>\n");
  }

  /** Adds a table; the first row is its header. */
  void table(List<List<String>> rows) {
    html.append("<table>\n");
    String tag = "th";
    for (List<String> row : rows) {
      html.append("<tr>\n");
      for (String cell : row) {
        element(tag, "", cell);
      }
      html.append("</tr>\n");
      tag = "td";
    }
    html.append("</table>\n");
  }

  /** Adds a server with its devices in their NUMA nodes and PCIe roots. */
  void server(String node, List<DrawnDevice> devices) {
    if (devices.isEmpty()) {
      return;
    }
    Map<String, Map<String, List<DrawnDevice>>> tree = new TreeMap<>();
    for (DrawnDevice device : devices) {
      tree.computeIfAbsent(device.numaNode(), any -> new TreeMap<>())
          .computeIfAbsent(device.pcieRoot(), any -> new ArrayList<>())
          .add(device);
    }
    html.append("<div class=\"server\">\n");
    element("b", "", "Node " + node);
    tree.forEach(
        (numa, roots) -> {
          html.append("<div class=\"numa\">\n");
          element("b", "", isKnown(numa) ? "NUMA node " + numa : "NUMA node unknown");
          html.append("<div class=\"row\">\n");
          roots.forEach(
              (root, ofRoot) -> {
                html.append("<div class=\"root\">\n");
                element("b", "", isKnown(root) ? root : "no PCIe root");
                html.append("<div class=\"row\">\n");
                ofRoot.forEach(this::draw);
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

  void element(String tag, String kind, String text) {
    html.append('<').append(tag);
    if (!kind.isEmpty()) {
      html.append(" class=\"").append(kind).append('"');
    }
    html.append('>').append(escaped(text)).append("</").append(tag).append(">\n");
  }

  /** Escapes text, so that it contains no markup and no control characters. */
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
