package io.dra4j.cli.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Short lists of labels: {@code GPU0-3 NIC0 NIC2}. */
final class LabelRanges {

  /** Compares labels by letters, then by number. */
  static final Comparator<String> ORDER =
      Comparator.comparing(LabelRanges::letters).thenComparingInt(LabelRanges::number);

  private LabelRanges() {}

  private static String letters(String label) {
    return label.replaceFirst("\\d+$", "");
  }

  private static int number(String label) {
    String digits = label.substring(letters(label).length());
    return digits.isEmpty() || digits.length() > 9 ? -1 : Integer.parseInt(digits);
  }

  static String of(Collection<String> labels) {
    List<String> sorted = labels.stream().distinct().sorted(ORDER).toList();
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < sorted.size(); ) {
      String letters = letters(sorted.get(i));
      int first = number(sorted.get(i));
      int next = i + 1;
      while (next < sorted.size()
          && first >= 0
          && sorted.get(next).equals(letters + (first + next - i))) {
        next++;
      }
      parts.add(next == i + 1 ? sorted.get(i) : sorted.get(i) + "-" + (first + next - i - 1));
      i = next;
    }
    return String.join(" ", parts);
  }
}
