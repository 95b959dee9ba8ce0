package io.dra4j.manifest.internal.json;

import io.dra4j.manifest.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changed copies of JSON objects, and lookups of fields by the rules of the API server. */
public final class JsonFields {

  /** The object without fields. */
  public static final Json.Fields EMPTY = new Json.Fields(Map.of());

  private JsonFields() {}

  /**
   * Returns a field by its name in any case; the last one of several. Kubernetes reads only the
   * type of an object and the items of a list in this way; all other names are case sensitive.
   */
  public static @Nullable Json inAnyCase(Json.Fields object, String name) {
    Json found = null;
    for (var field : object.map().entrySet()) {
      if (field.getKey().equalsIgnoreCase(name)) {
        found = field.getValue();
      }
    }
    return found == Json.Null.NULL ? null : found;
  }

  /** Returns the object with a field set. */
  public static Json.Fields with(Json.Fields object, String name, Json value) {
    Map<String, Json> copy = new LinkedHashMap<>(object.map());
    copy.put(name, value);
    return new Json.Fields(copy);
  }

  /** Returns the object without a field. */
  public static Json.Fields without(Json.Fields object, String name) {
    Map<String, Json> copy = new LinkedHashMap<>(object.map());
    copy.remove(name);
    return new Json.Fields(copy);
  }

  /**
   * Returns the same fields after {@code apiVersion} and {@code kind}. Fields with these names in
   * another case are removed, since Kubernetes would read them instead.
   */
  public static Json.Fields typed(Json.Fields object, String apiVersion, String kind) {
    Map<String, Json> copy = new LinkedHashMap<>();
    copy.put("apiVersion", new Json.Text(apiVersion));
    copy.put("kind", new Json.Text(kind));
    object
        .map()
        .forEach(
            (name, value) -> {
              if (!name.equalsIgnoreCase("apiVersion") && !name.equalsIgnoreCase("kind")) {
                copy.put(name, value);
              }
            });
    return new Json.Fields(copy);
  }

  /** Changes a field if it is an object. */
  public static Json.Fields at(Json.Fields object, String name, UnaryOperator<Json.Fields> change) {
    return object.get(name) instanceof Json.Fields fields
        ? with(object, name, change.apply(fields))
        : object;
  }

  /** Changes the objects in a field, if it is a list; null counts as an empty object there. */
  public static Json.Fields each(
      Json.Fields object, String name, UnaryOperator<Json.Fields> change) {
    if (!(object.get(name) instanceof Json.Items items)) {
      return object;
    }
    List<Json> changed = new ArrayList<>(items.list().size());
    for (Json item : items.list()) {
      Json element = item == Json.Null.NULL ? EMPTY : item;
      changed.add(element instanceof Json.Fields fields ? change.apply(fields) : item);
    }
    return with(object, name, new Json.Items(changed));
  }

  /** Returns whether a value is the integer zero. */
  public static boolean isZero(@Nullable Json value) {
    return value instanceof Json.Num number
        && (number.text().equals("0") || number.text().equals("-0"));
  }
}
