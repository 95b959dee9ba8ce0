package io.dra4j.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses small JSON documents into trees. Depth and digits are bounded, nothing may follow the
 * value, and no field may occur twice. {@link StrictJson} reads such a tree up to the first
 * mistake; dra4j-spi has readers that report all mistakes. The caller must bound the bytes.
 * Immutable and thread-safe.
 */
public final class StrictParser {

  /** The kinds of faults. */
  public enum Fault {
    /** The text is not valid JSON. */
    SYNTAX,
    /** The nesting is deeper, or a number is longer, than the limits of the parser. */
    LIMIT,
    /** A field occurs twice in its object. */
    TWICE,
    /** More text follows the value. */
    REST
  }

  /** A fault of a text. */
  public static final class FaultException extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    /** The kind of the fault. */
    private final Fault fault;

    /** The fault in the words of the parser. */
    private final String problem;

    /** The place of the fault. */
    private final String place;

    private FaultException(Fault fault, String problem, @Nullable JsonLocation at) {
      super(problem);
      this.fault = fault;
      this.problem = problem;
      this.place =
          "line %d, column %d"
              .formatted(at == null ? 1 : at.getLineNr(), at == null ? 1 : at.getColumnNr());
    }

    /** {@return the kind of the fault} */
    public Fault fault() {
      return fault;
    }

    /** {@return the fault in the parser's words; for {@link Fault#TWICE} the name of the field} */
    public String problem() {
      return problem;
    }

    /** {@return the place in the text, for example {@code line 1, column 10}} */
    public String place() {
      return place;
    }
  }

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final Pattern DUPLICATE =
      Pattern.compile("Duplicate field '(.*)'", Pattern.DOTALL);

  private final JsonFactory factory;

  /**
   * Creates a parser with limits.
   *
   * @param maxDepth the maximum number of levels of objects and lists
   * @param maxDigits the maximum number of characters of a number
   */
  public StrictParser(int maxDepth, int maxDigits) {
    this.factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(maxDepth)
                    .maxNumberLength(maxDigits)
                    .build())
            .build();
  }

  /**
   * {@return the value of a text, with whole numbers as {@link java.math.BigInteger} and others as
   * doubles; a missing node for an empty text}
   *
   * @param text the text
   * @throws FaultException if the text is not one JSON value within the limits, or a field occurs
   *     twice in its object
   */
  public JsonNode parse(String text) throws FaultException {
    return read(text, null);
  }

  /**
   * {@return the value of a text in which fields may occur twice; whole numbers are {@link
   * java.math.BigInteger}, others {@link java.math.BigDecimal}; a missing node for an empty text}
   *
   * @param text the text
   * @param twice receives the JSON pointers of the fields that occur twice; their last values count
   * @throws FaultException if the text is not one JSON value within the limits
   */
  public JsonNode parse(String text, Consumer<String> twice) throws FaultException {
    return read(text, twice);
  }

  private JsonNode read(String text, @Nullable Consumer<String> twice) throws FaultException {
    try (JsonParser parser = factory.createParser(text)) {
      parser.configure(JsonParser.Feature.STRICT_DUPLICATE_DETECTION, twice == null);
      if (parser.nextToken() == null) {
        return NODES.missingNode();
      }
      JsonNode tree = value(parser, "", twice);
      if (parser.nextToken() != null) {
        throw new FaultException(Fault.REST, "more follows", parser.currentTokenLocation());
      }
      return tree;
    } catch (JsonProcessingException e) {
      throw fault(e);
    } catch (IOException e) { // reading a string cannot fail otherwise
      throw new UncheckedIOException(e);
    }
  }

  private static FaultException fault(JsonProcessingException e) {
    String message = String.valueOf(e.getOriginalMessage());
    if (e instanceof StreamConstraintsException) {
      return new FaultException(Fault.LIMIT, message, e.getLocation());
    }
    Matcher duplicate = DUPLICATE.matcher(message);
    return duplicate.find()
        ? new FaultException(Fault.TWICE, duplicate.group(1), e.getLocation())
        : new FaultException(Fault.SYNTAX, message, e.getLocation());
  }

  private static JsonNode value(JsonParser parser, String pointer, @Nullable Consumer<String> twice)
      throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, pointer, twice);
      case START_ARRAY -> array(parser, pointer, twice);
      case VALUE_STRING -> NODES.textNode(parser.getText());
      case VALUE_NUMBER_INT -> NODES.numberNode(parser.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT ->
          twice == null ? NODES.numberNode(parser.getDoubleValue()) : decimal(parser);
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      default -> NODES.nullNode();
    };
  }

  private static JsonNode decimal(JsonParser parser) throws IOException {
    try {
      return NODES.numberNode(parser.getDecimalValue());
    } catch (NumberFormatException e) { // an exponent of more than 32 bits
      throw new JsonParseException(
          parser, "the exponent of a number is out of range", parser.currentTokenLocation(), e);
    }
  }

  private static ObjectNode object(
      JsonParser parser, String pointer, @Nullable Consumer<String> twice) throws IOException {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      String at = pointer + "/" + step(name);
      boolean known = object.has(name);
      JsonNode value = value(parser, at, twice);
      if (known && twice != null) {
        twice.accept(at);
      }
      object.set(name, value);
    }
    return object;
  }

  private static ArrayNode array(
      JsonParser parser, String pointer, @Nullable Consumer<String> twice) throws IOException {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser, pointer + "/" + array.size(), twice));
    }
    return array;
  }

  /**
   * {@return a name as a step of a JSON pointer (RFC 6901, section 3): tildes and slashes escaped}
   *
   * @param name the name
   */
  public static String step(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
