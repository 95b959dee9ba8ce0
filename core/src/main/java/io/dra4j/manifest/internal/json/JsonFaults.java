package io.dra4j.manifest.internal.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.dra4j.common.PrintableText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Describes faults of a JSON text without the terms of its parser. */
public final class JsonFaults {

  /** The message about a comment. */
  public static final String COMMENT =
      "a comment, which JSON does not have: remove it, or write YAML";

  private static final int BYTE_ORDER_MARK = 0xFEFF;

  private static final String WHOLE = "write both halves or the character";

  private static final Pattern CHARACTER =
      Pattern.compile("(?s)(?:Unexpected|Illegal) character \\((.*)\\(?code (\\d+).*");

  private static final Pattern WORD =
      Pattern.compile("(?s)(?:Unrecognized token|Non-standard token) '(.*?)'.*");

  private JsonFaults() {}

  /** {@return the fault of an unpaired surrogate in a string, or {@code null} if there is none} */
  public static @Nullable String halfCharacter(String text) {
    int at = 0;
    while (at < text.length()) {
      int character = text.codePointAt(at);
      if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
        return "the escape \\u%04x is half of a character: %s".formatted(character, WHOLE);
      }
      at += Character.charCount(character);
    }
    return null;
  }

  /** Returns the fault with its place. */
  public static DocumentException fault(JsonProcessingException e) {
    JsonLocation place = e.getLocation();
    return place == null
        ? new DocumentException(sentence(e))
        : new DocumentException(place.getLineNr(), place.getColumnNr(), sentence(e));
  }

  /** Returns the fault in one sentence. */
  public static String sentence(JsonProcessingException e) {
    String message = String.valueOf(e.getOriginalMessage());
    int source = message.indexOf("[Source: "); // the place at which the value began
    String sentence =
        source < 0 ? message : message.substring(0, message.lastIndexOf(" (", source));
    if (sentence.contains("ALLOW_COMMENTS") || sentence.contains("ALLOW_YAML_COMMENTS")) {
      return COMMENT;
    }
    if (sentence.contains("surrogate")) {
      return "an escape is half of a character: " + WHOLE;
    }
    if (sentence.contains("(code " + BYTE_ORDER_MARK + " ")) {
      return "a byte order mark after the beginning, which JSON does not have: remove it";
    }
    Matcher word = WORD.matcher(sentence);
    if (word.matches()) {
      return "'%s' is not a JSON value: expected a string in double quotes, a number, an object, a list, true, false or null"
          .formatted(PrintableText.abbreviate(word.group(1)));
    }
    Matcher character = CHARACTER.matcher(sentence);
    if (sentence.startsWith("Illegal character") && character.matches()) {
      return "character U+%04X is not allowed in JSON"
          .formatted(Integer.parseInt(character.group(2)));
    }
    return sentence.replaceAll(", from `[^`]*`", "").replaceAll(" \\(code \\d+\\)", "");
  }
}
