package io.dra4j.manifest.internal.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says what is wrong with a JSON text without the terms of its parser. */
public final class JsonFaults {

  /** What is said of a comment. */
  public static final String COMMENT =
      "a comment, which JSON does not have: remove it, or write YAML";

  private static final Pattern CHARACTER =
      Pattern.compile("(?s)(?:Unexpected|Illegal) character \\((.*)\\(?code (\\d+).*");

  private static final Pattern WORD =
      Pattern.compile("(?s)(?:Unrecognized token|Non-standard token) '(.*?)'.*");

  private JsonFaults() {}

  /** Returns one sentence on what the parser met. */
  public static String sentence(JsonProcessingException e) {
    String message = String.valueOf(e.getOriginalMessage());
    int source = message.indexOf("[Source: "); // where the value began
    String sentence =
        source < 0 ? message : message.substring(0, message.lastIndexOf(" (", source));
    if (sentence.contains("ALLOW_COMMENTS") || sentence.contains("ALLOW_YAML_COMMENTS")) {
      return COMMENT;
    }
    Matcher word = WORD.matcher(sentence);
    if (word.matches()) {
      return "'%s' is no value of JSON: expected a text in double quotes, a number, an object, a list, true, false or null"
          .formatted(Printable.abbreviate(word.group(1)));
    }
    Matcher character = CHARACTER.matcher(sentence);
    if (sentence.startsWith("Illegal character") && character.matches()) {
      return "character U+%04X is not allowed in JSON"
          .formatted(Integer.parseInt(character.group(2)));
    }
    return sentence.replaceAll(", from `[^`]*`", "").replaceAll(" \\(code \\d+\\)", "");
  }
}
