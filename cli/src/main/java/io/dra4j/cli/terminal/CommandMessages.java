package io.dra4j.cli.terminal;

import io.dra4j.common.PrintableText;
import java.util.Collection;

/** Counts and lists of names for messages. */
public final class CommandMessages {

  /** The limit of names in a line. */
  private static final int SHOWN = 8;

  private CommandMessages() {}

  /** Returns the message that the node of {@code --node} is not in the input. */
  public static String unknownNode(String node, Collection<String> nodes) {
    return "--node: no node \"%s\" in the input; nodes: %s"
        .formatted(Terminal.safe(node), nodes.isEmpty() ? "none" : Terminal.safe(some(nodes)));
  }

  /** Returns a number with a noun, in the singular for 1. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** Returns the first names, and the number of others. */
  public static String some(Collection<String> names) {
    return PrintableText.some(names, SHOWN);
  }
}
