package io.dra4j.manifest.internal.json;

import io.dra4j.manifest.SourcePosition;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Counts the columns of JSON in code points, like those of YAML, not in the parser's units. */
public final class CodePointColumns {

  /** The unit in which the parser counts. */
  public enum Unit {
    /** Bytes of UTF-8. */
    BYTE,
    /** Units of UTF-16, the higher byte first. */
    UTF_16BE,
    /** Units of UTF-16, the lower byte first. */
    UTF_16LE
  }

  /** The text of a file after its byte order mark. */
  @FunctionalInterface
  public interface Text {
    InputStream open() throws IOException;
  }

  private CodePointColumns() {}

  /**
   * {@return the places in code points, in the same order; unknown places stay unknown}
   *
   * @param places the places in units of the parser, in any order
   */
  public static List<SourcePosition> of(List<SourcePosition> places, Text text, Unit unit)
      throws IOException {
    // The wanted columns, by line; each gets its count.
    NavigableMap<Integer, Map<Integer, Integer>> wanted = new TreeMap<>();
    for (SourcePosition place : places) {
      if (place.isKnown()) {
        wanted
            .computeIfAbsent(place.line(), line -> new HashMap<>())
            .put(place.column(), place.column());
      }
    }
    if (!wanted.isEmpty()) {
      try (InputStream in = new BufferedInputStream(text.open(), 1 << 16)) {
        count(in, unit, wanted);
      }
    }
    List<SourcePosition> counted = new ArrayList<>();
    for (SourcePosition place : places) {
      Map<Integer, Integer> columns = wanted.getOrDefault(place.line(), Map.of());
      counted.add(
          place.isKnown()
              ? new SourcePosition(
                  place.line(), columns.getOrDefault(place.column(), place.column()))
              : place);
    }
    return counted;
  }

  private static void count(
      InputStream in, Unit unit, NavigableMap<Integer, Map<Integer, Integer>> wanted)
      throws IOException {
    int last = wanted.lastKey();
    Map<Integer, Integer> columns = wanted.getOrDefault(1, Map.of());
    int line = 1;
    int units = 1; // the column of the next character, in units of the parser
    int codePoints = 1;
    int before = 0;
    for (int one = next(in, unit); one >= 0 && line <= last; one = next(in, unit)) {
      if (one == '\n' && before == '\r') {
        before = one;
        continue; // the same end of the same line
      }
      boolean goesOn =
          unit == Unit.BYTE ? (one & 0xC0) == 0x80 : Character.isLowSurrogate((char) one);
      codePoints -= goesOn ? 1 : 0;
      if (columns.containsKey(units)) {
        columns.put(units, codePoints);
      }
      units++;
      codePoints++;
      if (one == '\n' || one == '\r') {
        line++;
        columns = wanted.getOrDefault(line, Map.of());
        units = 1;
        codePoints = 1;
      }
      before = one;
    }
    if (columns.containsKey(units)) {
      columns.put(units, codePoints); // the end of the text
    }
  }

  private static int next(InputStream in, Unit unit) throws IOException {
    int first = in.read();
    if (unit == Unit.BYTE || first < 0) {
      return first;
    }
    int second = in.read();
    return second < 0 ? second : unit == Unit.UTF_16BE ? first << 8 | second : second << 8 | first;
  }
}
