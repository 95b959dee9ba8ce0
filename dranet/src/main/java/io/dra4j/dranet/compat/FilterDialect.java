package io.dra4j.dranet.compat;

import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The expressions of DraNet's flag {@code --filter}. They have one variable, {@code attributes},
 * whose keys are {@code domain/name} and whose values have one field for each type ({@code
 * attributes["dra.net/type"].StringValue}; DraNet at f258477). Selectors of claims write {@code
 * device.attributes["dra.net"].type} for this example.
 */
public final class FilterDialect {

  private static final String KEY = "([\"'])([A-Za-z0-9.-]+)/([A-Za-z_][A-Za-z0-9_]*)\\1";

  private static final Pattern HAS = Pattern.compile(KEY + "\\s+in\\s+attributes\\b(?!\\s*\\[)");

  private static final Pattern VALUE =
      Pattern.compile(
          "(?<![.\\w])attributes\\s*\\[\\s*"
              + KEY
              + "\\s*\\]\\s*\\.\\s*(StringValue|IntValue|BoolValue|VersionValue)\\b");

  private static final Pattern LEFT = Pattern.compile("(?<![.\\w\"'])attributes\\b");

  private FilterDialect() {}

  /**
   * {@return whether a filter uses {@code attributes}, which only the dialect of DraNet has}
   *
   * @param expression a filter
   */
  public static boolean isUsedIn(String expression) {
    return LEFT.matcher(Objects.requireNonNull(expression, "expression")).find();
  }

  /**
   * {@return a filter of DraNet as a selector; itself if it does not use {@code attributes}}
   *
   * @param expression a filter
   * @throws IllegalArgumentException if it uses {@code attributes} in a way that selectors cannot
   *     express, for example as a whole
   */
  public static String rewrite(String expression) {
    String rewritten = HAS.matcher(expression).replaceAll(FilterDialect::has);
    rewritten = VALUE.matcher(rewritten).replaceAll(FilterDialect::value);
    Matcher left = LEFT.matcher(rewritten);
    if (left.find()) {
      throw new IllegalArgumentException(
          ("character %d of '%s': expected attributes[\"DOMAIN/NAME\"].StringValue"
                      + " (IntValue, BoolValue,")
                  .formatted(left.start() + 1, rewritten)
              + " VersionValue) or \"DOMAIN/NAME\" in attributes; write the filter with"
              + " device.attributes[\"DOMAIN\"].NAME, as in selectors of claims");
    }
    return rewritten;
  }

  private static String has(MatchResult found) {
    return Matcher.quoteReplacement(
        "\"%s\" in device.attributes[\"%s\"]".formatted(found.group(3), found.group(2)));
  }

  private static String value(MatchResult found) {
    return Matcher.quoteReplacement(
        "device.attributes[\"%s\"].%s".formatted(found.group(2), found.group(3)));
  }
}
