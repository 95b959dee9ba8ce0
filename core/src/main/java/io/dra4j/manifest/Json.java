package io.dra4j.manifest;

import io.dra4j.common.PrintableText;
import io.dra4j.manifest.internal.json.JsonText;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value, immutable. Object fields keep their order and numbers their spelling, so that
 * unchanged parts are written as they were read. {@link JsonText} converts values to text and back.
 */
public sealed interface Json {

  /** {@return the kind of value, for messages, and if it is short, the value} */
  String describe();

  /**
   * An object. The map is not copied: the caller must not keep it.
   *
   * @param map the fields by name, in the order of the text
   */
  record Fields(Map<String, Json> map) implements Json {

    /** Makes the map unmodifiable. {@inheritDoc} */
    public Fields {
      map = Collections.unmodifiableMap(map);
    }

    /**
     * {@return a field's value, which may be {@link Null}; {@code null} if there is no such field}
     *
     * @param name the name of the field, in its case
     */
    public @Nullable Json get(String name) {
      Objects.requireNonNull(name, "name");
      return map.get(name);
    }

    /**
     * {@return the string in a field; empty if there is no such field or it is not a string}
     *
     * @param name the name of the field, in its case
     */
    public String text(String name) {
      Objects.requireNonNull(name, "name");
      return map.get(name) instanceof Text text ? text.value() : "";
    }

    /**
     * {@return whether a field exists and is not null, which to Kubernetes is the same as missing}
     *
     * @param name the name of the field, in its case
     */
    public boolean has(String name) {
      Objects.requireNonNull(name, "name");
      Json value = map.get(name);
      return value != null && value != Null.NULL;
    }

    @Override
    public String describe() {
      return "an object";
    }
  }

  /**
   * A list. Not copied: the caller must not keep the list.
   *
   * @param list the elements
   */
  record Items(List<Json> list) implements Json {

    /** Makes the list unmodifiable. {@inheritDoc} */
    public Items {
      list = Collections.unmodifiableList(list);
    }

    @Override
    public String describe() {
      return "a list";
    }
  }

  /**
   * A string.
   *
   * @param value the characters of the string
   */
  record Text(String value) implements Json {

    @Override
    public String describe() {
      return "text \"" + PrintableText.abbreviate(value) + '"';
    }
  }

  /**
   * A number, in JSON's grammar. Equal only if the spelling is the same.
   *
   * @param text the spelling of the number
   */
  record Num(String text) implements Json {

    /** The largest whole number that the YAML reader keeps exactly. */
    private static final String LONGEST = "18446744073709551615";

    /** Omits large whole numbers, of which the YAML reader keeps only about 16 digits. */
    @Override
    public String describe() {
      return isLarge()
          ? "a number of more than 64 bits"
          : "number " + PrintableText.abbreviate(text);
    }

    private boolean isLarge() {
      return text.length() >= LONGEST.length()
          && text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'))
          && new BigDecimal(text).abs().compareTo(new BigDecimal(LONGEST)) > 0;
    }
  }

  /** A boolean. */
  enum Flag implements Json {
    /** {@code false}. */
    FALSE,
    /** {@code true}. */
    TRUE;

    @Override
    public String describe() {
      return this == TRUE ? "true" : "false";
    }
  }

  /** The value null. */
  enum Null implements Json {
    /** {@code null}. */
    NULL;

    @Override
    public String describe() {
      return "null";
    }
  }
}
