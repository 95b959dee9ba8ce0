package io.dra4j.allocation;

import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.internal.text.TextFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * The reasons why claims do not fit on the nodes of a cluster. Nodes with the same reason are
 * grouped.
 *
 * @param groups the nodes by reason, largest group first; without the nodes on which the claims fit
 * @param fitting the nodes on which the claims fit, in the order in which they were checked
 */
public record ClusterExplanation(List<Group> groups, List<String> fitting) {

  /** Copies the lists. {@inheritDoc} */
  public ClusterExplanation {
    groups = List.copyOf(groups);
    fitting = List.copyOf(fitting);
  }

  /**
   * Nodes with the same reason.
   *
   * @param summary the reason in a few words, without names of nodes and devices
   * @param nodes the names of the nodes, in the order in which they were checked
   * @param example the full explanation of the first of these nodes
   */
  public record Group(String summary, List<String> nodes, Explanation example) {

    /** Copies the list. {@inheritDoc} */
    public Group {
      nodes = List.copyOf(nodes);
    }
  }

  /** Further reasons are only counted. */
  private static final int MAX_GROUPS = 16;

  /**
   * {@return one line with the reasons why no node fits the claims, or with the nodes that do: the
   * full reason if there is one node, otherwise for example {@code 14 nodes: no free device of
   * class gpu.nvidia.com; 3 nodes: a pool of driver dra.net is incomplete}} Nodes on which the
   * claims fit come first.
   */
  public String summary() {
    if (groups.isEmpty()) {
      return fitting.isEmpty()
          ? "there are no nodes"
          : TextFormat.line("fits on " + TextFormat.list(fitting, 4), false);
    }
    if (groups.size() == 1 && groups.get(0).nodes().size() == 1 && fitting.isEmpty()) {
      return groups.get(0).example().summary();
    }
    return TextFormat.line(reasons(), false);
  }

  /** {@return the {@link #summary} without the names of the claims before a node's full reason} */
  public String statement() {
    boolean isOneNode = groups.size() == 1 && groups.get(0).nodes().size() == 1;
    return isOneNode && fitting.isEmpty() ? groups.get(0).example().statement() : summary();
  }

  private String reasons() {
    return (fitting.isEmpty() ? "" : "fits on " + TextFormat.list(fitting, 4) + "; ")
        + groups.stream()
            .limit(MAX_GROUPS)
            .map(ClusterExplanation::lineOf)
            .collect(Collectors.joining("; ", "", others("; ")));
  }

  private static String lineOf(Group group) {
    return TextFormat.line(countOf(group.nodes().size()) + ": " + group.summary(), false);
  }

  private static String countOf(long nodes) {
    return nodes + (nodes == 1 ? " node" : " nodes");
  }

  /** The number of nodes in groups that are not listed; empty if there are none. */
  private String others(String before) {
    int more = groups.size() - MAX_GROUPS;
    return more <= 0
        ? ""
        : before
            + countOf(groups.stream().skip(MAX_GROUPS).mapToLong(it -> it.nodes().size()).sum())
            + " for "
            + more
            + (more == 1 ? " more reason" : " more reasons");
  }

  /** The nodes on which the claims fit, then a line for each reason. */
  @Override
  public String toString() {
    if (groups.isEmpty()) {
      return summary();
    }
    StringJoiner lines = new StringJoiner("\n");
    if (!fitting.isEmpty()) {
      lines.add(TextFormat.line("fits on " + TextFormat.list(fitting, 4), false));
    }
    groups.stream().limit(MAX_GROUPS).forEach(group -> lines.add(lineOf(group)));
    String others = others("");
    return others.isEmpty() ? lines.toString() : lines.add(others).toString();
  }
}
