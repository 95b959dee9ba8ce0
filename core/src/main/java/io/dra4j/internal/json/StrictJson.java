package io.dra4j.internal.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.dra4j.common.PrintableText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object of a small JSON document of which every field is known, with its path for errors.
 * Reading ends at the first mistake. Drivers, whose users want all mistakes at once, use {@code
 * JsonTree} of dra4j-spi, which core does not know.
 */
public final class StrictJson {

  /** A document that is not as it should be. */
  public static final class Problem extends Exception {
    private static final long serialVersionUID = 1L;

    /** The JSON pointer of the field; empty for the document. */
    public final String field;

    /** What is wrong with it. */
    public final String problem;

    /**
     * Reports a mistake.
     *
     * @param field the JSON pointer of the field; empty for the document
     * @param problem what is wrong with it
     */
    public Problem(String field, String problem) {
      super((field.isEmpty() ? "" : field + ": ") + problem);
      this.field = field;
      this.problem = problem;
    }
  }

  private static final int MAX_NESTING = 16;
  private static final int MAX_QUOTED = 80;
  private static final StrictParser PARSER = new StrictParser(MAX_NESTING, 1000);

  private final String path;
  private final JsonNode node;

  private StrictJson(String path, JsonNode node) {
    this.path = path;
    this.node = node;
  }

  /**
   * Reads a document.
   *
   * @param text the document
   * @return its object
   * @throws Problem if the text is no JSON object, or beyond the limits
   */
  public static StrictJson parse(String text) throws Problem {
    try {
      return new StrictJson("", PARSER.parse(text)).object();
    } catch (StrictParser.FaultException e) {
      throw new Problem("", "want a JSON object, " + problem(e));
    }
  }

  private static String problem(StrictParser.FaultException e) {
    return switch (e.fault()) {
      case LIMIT ->
          "no deeper than %d levels, and no numbers of 1,000 digits".formatted(MAX_NESTING);
      case TWICE -> "got the field \"%s\" twice at %s".formatted(safe(e.problem()), e.place());
      case SYNTAX, REST -> "got what is no JSON at " + e.place();
    };
  }

  /**
   * Text for a message: short, and without what could move the cursor.
   *
   * @param text any text
   * @return the text, at most 80 characters and a mark of what is left out
   */
  public static String safe(String text) {
    return PrintableText.of(PrintableText.start(text, MAX_QUOTED));
  }

  /**
   * Makes a value of a document.
   *
   * @param <T> the value
   */
  public interface Reading<T> {
    /**
     * Reads the document.
     *
     * @param json its object
     * @return the value
     * @throws Problem if the document has a mistake
     */
    T read(StrictJson json) throws Problem;
  }

  /**
   * Reads a document that is part of the library itself.
   *
   * @param owner the class whose package has the resource
   * @param name the name of the resource in that package
   * @param reading makes the value of it
   * @param <T> the value
   * @return the value
   */
  public static <T> T ofResource(Class<?> owner, String name, Reading<T> reading) {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + name + " is missing from dra4j-core");
      }
      return reading.read(parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException | Problem e) {
      throw new IllegalStateException("the resource " + name + " of dra4j-core", e);
    }
  }

  private StrictJson object() throws Problem {
    if (!node.isObject()) {
      throw new Problem(path, "want an object, got " + shown(node));
    }
    return this;
  }

  /**
   * Refuses all other fields.
   *
   * @param names the names of all known fields
   * @return this object
   * @throws Problem if there is another field
   */
  public StrictJson only(String... names) throws Problem {
    List<String> known = List.of(names);
    for (Iterator<String> it = node.fieldNames(); it.hasNext(); ) {
      String name = it.next();
      if (!known.contains(name)) {
        throw new Problem(at(name), "unknown field; known are " + String.join(", ", known));
      }
    }
    return this;
  }

  /**
   * The names of the fields, in the order of the document.
   *
   * @return the names
   */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /**
   * The path of a field, as a JSON pointer.
   *
   * @param name the name of the field
   * @return the path, fit for a message
   */
  public String at(String name) {
    return path + "/" + safe(StrictParser.step(name));
  }

  /**
   * Whether the field is there.
   *
   * @param name the name of the field
   * @return true if it is, null included
   */
  public boolean has(String name) {
    return node.has(name);
  }

  /**
   * An object.
   *
   * @param name the name of the field
   * @return the object; empty if the field is not there
   * @throws Problem if the field is no object
   */
  public StrictJson object(String name) throws Problem {
    JsonNode value = node.get(name);
    return value == null
        ? new StrictJson(at(name), JsonNodeFactory.instance.objectNode())
        : new StrictJson(at(name), value).object();
  }

  /**
   * The objects of a list.
   *
   * @param name the name of the field
   * @return the objects; none if the field is not there
   * @throws Problem if the field is no list of objects
   */
  public List<StrictJson> objects(String name) throws Problem {
    List<StrictJson> all = new ArrayList<>();
    for (JsonNode value : list(name)) {
      all.add(new StrictJson(at(name) + "/" + all.size(), value).object());
    }
    return all;
  }

  /**
   * The texts of a list.
   *
   * @param name the name of the field
   * @return the texts; none if the field is not there
   * @throws Problem if the field is no list of texts
   */
  public List<String> texts(String name) throws Problem {
    List<String> all = new ArrayList<>();
    for (JsonNode value : list(name)) {
      if (!value.isTextual()) {
        throw new Problem(at(name) + "/" + all.size(), "want a text, got " + shown(value));
      }
      all.add(value.textValue());
    }
    return all;
  }

  private JsonNode list(String name) throws Problem {
    JsonNode value = node.get(name);
    if (value == null) {
      return JsonNodeFactory.instance.arrayNode();
    }
    if (!value.isArray()) {
      throw new Problem(at(name), "want a list, got " + shown(value));
    }
    return value;
  }

  /**
   * A text.
   *
   * @param name the name of the field
   * @return the text; null if the field is not there
   * @throws Problem if the field is no text
   */
  @Nullable
  public String text(String name) throws Problem {
    JsonNode value = node.get(name);
    if (value != null && !value.isTextual()) {
      throw new Problem(at(name), "want a text, got " + shown(value));
    }
    return value == null ? null : value.textValue();
  }

  /**
   * A text that must be there.
   *
   * @param name the name of the field
   * @return the text
   * @throws Problem if the field is not there, or no text
   */
  public String required(String name) throws Problem {
    String text = text(name);
    if (text == null) {
      throw new Problem(at(name), "is missing");
    }
    return text;
  }

  /**
   * A finite number.
   *
   * @param name the name of the field
   * @param otherwise the number if the field is not there
   * @return the number
   * @throws Problem if the field is no finite number
   */
  public double number(String name, double otherwise) throws Problem {
    JsonNode value = node.get(name);
    if (value == null) {
      return otherwise;
    }
    if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
      throw new Problem(at(name), "want a finite number, got " + shown(value));
    }
    return value.doubleValue();
  }

  /**
   * A whole number.
   *
   * @param name the name of the field
   * @param otherwise the number if the field is not there
   * @return the number
   * @throws Problem if the field is no whole number from 0 to 2,147,483,647
   */
  public int whole(String name, int otherwise) throws Problem {
    JsonNode value = node.get(name);
    if (value == null) {
      return otherwise;
    }
    if (!isWhole(value)) {
      throw new Problem(at(name), "want a whole number from 0, got " + shown(value));
    }
    return value.intValue();
  }

  /**
   * The whole numbers of a list.
   *
   * @param name the name of the field
   * @return the numbers; none if the field is not there
   * @throws Problem if the field is no list of whole numbers from 0 to 2,147,483,647
   */
  public List<Integer> wholes(String name) throws Problem {
    List<Integer> all = new ArrayList<>();
    for (JsonNode value : list(name)) {
      if (!isWhole(value)) {
        throw new Problem(
            at(name) + "/" + all.size(), "want a whole number from 0, got " + shown(value));
      }
      all.add(value.intValue());
    }
    return all;
  }

  private static boolean isWhole(JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToInt() && value.intValue() >= 0;
  }

  /**
   * A truth value.
   *
   * @param name the name of the field
   * @return the value; false if the field is not there
   * @throws Problem if the field is no truth value
   */
  public boolean flag(String name) throws Problem {
    JsonNode value = node.get(name);
    if (value != null && !value.isBoolean()) {
      throw new Problem(at(name), "want true or false, got " + shown(value));
    }
    return value != null && value.booleanValue();
  }

  /** The object as JSON. */
  @Override
  public String toString() {
    return node.toString();
  }

  private static String shown(JsonNode value) {
    return value.isMissingNode() ? "nothing" : safe(value.toString());
  }
}
