package io.dra4j.cli.cluster;

import io.dra4j.allocation.explanation.Reason;
import java.util.Locale;

/**
 * Writes an explanation as one HTML page without scripts, images and links: the reasons, and the
 * server with the refused devices marked. Its content security policy allows only its own style.
 * All text from manifests is escaped.
 */
final class ExplainPage {

  private final HtmlPage html = new HtmlPage("dra4j explain", "Why claims do not fit");

  private ExplainPage() {}

  static String of(ExplainReport report) {
    return new ExplainPage().page(report);
  }

  private String page(ExplainReport report) {
    if (report.pods().isEmpty()) {
      html.element("p", "", "Nothing to explain: no pods with claims, and no pending claims.");
    }
    report.warnings().forEach(warning -> html.element("p", "warning", "Warning: " + warning));
    report.pods().stream().filter(pod -> !pod.fits()).forEach(this::add);
    for (ExplainReport.Pod pod : report.pods()) {
      if (pod.fits()) {
        html.element("p", "", pod.name() + ": " + pod.summary());
      }
    }
    return html.end();
  }

  private void add(ExplainReport.Pod pod) {
    html.element("h2", "", pod.name());
    html.element("p", "", pod.summary());
    for (ExplainReport.Group group : pod.groups()) {
      html.element("h3", "", "On " + ExplainText.title(group));
      html.list(group.refusals().stream().map(Reason::line).toList());
      String conflict = ExplainText.conflict(group);
      if (!conflict.isEmpty()) {
        html.element("p", "", "Cannot be fulfilled together: " + conflict);
      }
      if (!group.suggestions().found().isEmpty()) {
        html.element("p", "", "What would help (each was tried):");
        html.list(group.suggestions().found());
      }
      ExplainText.moreSuggestions(group)
          .ifPresent(open -> html.element("p", "", capitalized(open)));
      html.server(group.nodes().get(0), group.picture());
    }
  }

  private static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
