package io.dra4j.cli.cel;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.SimilarNames;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestFile;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line of input of {@code dra4j cel}.
 *
 * @param expression the selector
 * @param driver the driver of the device
 * @param device the device
 * @param unknownFields the unknown fields of the line or of the device
 */
record CelQuestion(String expression, String driver, Device device, List<Fault> unknownFields) {

  private static final List<String> FIELDS = List.of("expression", "driver", "device");
  private static final Pattern NO_VALUE =
      Pattern.compile("(?s)(?:Unrecognized token|Non-standard token) '(.*?)'.*");
  private static final JsonFactory JSON = new JsonFactory();

  /** The length of an escape of four hexadecimal digits. */
  private static final int ESCAPE = 6;

  /** The text before the device, which is read as the only device of a slice. */
  private static final String BEFORE_DEVICE =
      "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"metadata\":{\"name\":\"s\"},"
          + "\"spec\":{\"driver\":\"d\",\"pool\":{\"name\":\"p\",\"generation\":1,"
          + "\"resourceSliceCount\":1},\"devices\":[";

  private static final String AFTER_DEVICE = "]}}";
  private static final String PATH_OF_DEVICE = "spec.devices[0]";

  /**
   * A problem of a line.
   *
   * @param column the column, in characters from 1
   * @param message the field, what was expected and what was found
   */
  record Fault(int column, String message) {}

  /** Signals a bad line, with all problems that were found. */
  static final class BadLineException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Fault> faults;

    BadLineException(List<Fault> faults) {
      super(faults.toString());
      this.faults = List.copyOf(faults);
    }

    private BadLineException(int column, String message) {
      this(List.of(new Fault(column, message)));
    }

    List<Fault> faults() {
      return faults;
    }
  }

  /**
   * Reads a line, with default values for a missing or null driver or device. Throws an exception
   * if it is not valid JSON, has no expression, or a field has a wrong type.
   */
  static CelQuestion read(String text) throws BadLineException {
    String line = withoutHalves(text);
    try (JsonParser parser = JSON.createParser(line)) {
      return new Reader(line, parser).read();
    } catch (JsonProcessingException e) {
      int column = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getColumnNr());
      throw new BadLineException(column, reason(e));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the line is the only input
    }
  }

  /**
   * Replaces each escape of an unpaired surrogate (U+D800 to U+DFFF) by the escape of U+FFFD, as Go
   * reads it. All columns stay the same.
   */
  private static String withoutHalves(String line) {
    int escape = line.indexOf('\\');
    if (escape < 0) {
      return line;
    }
    StringBuilder whole = new StringBuilder(line);
    while (escape >= 0) {
      int end = escape + 2;
      int first = escaped(line, escape);
      if (first >= 0) {
        end = escape + ESCAPE;
        boolean pair =
            Character.isHighSurrogate((char) first)
                && Character.isLowSurrogate((char) Math.max(0, escaped(line, end)));
        if (pair) {
          end += ESCAPE;
        } else if (Character.isSurrogate((char) first)) {
          whole.replace(escape, end, "\\ufffd");
        }
      }
      escape = line.indexOf('\\', end);
    }
    return whole.toString();
  }

  /** Returns the UTF-16 unit of the escape at a position, or −1 if there is none. */
  private static int escaped(String line, int at) {
    if (!line.startsWith("\\u", at) || at + ESCAPE > line.length()) {
      return -1;
    }
    int unit = 0;
    for (int i = at + 2; i < at + ESCAPE; i++) {
      int digit = line.charAt(i) < 0x80 ? Character.digit(line.charAt(i), 16) : -1;
      if (digit < 0) {
        return -1;
      }
      unit = unit * 16 + digit;
    }
    return unit;
  }

  /** Returns the syntax error in one sentence, without the terms of the parser. */
  private static String reason(JsonProcessingException e) {
    String message = String.valueOf(e.getOriginalMessage());
    int source = message.indexOf("[Source: "); // the start of the value
    String sentence =
        source < 0 ? message : message.substring(0, message.lastIndexOf(" (", source));
    if (sentence.contains("COMMENTS")) {
      return "JSON does not allow comments: remove the comment";
    }
    Matcher word = NO_VALUE.matcher(sentence);
    return word.matches()
        ? ("'%s' is not a JSON value: expected a string in double quotes, a number, an"
                + " object, a list, true, false or null")
            .formatted(Terminal.safe(word.group(1)))
        : sentence.replaceAll(", from `[^`]*`", "").replaceAll(" \\(code \\d+\\)", "");
  }

  /** Reads one line. */
  private static final class Reader {

    private final String line;
    private final JsonParser parser;
    private final List<Fault> unknown = new ArrayList<>();
    private @Nullable String expression;
    private String driver = "";
    private String device = "{}";
    private int deviceColumn = 1;

    Reader(String line, JsonParser parser) {
      this.line = line;
      this.parser = parser;
    }

    CelQuestion read() throws IOException, BadLineException {
      expect(parser.nextToken(), JsonToken.START_OBJECT, "the line");
      Set<String> names = new HashSet<>();
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        if (!names.add(name)) {
          throw new BadLineException(column(), name + ": duplicate field");
        }
        field(name);
      }
      if (parser.nextToken() != null) {
        throw new BadLineException(column(), "expected the end of the line after the object");
      }
      if (expression == null) {
        List<Fault> faults = new ArrayList<>(unknown);
        faults.add(new Fault(1, "expression: required"));
        throw new BadLineException(faults);
      }
      return new CelQuestion(expression, driver, device(), unknown);
    }

    private void field(String name) throws IOException, BadLineException {
      int column = column();
      JsonToken value = parser.nextToken();
      if (!FIELDS.contains(name)) {
        List<String> near = SimilarNames.of(name, FIELDS);
        unknown.add(
            new Fault(
                column,
                name
                    + ": unknown field; "
                    + (near.isEmpty()
                        ? "known fields: " + String.join(", ", FIELDS)
                        : "did you mean " + String.join(" or ", near))));
      } else if (value != JsonToken.VALUE_NULL) {
        known(name, value);
      }
      parser.skipChildren();
    }

    private void known(String name, JsonToken value) throws IOException, BadLineException {
      boolean isDevice = name.equals("device");
      expect(value, isDevice ? JsonToken.START_OBJECT : JsonToken.VALUE_STRING, name);
      if (isDevice) {
        deviceColumn = column();
        parser.skipChildren();
        device = line.substring(deviceColumn - 1, (int) parser.currentLocation().getCharOffset());
      } else if (name.equals("driver")) {
        driver = parser.getText();
      } else {
        expression = parser.getText();
      }
    }

    private int column() {
      return (int) parser.currentTokenLocation().getCharOffset() + 1;
    }

    private void expect(@Nullable JsonToken found, JsonToken wanted, String what)
        throws BadLineException {
      if (found != wanted) {
        throw new BadLineException(
            column(), "%s: expected %s, found %s".formatted(what, kind(wanted), kind(found)));
      }
    }

    private static String kind(@Nullable JsonToken token) {
      return token == null
          ? "nothing"
          : switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            case VALUE_TRUE, VALUE_FALSE -> "true or false";
            default -> "null";
          };
    }

    /** Reads the device with the reader for manifests. */
    private Device device() throws BadLineException {
      byte[] text = (BEFORE_DEVICE + device + AFTER_DEVICE).getBytes(StandardCharsets.UTF_8);
      try {
        ManifestFile read =
            ManifestReader.builder()
                .withoutSources()
                .build()
                .readFile("device", new ByteArrayInputStream(text));
        read.unknownFields().forEach(problem -> unknown.add(fault(problem, text)));
        return ((ResourceSlice) read.manifests().get(0).object()).devices().get(0);
      } catch (ManifestException e) {
        throw new BadLineException(
            e.problems().stream().map(problem -> fault(problem, text)).toList());
      }
    }

    private Fault fault(Problem problem, byte[] text) {
      int column = deviceColumn;
      if (problem.place().isKnown()) { // in bytes
        int before = Math.min(problem.place().column() - 1, text.length);
        int characters = new String(text, 0, before, StandardCharsets.UTF_8).length();
        column += Math.max(0, characters - BEFORE_DEVICE.length());
      }
      String path = problem.path();
      String field =
          path.startsWith(PATH_OF_DEVICE)
              ? "device" + path.substring(PATH_OF_DEVICE.length())
              : "device";
      return new Fault(column, field + ": " + problem.message());
    }
  }
}
