package io.dra4j.cli.cluster;

import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** An explanation in plain English. */
final class ExplainText {

  private final ExplainReport report;
  private final List<String> lines = new ArrayList<>();

  ExplainText(ExplainReport report) {
    this.report = report;
  }

  List<String> lines() {
    List<ExplainReport.Pod> refused = report.pods().stream().filter(pod -> !pod.fits()).toList();
    refused.forEach(this::add);
    report.warnings().forEach(warning -> lines.add("warning: " + warning));
    report.pods().stream()
        .filter(ExplainReport.Pod::fits)
        .forEach(pod -> lines.add(Terminal.safe(pod.name()) + ": " + pod.summary()));
    if (report.pods().isEmpty()) {
      lines.add("Nothing to explain: no pods with claims, and no pending claims.");
    }
    return List.copyOf(lines);
  }

  private void add(ExplainReport.Pod pod) {
    lines.add(Terminal.safe(pod.name()) + ": " + pod.summary());
    for (ExplainReport.Group group : pod.groups()) {
      lines.add("");
      lines.add("  " + title(group));
      group.refusals().stream()
          .map(Reason::line)
          .forEach(text -> lines.add("    " + text.replace("\n", "\n      ")));
      String conflict = conflict(group);
      if (!conflict.isEmpty()) {
        lines.add("    cannot be fulfilled together: " + conflict);
      }
      if (!group.suggestions().found().isEmpty()) {
        lines.add("    what would help (each was tried):");
        group.suggestions().found().forEach(text -> lines.add("      - " + text));
      }
      moreSuggestions(group).ifPresent(open -> lines.add("    " + open));
    }
    lines.add("");
  }

  /** What cannot be fulfilled together, or why that is not known; empty if there is nothing. */
  static String conflict(ExplainReport.Group group) {
    return group
        .conflict()
        .gap()
        .map(ExplainText::notKnown)
        .orElseGet(() -> text(group.conflict().found()));
  }

  /** Why there may be more that would help; empty if there cannot be. */
  static Optional<String> moreSuggestions(ExplainReport.Group group) {
    String more = group.suggestions().found().isEmpty() ? "what" : "what else";
    return group.suggestions().gap().map(gap -> more + " would help: " + notKnown(gap));
  }

  private static String notKnown(String gap) {
    return "not known: " + gap;
  }

  /** Requirements in a few words, equal ones as one. */
  static String text(List<Requirement> conflict) {
    boolean several = conflict.stream().map(Requirement::claim).distinct().count() > 1;
    String text =
        conflict.stream()
            .limit(8)
            .map(needs -> needs.text() + (several ? " of claim " + needs.claim() : ""))
            .collect(Collectors.joining("; "));
    return conflict.size() > 8 ? text + "; and " + (conflict.size() - 8) + " more" : text;
  }

  static String title(ExplainReport.Group group) {
    int more = group.nodes().size() - 1;
    return "node "
        + Terminal.safe(group.nodes().get(0))
        + (more == 0 ? ":" : " and " + more + " more for the same reason:");
  }
}
