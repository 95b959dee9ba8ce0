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
 * An object of a small JSON document whose fields are all known, with its path for errors. Reading
 * ends at the first mistake. Drivers, whose users want all mistakes at once, use {@code JsonTree}
 * of dra4j-spi.
 */
public final class StrictJson {

  /** A mistake in a document. */
  public static final class Problem extends Exception {
    private static final long serialVersionUID = 1L;

    /** The JSON pointer of the field; empty for the document. */
    public final String field;

    /** The mistake. */
    public final String problem;

    /**
     * Creates the exception.
     *
     * @param field the JSON pointer of the field; empty for the document
     * @param problem the mistake
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
   * {@return the object that a document contains}
   *
   * @param text the document
   * @throws Problem if the text is not a JSON object, or exceeds the limits
   */
  public static StrictJson parse(String text) throws Problem {
    try {
      return new StrictJson("", PARSER.parse(text)).object();
    } catch (StrictParser.FaultException e) {
      throw new Problem("", problem(e));
    }
  }

  private static String problem(StrictParser.FaultException e) {
    return switch (e.fault()) {
      case LIMIT ->
          "expected a JSON object of at most %d levels, with numbers of less than 1,000 digits"
              .formatted(MAX_NESTING);
      case TWICE -> "field \"%s\" occurs twice, at %s".formatted(safe(e.problem()), e.place());
      case SYNTAX, REST -> "invalid JSON at " + e.place();
    };
  }

  /**
   * {@return a text for a message: cut after 80 characters, without any that could move the cursor}
   *
   * @param text any text
   */
  public static String safe(String text) {
    return PrintableText.of(PrintableText.start(text, MAX_QUOTED));
  }

  /**
   * Reads a value from a document.
   *
   * @param <T> the value
   */
  public interface Reading<T> {
    /**
     * {@return the value that the document contains}
     *
     * @param json its object
     * @throws Problem if the document has a mistake
     */
    T read(StrictJson json) throws Problem;
  }

  /**
   * {@return the value of a document that is part of the library itself}
   *
   * @param owner the class whose package has the resource
   * @param name the name of the resource in that package
   * @param reading reads the value
   * @param <T> the value
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
      throw new Problem(path, "expected an object, found " + shown(node));
    }
    return this;
  }

  /**
   * Rejects all other fields.
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

  /** {@return the names of the fields, in the order of the document} */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /**
   * {@return the path of a field, as a JSON pointer that is safe for a message}
   *
   * @param name the name of the field
   */
  public String at(String name) {
    return path + "/" + safe(StrictParser.step(name));
  }

  /**
   * {@return whether the field is present, even with the value null}
   *
   * @param name the name of the field
   */
  public boolean has(String name) {
    return node.has(name);
  }

  /**
   * {@return the object of a field; empty if the field is absent}
   *
   * @param name the name of the field
   * @throws Problem if the field is not an object
   */
  public StrictJson object(String name) throws Problem {
    JsonNode value = node.get(name);
    return value == null
        ? new StrictJson(at(name), JsonNodeFactory.instance.objectNode())
        : new StrictJson(at(name), value).object();
  }

  /**
   * {@return the list of objects in a field; empty if the field is absent}
   *
   * @param name the name of the field
   * @throws Problem if the field is not a list of objects
   */
  public List<StrictJson> objects(String name) throws Problem {
    List<StrictJson> all = new ArrayList<>();
    for (JsonNode value : list(name)) {
      all.add(new StrictJson(at(name) + "/" + all.size(), value).object());
    }
    return all;
  }

  /**
   * {@return the list of strings in a field; empty if the field is absent}
   *
   * @param name the name of the field
   * @throws Problem if the field is not a list of strings
   */
  public List<String> texts(String name) throws Problem {
    List<String> all = new ArrayList<>();
    for (JsonNode value : list(name)) {
      if (!value.isTextual()) {
        throw new Problem(at(name) + "/" + all.size(), "expected a string, found " + shown(value));
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
      throw new Problem(at(name), "expected a list, found " + shown(value));
    }
    return value;
  }

  /**
   * {@return the string in a field; null if the field is absent}
   *
   * @param name the name of the field
   * @throws Problem if the field is not a string
   */
  @Nullable
  public String text(String name) throws Problem {
    JsonNode value = node.get(name);
    if (value != null && !value.isTextual()) {
      throw new Problem(at(name), "expected a string, found " + shown(value));
    }
    return value == null ? null : value.textValue();
  }

  /**
   * {@return the string in a field that must be present}
   *
   * @param name the name of the field
   * @throws Problem if the field is absent, or not a string
   */
  public String required(String name) throws Problem {
    String text = text(name);
    if (text == null) {
      throw new Problem(at(name), "is missing");
    }
    return text;
  }

  /**
   * {@return the finite number in a field}
   *
   * @param name the name of the field
   * @param otherwise the number if the field is absent
   * @throws Problem if the field is not a finite number
   */
  public double number(String name, double otherwise) throws Problem {
    JsonNode value = node.get(name);
    if (value == null) {
      return otherwise;
    }
    if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
      throw new Problem(at(name), "expected a finite number, found " + shown(value));
    }
    return value.doubleValue();
  }

  /**
   * {@return the whole number in a field}
   *
   * @param name the name of the field
   * @param otherwise the number if the field is absent
   * @throws Problem if the field is not a whole number from 0 to 2,147,483,647
   */
  public int whole(String name, int otherwise) throws Problem {
    JsonNode value = node.get(name);
    if (value == null) {
      return otherwise;
    }
    if (!isWhole(value)) {
      throw new Problem(at(name), "expected a whole number from 0, found " + shown(value));
    }
    return value.intValue();
  }

  /**
   * {@return the list of whole numbers in a field; empty if the field is absent}
   *
   * @param name the name of the field
   * @throws Problem if the field is not a list of whole numbers from 0 to 2,147,483,647
   */
  public List<Integer> wholes(String name) throws Problem {
    List<Integer> all = new ArrayList<>();
    for (JsonNode value : list(name)) {
      if (!isWhole(value)) {
        throw new Problem(
            at(name) + "/" + all.size(), "expected a whole number from 0, found " + shown(value));
      }
      all.add(value.intValue());
    }
    return all;
  }

  private static boolean isWhole(JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToInt() && value.intValue() >= 0;
  }

  /**
   * {@return the Boolean in a field; false if the field is absent}
   *
   * @param name the name of the field
   * @throws Problem if the field is not a Boolean
   */
  public boolean flag(String name) throws Problem {
    JsonNode value = node.get(name);
    if (value != null && !value.isBoolean()) {
      throw new Problem(at(name), "expected true or false, found " + shown(value));
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
