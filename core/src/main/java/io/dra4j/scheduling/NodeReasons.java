package io.dra4j.scheduling;

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

/**
 * Puts nodes together that refuse a pod for the same reason, and says it in sentences that stay
 * short whatever the nodes are and have.
 */
final class NodeReasons {

  /** So many reasons of one kind are told, those of most nodes. */
  private static final int MAX_ALIKE = 4;

  /** So many nodes are named, and so many different values of labels. */
  private static final int MAX_SHOWN = 3;

  /** So many characters of a name, a label, a taint or a selector are shown. */
  private static final int MAX_TEXT = 200;

  /** What refuses a pod on nodes. */
  @FunctionalInterface
  interface Obstacles {

    /** What refuses the pod on the node, or {@code null} if nothing of the kind does. */
    @Nullable NodeMismatch on(Node node);
  }

  private NodeReasons() {}

  /** The reasons, in the order of the causes, of each cause that of most nodes first. */
  static List<NodeReason> of(Collection<Node> nodes, Obstacles obstacles) {
    Map<Cause, Map<NodeMismatch, List<Node>>> groups = new EnumMap<>(Cause.class);
    for (Node node : nodes) {
      NodeMismatch obstacle = obstacles.on(node);
      if (obstacle != null) {
        groups
            .computeIfAbsent(obstacle.cause(), any -> new LinkedHashMap<>())
            .computeIfAbsent(obstacle, any -> new ArrayList<>())
            .add(node);
      }
    }
    List<NodeReason> reasons = new ArrayList<>();
    groups.values().forEach(alike -> add(alike, reasons));
    return reasons;
  }

  private static void add(Map<NodeMismatch, List<Node>> alike, List<NodeReason> reasons) {
    List<Map.Entry<NodeMismatch, List<Node>>> byNodes = new ArrayList<>(alike.entrySet());
    byNodes.sort(Comparator.comparing(entry -> -entry.getValue().size()));
    boolean isMany = byNodes.size() > MAX_ALIKE;
    int told = isMany ? MAX_ALIKE - 1 : byNodes.size();
    for (Map.Entry<NodeMismatch, List<Node>> entry : byNodes.subList(0, told)) {
      NodeMismatch obstacle = entry.getKey();
      List<Node> nodes = entry.getValue();
      boolean several = nodes.size() > 1;
      String text = obstacle.sentence(who(nodes), several, details(obstacle, nodes));
      reasons.add(new NodeReason(obstacle.cause(), names(nodes), text));
    }
    if (isMany) {
      NodeMismatch obstacle = byNodes.get(told).getKey();
      List<Node> others = new ArrayList<>();
      byNodes.subList(told, byNodes.size()).forEach(entry -> others.addAll(entry.getValue()));
      String text = who(others) + " " + obstacle.saidOfOthers(others.size() > 1);
      reasons.add(new NodeReason(obstacle.cause(), names(others), text + named(others)));
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

  /** What nodes have and the pod does not want, or else their names. */
  private static String details(NodeMismatch obstacle, List<Node> nodes) {
    Map<String, List<Node>> found = new LinkedHashMap<>();
    for (Node node : nodes) {
      found.computeIfAbsent(obstacle.found(node), any -> new ArrayList<>()).add(node);
    }
    if (found.containsKey("")) {
      return named(nodes); // an obstacle tells what it found of all nodes or of none
    } else if (nodes.size() == 1) {
      return ": it has " + found.keySet().iterator().next();
    }
    List<String> parts = new ArrayList<>();
    int untold = nodes.size();
    for (Map.Entry<String, List<Node>> entry : found.entrySet()) {
      if (parts.size() < MAX_SHOWN) {
        List<Node> alike = entry.getValue();
        parts.add(some(alike) + (alike.size() == 1 ? " has " : " have ") + entry.getKey());
        untold -= alike.size();
      }
    }
    if (untold > 0) {
      parts.add(untold + (untold == 1 ? " more has another value" : " more have other values"));
    }
    return ": " + String.join(", ", parts);
  }

  /** The first names, and how many others there are. */
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

  /** The name of a node; files may have some without one. */
  private static String called(Node node) {
    return node.name().isEmpty() ? "(without a name)" : brief(node.name());
  }

  /** A text of a manifest, without its end if it is long. */
  static String brief(String text) {
    if (text.length() <= MAX_TEXT) {
      return text;
    }
    boolean isHalf = Character.isHighSurrogate(text.charAt(MAX_TEXT - 1));
    return text.substring(0, isHalf ? MAX_TEXT - 1 : MAX_TEXT) + "...";
  }
}
