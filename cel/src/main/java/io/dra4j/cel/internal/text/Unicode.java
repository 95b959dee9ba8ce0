package io.dra4j.cel.internal.text;

import com.google.common.base.Ascii;
import com.google.common.base.Splitter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The Unicode Character Database in the versions of the API server's Go, which are not that of the
 * JDK: categories, scripts, and characters that are equal but for their case.
 *
 * <p>Source: the package {@code unicode} of Go, from which {@code cel/src/unicode/tables.go} writes
 * a resource for each.
 */
@SuppressWarnings("ImmutableEnumChecker") // the tables are read once
public enum Unicode {
  /** Unicode 15.0.0, of Go 1.26. */
  V15("unicode.txt"),
  /** Unicode 17.0.0, of Go 1.27, which also finds scripts whose names have two words. */
  V17("unicode-17.txt");

  private static final int RADIX = 36;
  private static final List<String> PRINTED = List.of("L", "M", "N", "P", "S");
  private static final Splitter SPACE = Splitter.on(' ');
  private static final Splitter PLUS = Splitter.on('+');

  private final String resource;
  private volatile @Nullable Tables tables; // read when the first expression needs them

  Unicode(String resource) {
    this.resource = resource;
  }

  private Tables tables() {
    Tables known = tables;
    if (known == null) {
      synchronized (this) {
        known = tables;
        if (known == null) {
          known = new Tables(resource);
          tables = known;
        }
      }
    }
    return known;
  }

  private static final class Tables {

    /** By canonical name; a text until it is asked for. */
    private final Map<String, Object> classes = new ConcurrentHashMap<>();

    private final Map<String, String> aliases = new HashMap<>();

    private volatile @Nullable CharClass printed; // made when it is asked for

    /** Characters that have other cases, sorted, and the place of the next one in each's cycle. */
    private int[] cased = new int[0];

    private int[] next = new int[0];

    private Tables(String resource) {
      for (String line : Splitter.on('\n').omitEmptyStrings().split(text(resource))) {
        int space = line.indexOf(' ');
        String name = line.substring(0, space);
        String rest = line.substring(space + 1);
        switch (name) {
          case "#" -> {}
          case "alias" -> {
            List<String> words = SPACE.splitToList(rest);
            aliases.put(words.get(0), words.get(1));
          }
          case "fold" -> readCycles(rest);
          default -> classes.put(name, rest);
        }
      }
    }

    private static String text(String resource) {
      try (InputStream in = Unicode.class.getResourceAsStream(resource)) {
        if (in == null) {
          throw new IllegalStateException(resource + " is missing from the archive");
        }
        return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void readCycles(String text) {
      long[] pairs = new long[4_096];
      int size = 0;
      int first = 0;
      for (String cycle : SPACE.split(text)) {
        List<String> members = PLUS.splitToList(cycle);
        first += number(members.get(0));
        int member = first;
        for (int i = 1; i <= members.size(); i++) {
          int following = i == members.size() ? first : first + number(members.get(i));
          pairs = size == pairs.length ? Arrays.copyOf(pairs, 2 * size) : pairs;
          pairs[size++] = ((long) member << 32) | following;
          member = following;
        }
      }
      Arrays.sort(pairs, 0, size);
      cased = new int[size];
      next = new int[size];
      for (int i = 0; i < size; i++) {
        cased[i] = (int) (pairs[i] >> 32);
      }
      for (int i = 0; i < size; i++) {
        next[i] = Arrays.binarySearch(cased, (int) pairs[i]);
      }
    }

    /** The name of the class that a name or an alias means. */
    private String meant(String canonical) {
      return classes.containsKey(canonical)
          ? canonical
          : aliases.getOrDefault(canonical, canonical);
    }

    /** Returns the place of the first character with other cases from a character on. */
    private int from(int c) {
      int at = Arrays.binarySearch(cased, c);
      return at < 0 ? -at - 1 : at;
    }

    /** Characters that Go prints as they are: letters, marks, numbers, punctuation, symbols. */
    private CharClass printed() {
      CharClass known = printed;
      if (known == null) {
        CharClass.Builder builder = new CharClass.Builder().add(' ', ' ');
        PRINTED.forEach(category -> builder.add(known(category)));
        known = builder.build();
        printed = known;
      }
      return known;
    }

    private CharClass known(String category) {
      CharClass known = get(category);
      if (known == null) {
        throw new IllegalStateException("Unicode without " + category);
      }
      return known;
    }

    private @Nullable CharClass get(String canonical) {
      String name = meant(canonical);
      if (classes.get(name) instanceof String text) {
        classes.put(name, readRanges(text));
      }
      return (CharClass) classes.get(name);
    }

    private static CharClass readRanges(String text) {
      CharClass.Builder builder = new CharClass.Builder();
      int end = 0;
      int first = -1;
      for (String word : SPACE.split(text)) {
        if (first < 0) {
          first = end + number(word);
        } else {
          end = first + number(word);
          builder.add(first, end);
          first = -1;
        }
      }
      return builder.build();
    }

    private static int number(String text) {
      return Integer.parseInt(text, RADIX);
    }
  }

  /**
   * {@return the characters of a category or script, such as {@code Lu}, {@code Letter} or {@code
   * Greek}; null if none has this name} Case, spaces, hyphens and underscores do not count, as in
   * <code>\p{…}</code>.
   */
  @Nullable CharClass named(String name) {
    String canonical = canonical(name);
    return switch (canonical) {
      case "Any" -> CharClass.ANY;
      case "Ascii" -> CharClass.range(0, 0x7f);
      case "Assigned" -> tables().known("Cn").negated();
      default -> tables().get(canonical);
    };
  }

  /** Returns whether ignored case leaves a class as it is: Go forgets the other cases of one. */
  boolean isNeverFolded(String name) {
    return tables().meant(canonical(name)).equals("Lc");
  }

  /**
   * {@return whether Go's {@code strconv.IsPrint} is true: {@code %q} writes a character as it is}
   *
   * @param c a code point
   */
  public boolean isPrinted(int c) {
    return c < 0x7f ? c >= ' ' : tables().printed().contains(c);
  }

  /** How many characters of a range have other cases. */
  int countCased(int first, int last) {
    return tables().from(last + 1) - tables().from(first);
  }

  /** A class and the other cases of its characters. */
  CharClass folded(CharClass set) {
    Tables tables = tables();
    CharClass.Builder builder = new CharClass.Builder().add(set);
    int[] ranges = set.ranges();
    for (int i = 0; i < ranges.length; i += 2) {
      int first = ranges[i];
      int last = ranges[i + 1];
      for (int at = tables.from(first);
          at < tables.cased.length && tables.cased[at] <= last;
          at++) {
        for (int other = tables.next[at]; other != at; other = tables.next[other]) {
          int c = tables.cased[other];
          if (c < first || c > last) {
            builder.add(c, c);
          }
        }
      }
    }
    return builder.build();
  }

  private static String canonical(String name) {
    StringBuilder text = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '_' || c == '-' || c == ' ') {
        continue;
      }
      text.append(text.length() == 0 ? Ascii.toUpperCase(c) : Ascii.toLowerCase(c));
    }
    return text.toString();
  }
}
