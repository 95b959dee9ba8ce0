package io.dra4j.scheduling;

import io.dra4j.common.PrintableText;
import io.dra4j.model.Node;
import io.dra4j.scheduling.NodeRefusal.Cause;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Groups nodes that refuse a pod for the same reason, and states reasons in bounded sentences. */
final class NodeReasons {

  /** The most reasons of one kind that are listed; reasons of the most nodes come first. */
  private static final int MAX_REASONS = 4;

  /** The most nodes that are named, and the most different values of labels. */
  private static final int MAX_SHOWN = 3;

  /** The most characters of a name, a label, a taint or a selector that are shown. */
  private static final int MAX_TEXT = 200;

  /** Finds the reasons for which nodes refuse a pod. */
  @FunctionalInterface
  interface MismatchFinder {

    /** The reason for which the node refuses the pod, or {@code null} if none is of this kind. */
    @Nullable NodeMismatch on(Node node);
  }

  private NodeReasons() {}

  /** The reasons in the order of the causes; for each cause, the reason of the most nodes first. */
  static List<NodeReason> of(Collection<Node> nodes, MismatchFinder finder) {
    Map<Cause, Map<NodeMismatch, List<Node>>> groups = new EnumMap<>(Cause.class);
    for (Node node : nodes) {
      NodeMismatch mismatch = finder.on(node);
      if (mismatch != null) {
        groups
            .computeIfAbsent(mismatch.cause(), any -> new LinkedHashMap<>())
            .computeIfAbsent(mismatch, any -> new ArrayList<>())
            .add(node);
      }
    }
    List<NodeReason> reasons = new ArrayList<>();
    groups.values().forEach(byMismatch -> add(byMismatch, reasons));
    return reasons;
  }

  private static void add(Map<NodeMismatch, List<Node>> byMismatch, List<NodeReason> reasons) {
    List<Map.Entry<NodeMismatch, List<Node>>> byNodes = new ArrayList<>(byMismatch.entrySet());
    byNodes.sort(Comparator.comparing(entry -> -entry.getValue().size()));
    boolean isMany = byNodes.size() > MAX_REASONS;
    int listed = isMany ? MAX_REASONS - 1 : byNodes.size();
    for (Map.Entry<NodeMismatch, List<Node>> entry : byNodes.subList(0, listed)) {
      NodeMismatch mismatch = entry.getKey();
      List<Node> nodes = entry.getValue();
      boolean several = nodes.size() > 1;
      String text = mismatch.sentence(who(nodes), several, details(mismatch, nodes));
      reasons.add(new NodeReason(mismatch.cause(), names(nodes), text));
    }
    if (isMany) {
      NodeMismatch mismatch = byNodes.get(listed).getKey();
      List<Node> others = new ArrayList<>();
      byNodes.subList(listed, byNodes.size()).forEach(entry -> others.addAll(entry.getValue()));
      String text = who(others) + " " + mismatch.describeOthers(others.size() > 1);
      reasons.add(new NodeReason(mismatch.cause(), names(others), text + named(others)));
    }
  }

  private static String who(List<Node> nodes) {
    return nodes.size() == 1 ? "node " + called(nodes.get(0)) : nodes.size() + " nodes";
  }

  private static List<String> names(List<Node> nodes) {
    return nodes.stream().map(Node::name).toList();
  }

  private static String named(List<Node> nodes) {
    return nodes.size() == 1 ? "" : ": " + some(nodes);
  }

  /** The properties of nodes that the pod does not want, or else the names of the nodes. */
  private static String details(NodeMismatch mismatch, List<Node> nodes) {
    Map<String, List<Node>> found = new LinkedHashMap<>();
    for (Node node : nodes) {
      found.computeIfAbsent(mismatch.detail(node), any -> new ArrayList<>()).add(node);
    }
    if (found.containsKey("")) {
      return named(nodes); // a mismatch has details for all nodes or for none
    } else if (nodes.size() == 1) {
      return ": it has " + found.keySet().iterator().next();
    }
    List<String> parts = new ArrayList<>();
    int unlisted = nodes.size();
    for (Map.Entry<String, List<Node>> entry : found.entrySet()) {
      if (parts.size() < MAX_SHOWN) {
        List<Node> same = entry.getValue();
        parts.add(some(same) + (same.size() == 1 ? " has " : " have ") + entry.getKey());
        unlisted -= same.size();
      }
    }
    if (unlisted > 0) {
      parts.add(unlisted + (unlisted == 1 ? " more has another value" : " more have other values"));
    }
    return ": " + String.join(", ", parts);
  }

  /** The first names, and the number of the others. */
  private static String some(List<Node> nodes) {
    List<String> parts = new ArrayList<>();
    int shown = nodes.size() == MAX_SHOWN + 1 ? MAX_SHOWN + 1 : MAX_SHOWN;
    nodes.stream().limit(shown).forEach(node -> parts.add(called(node)));
    if (nodes.size() > shown) {
      parts.add((nodes.size() - shown) + " more");
    }
    int last = parts.size() - 1;
    return last == 0
        ? parts.get(0)
        : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }

  /** The name of a node; a node from a file may have no name. */
  private static String called(Node node) {
    return node.name().isEmpty() ? "(without a name)" : brief(node.name());
  }

  /** A string of a manifest, without its end if it is long. */
  static String brief(String text) {
    return PrintableText.start(text, MAX_TEXT);
  }
}
