package io.dra4j.allocation;

import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.internal.text.TextFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * Why claims do not fit on the nodes of a cluster: nodes that refuse for the same reason are
 * counted together.
 *
 * @param groups the nodes by what they say, most nodes first; none where the claims fit
 * @param fitting the nodes on which the claims fit, in the order in which they were asked
 */
public record ClusterExplanation(List<Group> groups, List<String> fitting) {

  /** Copies the lists. {@inheritDoc} */
  public ClusterExplanation {
    groups = List.copyOf(groups);
    fitting = List.copyOf(fitting);
  }

  /**
   * Nodes that refuse for the same reason.
   *
   * @param summary the reason in a few words, without names of nodes and devices
   * @param nodes the names of the nodes, in the order in which they were asked
   * @param example why the first of the nodes refuses, in full
   */
  public record Group(String summary, List<String> nodes, Explanation example) {

    /** Copies the list. {@inheritDoc} */
    public Group {
      nodes = List.copyOf(nodes);
    }
  }

  /** More reasons are counted. */
  private static final int MAX_GROUPS = 16;

  /**
   * Says in one line why no node takes the claims, or which nodes do.
   *
   * @return the full reason if there is one node, otherwise for example {@code 14 nodes: no free
   *     device of class gpu.nvidia.com; 3 nodes: a pool of driver dra.net is incomplete}; where
   *     there are nodes that take the claims, these come first
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

  /**
   * Says what {@link #summary} says, without the names of the claims in front of the full reason of
   * a single node.
   *
   * @return one line
   */
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

  /** How many nodes are in groups that are not listed; empty if there are none. */
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

  /** For people: the nodes on which the claims fit, then a line for each reason. */
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
