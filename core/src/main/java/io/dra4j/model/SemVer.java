package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A semantic version, for example {@code 1.2.3-rc.1+build.5}, after <a
 * href="https://semver.org/spec/v2.0.0.html">semver 2.0.0</a>.
 *
 * <p>Ordered by precedence, which ignores build metadata: {@code 1.0.0+a} equals {@code 1.0.0+b},
 * as in the CEL selectors of Kubernetes. To distinguish them, compare the strings.
 *
 * <p>Numbers go up to 2⁶⁴−1, the limit of the library that Kubernetes uses (blang/semver); they are
 * stored as unsigned longs.
 */
public final class SemVer implements Comparable<SemVer> {

  private static final int SHOWN_LENGTH = 100;
  private static final String MAX_NUMBER = "18446744073709551615";

  private final long major;
  private final long minor;
  private final long patch;
  private final List<String> preRelease;
  private final String text;

  private SemVer(long major, long minor, long patch, List<String> preRelease, String text) {
    this.major = major;
    this.minor = minor;
    this.patch = patch;
    this.preRelease = preRelease;
    this.text = text;
  }

  /**
   * {@return the strictly parsed version: three numbers without leading zeros, pre-release, build}
   *
   * @param text for example {@code 1.2.3}
   * @throws IllegalArgumentException if {@code text} is not a semantic version
   */
  public static SemVer parse(String text) {
    return tryParse(text).orElseThrow(() -> refusal("1.2.3", text));
  }

  /**
   * {@return the version as from {@link #parse}, or empty if {@code text} is not a version}
   *
   * @param text any text
   */
  public static Optional<SemVer> tryParse(String text) {
    return Optional.ofNullable(read(Checks.value("text", text)));
  }

  /**
   * {@return the version of a text that may begin with {@code v}, lack minor or patch, and have
   * leading zeros in its three numbers, like {@code semver(text, true)} of CEL in Kubernetes}
   *
   * @param text for example {@code v1.02}, which is the version {@code 1.2.0}
   * @throws IllegalArgumentException if {@code text} is not such a version; a shortened version can
   *     have neither pre-release nor build
   */
  public static SemVer parseLenient(String text) {
    return tryParseLenient(text).orElseThrow(() -> refusal("1.2.3, v1.2 or 01.2", text));
  }

  /**
   * {@return the version as from {@link #parseLenient}, or empty if {@code text} is not a version}
   *
   * @param text any text
   */
  public static Optional<SemVer> tryParseLenient(String text) {
    Checks.value("text", text);
    String[] parts = (text.startsWith("v") ? text.substring(1) : text).split("\\.", 3);
    StringBuilder normal = new StringBuilder(text.length() + 4);
    for (int i = 0; i < 3; i++) {
      String part = i < parts.length ? parts[i] : "0";
      normal.append(i == 0 ? "" : ".").append(normalize(part));
    }
    return tryParse(normal.toString());
  }

  /** {@return the first number, major, unsigned} */
  public long major() {
    return major;
  }

  /** {@return the second number, minor, unsigned} */
  public long minor() {
    return minor;
  }

  /** {@return the third number, patch, unsigned} */
  public long patch() {
    return patch;
  }

  /** {@return the identifiers of the pre-release, after the hyphen; empty for a release} */
  public List<String> preRelease() {
    return preRelease;
  }

  /** {@return the build metadata, the part after the plus sign, or an empty string} */
  public String build() {
    int plus = text.indexOf('+');
    return plus < 0 ? "" : text.substring(plus + 1);
  }

  /**
   * {@return −1, 0 or 1 by precedence: the three numbers, then the pre-release} A release comes
   * after its pre-releases, numbers come before words, and of two lists with a common prefix the
   * shorter one comes first.
   *
   * @param version the other version
   */
  @Override
  public int compareTo(SemVer version) {
    int order = Long.compareUnsigned(major, version.major);
    if (order == 0) {
      order = Long.compareUnsigned(minor, version.minor);
    }
    if (order == 0) {
      order = Long.compareUnsigned(patch, version.patch);
    }
    return order != 0 ? order : comparePreRelease(preRelease, version.preRelease);
  }

  /**
   * {@return whether the other object is a version of the same precedence, with any build metadata}
   *
   * @param object any object, or null
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof SemVer version && compareTo(version) == 0;
  }

  @Override
  public int hashCode() {
    return Objects.hash(major, minor, patch, preRelease);
  }

  /** Returns the parsed string, or the strict form that {@link #parseLenient} derived from it. */
  @Override
  public String toString() {
    return text;
  }

  private static @Nullable SemVer read(String text) {
    int firstDot = text.indexOf('.');
    int secondDot = text.indexOf('.', firstDot + 1);
    if (firstDot < 0 || secondDot < 0) {
      return null;
    }
    int plus = text.indexOf('+', secondDot);
    int beforeBuild = plus < 0 ? text.length() : plus;
    int hyphen = text.indexOf('-', secondDot);
    boolean released = hyphen < 0 || hyphen > beforeBuild;
    int beforePreRelease = released ? beforeBuild : hyphen;
    if (!isNumber(text, 0, firstDot)
        || !isNumber(text, firstDot + 1, secondDot)
        || !isNumber(text, secondDot + 1, beforePreRelease)) {
      return null;
    }
    List<String> preRelease =
        released ? List.of() : identifiers(text.substring(hyphen + 1, beforeBuild));
    List<String> build = plus < 0 ? List.of() : identifiers(text.substring(plus + 1));
    for (String identifier : preRelease) {
      if (!isPreReleaseIdentifier(identifier)) {
        return null;
      }
    }
    for (String identifier : build) {
      if (!isIdentifier(identifier)) {
        return null;
      }
    }
    return new SemVer(
        Long.parseUnsignedLong(text, 0, firstDot, 10),
        Long.parseUnsignedLong(text, firstDot + 1, secondDot, 10),
        Long.parseUnsignedLong(text, secondDot + 1, beforePreRelease, 10),
        preRelease,
        text);
  }

  /** Drops leading zeros, and puts a zero before a patch that consists only of its pre-release. */
  private static String normalize(String part) {
    if (part.length() < 2) {
      return part;
    }
    int zeros = 0;
    while (zeros < part.length() && part.charAt(zeros) == '0') {
      zeros++;
    }
    boolean number = zeros < part.length() && isDigit(part.charAt(zeros));
    return number ? part.substring(zeros) : "0" + part.substring(zeros);
  }

  private static int comparePreRelease(List<String> a, List<String> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return Boolean.compare(a.isEmpty(), b.isEmpty());
    }
    int common = Math.min(a.size(), b.size());
    for (int i = 0; i < common; i++) {
      int order = compareIdentifiers(a.get(i), b.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  private static int compareIdentifiers(String a, String b) {
    boolean numeric = isDigits(a, 0, a.length());
    int order = Boolean.compare(isDigits(b, 0, b.length()), numeric);
    if (order == 0 && numeric) {
      order = Integer.compare(a.length(), b.length()); // there are no leading zeros
    }
    return order != 0 ? order : Integer.signum(a.compareTo(b));
  }

  private static List<String> identifiers(String text) {
    return List.of(text.split("\\.", -1));
  }

  private static boolean isPreReleaseIdentifier(String text) {
    return isDigits(text, 0, text.length()) ? isNumber(text, 0, text.length()) : isIdentifier(text);
  }

  private static boolean isIdentifier(String text) {
    return !text.isEmpty()
        && text.chars()
            .allMatch(
                c -> isDigit(c) || c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
  }

  /** Whether it is a decimal number without leading zeros, up to 2⁶⁴−1. */
  private static boolean isNumber(String text, int from, int to) {
    int length = to - from;
    return isDigits(text, from, to)
        && (length == 1 || text.charAt(from) != '0')
        && (length < MAX_NUMBER.length()
            || (length == MAX_NUMBER.length()
                && text.substring(from, to).compareTo(MAX_NUMBER) <= 0));
  }

  private static boolean isDigits(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isDigit(text.charAt(i))) {
        return false;
      }
    }
    return from < to;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static IllegalArgumentException refusal(String wanted, String text) {
    String shown = PrintableText.start(text, SHOWN_LENGTH);
    return new IllegalArgumentException(
        "not a semantic version (expected "
            + wanted
            + ", then optionally -pre.release and +build): "
            + shown);
  }
}
