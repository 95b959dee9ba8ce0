package io.dra4j.cli.cluster;

import io.dra4j.allocation.explanation.Reason;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.cli.terminal.Colour;
import io.dra4j.cli.terminal.Terminal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes an explanation as text. */
final class ExplainText {

  private final ExplainReport report;

  ExplainText(ExplainReport report) {
    this.report = report;
  }

  void print(Terminal terminal) {
    for (ExplainReport.Pod pod : report.pods()) {
      if (!pod.fits()) {
        printSummary(pod, terminal);
        boolean isSaid = saysAll(pod);
        pod.groups().forEach(group -> print(group, isSaid, terminal));
        terminal.out().println();
      }
    }
    report.warnings().forEach(warning -> terminal.paragraph("warning: " + warning));
    report.pods().stream()
        .filter(ExplainReport.Pod::fits)
        .forEach(pod -> printSummary(pod, terminal));
    if (report.pods().isEmpty()) {
      terminal.paragraph("Nothing to explain: no pods with claims, and no pending claims.");
    }
  }

  private static void printSummary(ExplainReport.Pod pod, Terminal terminal) {
    terminal.line(
        Terminal.safe(pod.name()) + ": " + pod.summary(), pod.fits() ? Colour.YES : Colour.NO);
  }

  /** Returns whether the summary of a pod is its only reason, which is then printed once. */
  private static boolean saysAll(ExplainReport.Pod pod) {
    List<Reason> reasons =
        pod.groups().stream().flatMap(group -> group.refusals().stream()).toList();
    return reasons.size() == 1 && reasons.get(0).line().endsWith(pod.summary());
  }

  private static void print(ExplainReport.Group group, boolean isSaid, Terminal terminal) {
    String conflict = conflict(group);
    boolean isTitleAll =
        isSaid
            && conflict.isEmpty()
            && group.suggestions().found().isEmpty()
            && group.suggestions().gap().isEmpty();
    terminal.out().println();
    terminal.paragraph("  ", isTitleAll ? title(group) : title(group) + ":");
    if (!isSaid) {
      group.refusals().forEach(reason -> terminal.paragraph("    ", reason.line()));
    }
    if (!conflict.isEmpty()) {
      terminal.paragraph("    ", "cannot be fulfilled together: " + conflict);
    }
    if (!group.suggestions().found().isEmpty()) {
      terminal.paragraph("    ", "what would help (each was tried):");
      group.suggestions().found().forEach(change -> terminal.paragraph("      ", "- " + change));
    }
    moreSuggestions(group).ifPresent(open -> terminal.paragraph("    ", open));
  }

  /** Returns requirements that conflict, or why they are not known; empty if there are none. */
  static String conflict(ExplainReport.Group group) {
    return group
        .conflict()
        .gap()
        .map(ExplainText::notKnown)
        .orElseGet(() -> text(group.conflict().found()));
  }

  /** Returns the reason why further changes may help; empty if no others can. */
  static Optional<String> moreSuggestions(ExplainReport.Group group) {
    String more = group.suggestions().found().isEmpty() ? "what" : "what else";
    return group.suggestions().gap().map(gap -> more + " would help: " + notKnown(gap));
  }

  private static String notKnown(String gap) {
    return "not known: " + gap;
  }

  /** Returns requirements in a few words, equal ones once. */
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
        + (more == 0 ? "" : " and " + more + " more for the same reason");
  }
}
