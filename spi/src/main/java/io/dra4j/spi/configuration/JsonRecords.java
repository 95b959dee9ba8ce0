package io.dra4j.spi.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads JSON as records, strictly: every field must belong to the record, occur only once, and have
 * the type of its component. Values are not converted. All problems are reported, each with a JSON
 * pointer.
 *
 * <pre>{@code
 * record Interface(@JsonField(required = true) String name, @Nullable Integer mtu, List<IpPrefix> addresses) {}
 *
 * JsonRecords json = JsonRecords.builder().text(IpPrefix.class, IpPrefix::parse).build();
 * Interface wanted = json.read("{\"name\":\"gpu0\",\"addresses\":[\"192.168.1.5/32\"]}", Interface.class);
 * }</pre>
 *
 * <p>A component can be a {@code String}, {@code int}, {@code long}, {@code double}, {@code
 * boolean} or their wrapper classes, an enum (written as its {@code toString()}), or a record. A
 * {@code List} or a {@code Map} with names can have any of these. A {@link JsonNode} accepts any
 * JSON; {@link Builder#text} adds other types. A field that is absent or null gives an empty list
 * or map, {@code null} for other objects, and a problem for primitive types. An {@link
 * IllegalArgumentException} of a record's constructor is reported as a problem of its object. A
 * record must be accessible: on the module path its package is exported or opened to {@code
 * io.dra4j.spi}.
 *
 * <p>Immutable and thread-safe.
 */
public final class JsonRecords {

  private final Map<Class<?>, Function<String, ?>> texts;

  private JsonRecords(Map<Class<?>, Function<String, ?>> texts) {
    this.texts = Map.copyOf(texts);
  }

  /** {@return a reader without types in addition to the types of JSON} */
  public static JsonRecords standard() {
    return builder().build();
  }

  /** {@return a builder of readers} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * {@return the record that a JSON object describes}
   *
   * @param json the string, at most 10,240 bytes of UTF-8 and 32 levels deep
   * @param type the type of the record
   * @param <R> the type of the record
   * @throws ConfigurationException if it is not JSON of this type; the exception has all problems
   * @throws IllegalArgumentException if {@code type} is inaccessible or has an unreadable component
   */
  public <R extends Record> R read(String json, Class<R> type) throws ConfigurationException {
    List<ConfigurationProblem> problems = new ArrayList<>();
    JsonNode tree = JsonTree.parse(json, JsonTree.MAX_BYTES, problems);
    RecordReader reader = new RecordReader(texts, problems);
    Object record = reader.read(tree, type, "");
    if (record == null || !problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
    return type.cast(record);
  }

  /** Collects the additional types of a reader. Not thread-safe. */
  public static final class Builder {

    private final Map<Class<?>, Function<String, ?>> texts = new HashMap<>();

    private Builder() {}

    /**
     * Adds a type that is written as a JSON string.
     *
     * @param type the type
     * @param parse converts the string to a value; throws {@link IllegalArgumentException}, whose
     *     message is the problem, if it cannot
     * @param <T> the type
     * @return this builder
     */
    public <T> Builder text(Class<T> type, Function<String, T> parse) {
      texts.put(type, parse);
      return this;
    }

    /** {@return a reader with the types that were added} */
    public JsonRecords build() {
      return new JsonRecords(texts);
    }
  }
}
