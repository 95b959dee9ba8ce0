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

  /** Longer lines are cut in the middle. */
  private static final int MAX_LINE = 2_000;

  /** More conditions of one term are counted, not listed. */
  private static final int MAX_CONDITIONS = 8;

  /**
   * A text that cannot move the cursor, and has a length that people read.
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

  /** Not between the halves of a character. */
  private static int boundary(String text, int at) {
    return Character.isLowSurrogate(text.charAt(at)) ? at + 1 : at;
  }

  /** A name in a sentence, where one that is empty can be seen. */
  public static String name(String name) {
    return name.isEmpty() ? "\"\"" : name;
  }

  /** The kind and the attribute of a constraint, as manifests name them; empty without any. */
  public static String comparison(DeviceConstraint constraint) {
    return constraint
        .kind()
        .map(kind -> kind.field() + " " + name(constraint.attributes().getOrDefault(kind, "")))
        .orElse("");
  }

  public static String devices(long n) {
    return n == 1 ? "1 device" : n + " devices";
  }

  /** What a value of an attribute is, for example {@code PCIe root}. */
  public static String valueOf(String attribute) {
    return switch (attribute) {
      case StandardAttributes.PCIE_ROOT -> "PCIe root";
      case StandardAttributes.NUMA_NODE -> "NUMA node";
      default -> "value of " + name(attribute);
    };
  }

  /**
   * The conditions of a node selector, as kubectl writes them: {@code zone in (a,b)}; empty if it
   * matches no node since it has none.
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

  /** Joins the texts of things, of which there may be very many. */
  public static <T> String list(Collection<T> things, int most, Function<? super T, String> text) {
    if (things.size() > most || things.size() < 2) {
      return PrintableText.some(things, most, text);
    }
    List<String> all = things.stream().map(text).toList();
    int last = all.size() - 1;
    return String.join(", ", all.subList(0, last)) + " and " + all.get(last);
  }
}
