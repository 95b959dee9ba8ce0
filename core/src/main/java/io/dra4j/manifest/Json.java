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
 * A JSON value, immutable. Object fields keep their order and numbers their spelling, so that what
 * stays unchanged is written as it was read. {@link JsonText} turns values into text and back.
 */
public sealed interface Json {

  /**
   * How a message names the value.
   *
   * @return the kind of value and, where it is short, the value
   */
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
     * Returns the value of a field.
     *
     * @param name the name of the field, in its case
     * @return the value, which may be {@link Null}; {@code null} if there is no such field
     */
    public @Nullable Json get(String name) {
      Objects.requireNonNull(name, "name");
      return map.get(name);
    }

    /**
     * Returns the text of a field.
     *
     * @param name the name of the field, in its case
     * @return the text; empty if there is no such field or its value is no text
     */
    public String text(String name) {
      Objects.requireNonNull(name, "name");
      return map.get(name) instanceof Text text ? text.value() : "";
    }

    /**
     * Returns whether a field is there and not null, which to Kubernetes is the same as not there.
     *
     * @param name the name of the field, in its case
     * @return whether it has a value
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
   * @param value its characters
   */
  record Text(String value) implements Json {

    @Override
    public String describe() {
      return "text \"" + PrintableText.abbreviate(value) + '"';
    }
  }

  /**
   * A number, in JSON's grammar. Equal only when spelled the same.
   *
   * @param text how it is spelled
   */
  record Num(String text) implements Json {

    /** The largest number that YAML gives whole. */
    private static final String LONGEST = "18446744073709551615";

    /** Of large whole numbers YAML leaves about 16 digits, which differ from what was written. */
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

  /** A truth value. */
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

  /** Nothing. */
  enum Null implements Json {
    /** {@code null}. */
    NULL;

    @Override
    public String describe() {
      return "null";
    }
  }
}
