package io.dra4j.cel.internal.text;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The errors of the Go packages with which Kubernetes parses versions and quantities, for invalid
 * texts: {@code github.com/blang/semver/v4} and {@code k8s.io/apimachinery/pkg/api/resource}.
 */
public final class GoVersions {

  private static final Splitter DOTS = Splitter.on('.');
  private static final CharMatcher DIGITS = CharMatcher.inRange('0', '9');
  private static final CharMatcher ALPHANUMERIC =
      DIGITS
          .or(CharMatcher.inRange('a', 'z'))
          .or(CharMatcher.inRange('A', 'Z'))
          .or(CharMatcher.is('-'));
  private static final String GREATEST = Long.toUnsignedString(-1);

  private GoVersions() {}

  /**
   * {@return the message of {@code semver.Parse} for a text that is not a semantic version}
   *
   * @param text an invalid text
   */
  public static String semanticProblem(String text) {
    List<String> parts = DOTS.limit(3).splitToList(text);
    if (text.isEmpty()) {
      return "Version string empty";
    } else if (parts.size() < 3) {
      return "No Major.Minor.Patch elements found";
    }
    String patch = parts.get(2);
    int plus = patch.indexOf('+');
    List<String> build = plus < 0 ? List.of() : DOTS.splitToList(patch.substring(plus + 1));
    patch = plus < 0 ? patch : patch.substring(0, plus);
    int minus = patch.indexOf('-');
    List<String> release = minus < 0 ? List.of() : DOTS.splitToList(patch.substring(minus + 1));
    patch = minus < 0 ? patch : patch.substring(0, minus);
    Stream<String> numbers =
        Stream.of(
            numberProblem("Major", parts.get(0)),
            numberProblem("Minor", parts.get(1)),
            numberProblem("Patch", patch));
    Stream<String> identifiers =
        Stream.concat(
            release.stream().map(GoVersions::releaseProblem),
            build.stream().map(GoVersions::buildProblem));
    return Stream.concat(numbers, identifiers)
        .filter(problem -> !problem.isEmpty())
        .findFirst()
        .orElseThrow();
  }

  /**
   * {@return the message of {@code semver(text, true)}, which allows short texts and leading zeros}
   *
   * @param text an invalid text
   */
  public static String lenientProblem(String text) {
    List<String> parts = new ArrayList<>();
    for (String part : DOTS.limit(3).split(text.startsWith("v") ? text.substring(1) : text)) {
      parts.add(withoutZeros(part));
    }
    if (parts.size() < 3 && CharMatcher.anyOf("+-").matchesAnyOf(parts.get(parts.size() - 1))) {
      return "short version cannot contain PreRelease/Build meta data";
    }
    while (parts.size() < 3) {
      parts.add("0");
    }
    return semanticProblem(String.join(".", parts));
  }

  private static String withoutZeros(String part) {
    if (part.isEmpty() || (part.length() == 1 && part.charAt(0) < 0x80)) {
      return part; // of at most one byte
    }
    String rest = CharMatcher.is('0').trimLeadingFrom(part);
    return rest.isEmpty() || !DIGITS.matches(rest.charAt(0)) ? "0" + rest : rest;
  }

  private static String numberProblem(String which, String number) {
    if (!DIGITS.matchesAllOf(number)) {
      return "Invalid character(s) found in %s number %s"
          .formatted(Ascii.toLowerCase(which), GoText.quote(number));
    } else if (number.length() > 1 && number.charAt(0) == '0') {
      return which + " number must not contain leading zeroes " + GoText.quote(number);
    }
    return unsignedProblem(number);
  }

  private static String unsignedProblem(String digits) {
    if (digits.isEmpty()) {
      return "strconv.ParseUint: parsing \"\": invalid syntax";
    }
    boolean large =
        digits.length() > GREATEST.length()
            || (digits.length() == GREATEST.length() && digits.compareTo(GREATEST) > 0);
    return large ? "strconv.ParseUint: parsing \"" + digits + "\": value out of range" : "";
  }

  private static String releaseProblem(String identifier) {
    if (identifier.isEmpty()) {
      return "Prerelease is empty";
    } else if (!DIGITS.matchesAllOf(identifier)) {
      return ALPHANUMERIC.matchesAllOf(identifier)
          ? ""
          : "Invalid character(s) found in prerelease " + GoText.quote(identifier);
    } else if (identifier.length() > 1 && identifier.charAt(0) == '0') {
      return "Numeric PreRelease version must not contain leading zeroes "
          + GoText.quote(identifier);
    }
    return unsignedProblem(identifier);
  }

  private static String buildProblem(String identifier) {
    if (identifier.isEmpty()) {
      return "Build meta data is empty";
    }
    return ALPHANUMERIC.matchesAllOf(identifier)
        ? ""
        : "Invalid character(s) found in build meta data " + GoText.quote(identifier);
  }

  /**
   * {@return the message of {@code resource.ParseQuantity} for a text that is not a quantity}
   *
   * @param text an invalid text
   */
  public static String quantityProblem(String text) {
    CharMatcher letters = CharMatcher.anyOf("eEinumkKMGTP");
    int position = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    position = skip(text, position, DIGITS);
    if (position < text.length() && text.charAt(position) == '.') {
      position = skip(text, position + 1, DIGITS);
    }
    int suffix = position;
    position = skip(text, position, letters);
    if (position < text.length() && "+-".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    position = skip(text, position, DIGITS);
    if (text.isEmpty() || position < text.length()) {
      return "quantities must match the regular expression"
          + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    }
    return isSuffix(text.substring(suffix))
        ? "unable to parse numeric part of quantity"
        : "unable to parse quantity's suffix";
  }

  private static int skip(String text, int from, CharMatcher what) {
    int position = from;
    while (position < text.length() && what.matches(text.charAt(position))) {
      position++;
    }
    return position;
  }

  private static boolean isSuffix(String suffix) {
    return suffix.matches("|[numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,18}");
  }
}
