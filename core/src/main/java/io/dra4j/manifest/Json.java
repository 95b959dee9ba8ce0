package io.dra4j.manifest;

import io.dra4j.manifest.internal.json.JsonText;
import io.dra4j.manifest.internal.json.Printable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value, immutable. Object fields keep their order and numbers their spelling, so that what
 * nobody changes is written as it was read. {@link JsonText} turns values into text and back.
 */
public sealed interface Json {

  /**
   * How a message names the value.
   *
   * @return the kind of value and, where it is short, the value
   */
  String describe();

  /**
   * An object. The map is not copied: whoever makes an object gives the map away.
   *
   * @param map the fields by name, in the order of the text
   */
  record Fields(Map<String, Json> map) implements Json {

    public static final Fields EMPTY = new Fields(Map.of());

    /** Makes the map unmodifiable. {@inheritDoc} */
    public Fields {
      map = Collections.unmodifiableMap(map);
    }

    @Nullable
    public Json get(String name) {
      return map.get(name);
    }

    /** The text of a field; empty when there is none or when it is something else. */
    public String text(String name) {
      return map.get(name) instanceof Text text ? text.value() : "";
    }

    /**
     * A field whatever the case of its name; of several the last. What an object is, and where a
     * list has its items, is read so by Kubernetes, all else is case sensitive.
     */
    @Nullable
    public Json inAnyCase(String name) {
      Json found = null;
      for (var field : map.entrySet()) {
        if (field.getKey().equalsIgnoreCase(name)) {
          found = field.getValue();
        }
      }
      return found == Null.NULL ? null : found;
    }

    /** Whether a field is there and not null, which to Kubernetes is the same as not there. */
    public boolean has(String name) {
      Json value = map.get(name);
      return value != null && value != Null.NULL;
    }

    public Fields with(String name, Json value) {
      Map<String, Json> copy = new LinkedHashMap<>(map);
      copy.put(name, value);
      return new Fields(copy);
    }

    public Fields without(String... names) {
      Map<String, Json> copy = new LinkedHashMap<>(map);
      copy.keySet().removeAll(List.of(names));
      return new Fields(copy);
    }

    /**
     * The same fields after {@code apiVersion} and {@code kind}. Those names in another case go:
     * Kubernetes would read them for these.
     */
    public Fields typed(String apiVersion, String kind) {
      Map<String, Json> copy = new LinkedHashMap<>();
      copy.put("apiVersion", new Text(apiVersion));
      copy.put("kind", new Text(kind));
      map.forEach(
          (name, value) -> {
            if (!name.equalsIgnoreCase("apiVersion") && !name.equalsIgnoreCase("kind")) {
              copy.put(name, value);
            }
          });
      return new Fields(copy);
    }

    /** Changes a field if it is an object. */
    public Fields at(String name, UnaryOperator<Fields> change) {
      return map.get(name) instanceof Fields fields ? with(name, change.apply(fields)) : this;
    }

    /** Changes the objects in a field, if it is a list; null stands for an empty object there. */
    public Fields each(String name, UnaryOperator<Fields> change) {
      if (!(map.get(name) instanceof Items items)) {
        return this;
      }
      List<Json> changed = new ArrayList<>(items.list().size());
      for (Json item : items.list()) {
        Json object = item == Null.NULL ? EMPTY : item;
        changed.add(object instanceof Fields fields ? change.apply(fields) : item);
      }
      return with(name, new Items(changed));
    }

    @Override
    public String describe() {
      return "an object";
    }
  }

  /**
   * A list. Not copied: whoever makes it gives the list away.
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
      return "text \"" + Printable.abbreviate(value) + '"';
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

    public static Num of(long value) {
      return new Num(Long.toString(value));
    }

    /** Whether it is the integer zero. */
    public boolean isZero() {
      return text.equals("0") || text.equals("-0");
    }

    /** Of large whole numbers YAML leaves about 16 digits, which nobody wrote. */
    @Override
    public String describe() {
      return isLarge() ? "a number of more than 64 bits" : "number " + Printable.abbreviate(text);
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

    public static Flag of(boolean value) {
      return value ? TRUE : FALSE;
    }

    public boolean isTrue() {
      return this == TRUE;
    }

    @Override
    public String describe() {
      return isTrue() ? "true" : "false";
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
