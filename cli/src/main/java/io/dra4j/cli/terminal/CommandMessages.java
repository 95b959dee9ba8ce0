package io.dra4j.cli.terminal;

import io.dra4j.common.PrintableText;
import java.util.Collection;

/** Lists of names in messages. */
public final class CommandMessages {

  /** More names make a line too long to read. */
  private static final int SHOWN = 8;

  private CommandMessages() {}

  /** Reports that a node that an option names is not in the input. */
  public static String unknownNode(String node, Collection<String> nodes) {
    return "--node: no node \"%s\" in the input; there are %s"
        .formatted(Terminal.safe(node), nodes.isEmpty() ? "none" : Terminal.safe(some(nodes)));
  }

  /** Some of something; of one of them as one speaks of one. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** The first names, and how many others there are. */
  public static String some(Collection<String> names) {
    return PrintableText.some(names, SHOWN);
  }
}
