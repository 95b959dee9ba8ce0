package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.CONFIG_MAX;
import static io.dra4j.manifest.validation.ValidationRule.CONFIG_OPAQUE;
import static io.dra4j.manifest.validation.ValidationRule.DRIVER_NAME;
import static io.dra4j.manifest.validation.ValidationRule.PARAMETERS;
import static io.dra4j.manifest.validation.ValidationRule.PARAMETERS_SIZE;

import io.dra4j.manifest.Json;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rules of configuration, of classes, claims and allocations. */
final class ConfigurationRules {

  /** Checks the configuration of a class or claim, with a further check of each entry. */
  void check(FieldCursor object, Consumer<FieldCursor> more) {
    object.atMost(CONFIG_MAX, "config", ApiLimits.CONFIG);
    for (FieldCursor entry : object.objects("config")) {
      checkEntry(entry);
      more.accept(entry);
    }
  }

  /** Checks one entry. */
  void checkEntry(FieldCursor entry) {
    FieldCursor opaque = entry.object("opaque");
    if (opaque == null) {
      if (!entry.has("opaque")) {
        entry.problem(CONFIG_OPAQUE, "", "expected opaque");
      }
      return;
    }
    opaque.requireName(DRIVER_NAME, "driver", NameFormat.DRIVER);
    Json parameters = opaque.get("parameters");
    if (parameters == null) {
      opaque.problem(PARAMETERS, "", "expected parameters: a JSON object");
    } else {
      checkJson(PARAMETERS, PARAMETERS_SIZE, opaque, "parameters", parameters);
    }
  }

  /** Checks JSON that Kubernetes stores without reading it. */
  static void checkJson(
      ValidationRule isObject, ValidationRule size, FieldCursor parent, String field, Json value) {
    if (!(value instanceof Json.Fields)) {
      parent.problem(isObject, field, "expected a JSON object, found " + value.describe());
      return;
    }
    String number = tooLarge(value);
    if (number != null) {
      parent.problem(
          isObject,
          field,
          "expected numbers that a double can hold, found " + FieldCursor.shown(number));
    }
    long bytes = GoJsonSize.of(value);
    if (bytes > ApiLimits.PARAMETERS_BYTES) {
      parent.problem(
          size,
          field,
          "expected at most " + ApiLimits.PARAMETERS_BYTES + " bytes of JSON, found " + bytes);
    }
  }

  /** A number that Go's encoding/json does not read, or {@code null} if there is none. */
  private static @Nullable String tooLarge(Json value) {
    if (value instanceof Json.Num number) {
      return Double.isInfinite(Double.parseDouble(number.text())) ? number.text() : null;
    }
    Collection<Json> parts =
        value instanceof Json.Fields object
            ? object.map().values()
            : value instanceof Json.Items items ? items.list() : List.of();
    for (Json part : parts) {
      String found = tooLarge(part);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
