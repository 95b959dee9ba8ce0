package io.dra4j.allocation.internal.text;

import io.dra4j.common.PrintableText;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.StandardAttributes;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats names, lists and node selectors for explanations. */
public final class TextFormat {

  private TextFormat() {}

  /** The maximum length of a line; longer lines are cut in the middle. */
  private static final int MAX_LINE = 2_000;

  /** The maximum number of listed conditions of one term; more are only counted. */
  private static final int MAX_CONDITIONS = 8;

  /**
   * Returns a text of limited length without characters that could move the cursor.
   *
   * @param breaks whether line breaks may stay
   */
  public static String line(String text, boolean breaks) {
    String cut = text;
    if (text.length() > MAX_LINE) {
      int first = boundary(text, MAX_LINE / 2);
      int last = boundary(text, text.length() - MAX_LINE / 2);
      cut =
          text.substring(0, first)
              + " [... "
              + (last - first)
              + " characters ...] "
              + text.substring(last);
    }
    return breaks
        ? Arrays.stream(cut.split("\n", -1))
            .map(PrintableText::of)
            .collect(Collectors.joining("\n"))
        : PrintableText.of(cut);
  }

  /** The cut position, which does not split a surrogate pair. */
  private static int boundary(String text, int at) {
    return Character.isLowSurrogate(text.charAt(at)) ? at + 1 : at;
  }

  /** Returns a name for a sentence; an empty name is shown as two quotes. */
  public static String name(String name) {
    return name.isEmpty() ? "\"\"" : name;
  }

  /** Returns the kind and the attribute of a constraint, as in manifests; empty if it has none. */
  public static String comparison(DeviceConstraint constraint) {
    return constraint
        .kind()
        .map(kind -> kind.field() + " " + name(constraint.attributes().getOrDefault(kind, "")))
        .orElse("");
  }

  public static String devices(long n) {
    return n == 1 ? "1 device" : n + " devices";
  }

  /** Returns a noun for the values of an attribute, for example {@code PCIe root}. */
  public static String valueOf(String attribute) {
    return switch (attribute) {
      case StandardAttributes.PCIE_ROOT -> "PCIe root";
      case StandardAttributes.NUMA_NODE -> "NUMA node";
      default -> "value of " + name(attribute);
    };
  }

  /**
   * Returns the conditions of a node selector, as kubectl writes them: {@code zone in (a,b)}; empty
   * if the selector has no conditions, so that it matches no node.
   */
  public static String of(NodeSelector selector) {
    return selector.terms().stream().allMatch(TextFormat::isEmpty)
        ? ""
        : list(selector.terms(), 2, TextFormat::of);
  }

  private static String of(NodeSelectorTerm term) {
    int more = term.matchExpressions().size() + term.matchFields().size() - MAX_CONDITIONS;
    return Stream.concat(term.matchExpressions().stream(), term.matchFields().stream())
        .limit(MAX_CONDITIONS)
        .map(it -> it.key() + " " + it.operator() + " (" + list(it.values(), 3) + ")")
        .collect(Collectors.joining(" and ", "", more > 0 ? " and " + more + " more" : ""));
  }

  private static boolean isEmpty(NodeSelectorTerm term) {
    return term.matchExpressions().isEmpty() && term.matchFields().isEmpty();
  }

  /** Joins names by commas and "and", the first ones if there are many. */
  public static String list(Collection<String> names, int most) {
    return list(names, most, name -> name);
  }

  /** Joins the texts of items; there may be very many. */
  public static <T> String list(Collection<T> things, int most, Function<? super T, String> text) {
    if (things.size() > most || things.size() < 2) {
      return PrintableText.some(things, most, text);
    }
    List<String> all = things.stream().map(text).toList();
    int last = all.size() - 1;
    return String.join(", ", all.subList(0, last)) + " and " + all.get(last);
  }
}
