package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.REQUEST_REFERENCE;
import static io.dra4j.manifest.validation.ValidationRule.REQUEST_REFERENCES_MAX;
import static io.dra4j.manifest.validation.ValidationRule.REQUEST_REFERENCE_UNIQUE;

import io.dra4j.common.SimilarNames;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The names that refer to the requests of a claim and their alternatives. */
final class RequestNames {

  /**
   * The most names for which similar names are searched: a person makes fewer mistakes in a claim.
   */
  private static final int NEAR_NAMES = 32;

  private final Set<String> names = new LinkedHashSet<>();
  private int unknown;

  RequestNames(FieldCursor devices) {
    for (FieldCursor request : devices.objects("requests")) {
      String name = request.text("name");
      if (name != null) {
        names.add(name);
        for (FieldCursor alternative : request.objects("firstAvailable")) {
          String below = alternative.text("name");
          if (below != null) {
            names.add(name + "/" + below);
          }
        }
      }
    }
  }

  /** Checks the requests that a constraint or configuration names. */
  void checkAll(FieldCursor object) {
    object.atMost(REQUEST_REFERENCES_MAX, "requests", ApiLimits.REQUESTS);
    Set<String> named = new HashSet<>();
    object.texts(
        "requests",
        (path, name) -> {
          check(object, path, name);
          if (!named.add(name)) {
            object.problem(
                REQUEST_REFERENCE_UNIQUE, path, FieldCursor.shown(name) + " is a duplicate");
          }
        });
  }

  /** Checks the name of a request at a path below an object. */
  void check(FieldCursor object, String path, String name) {
    if (!names.contains(name)) {
      object.problem(
          REQUEST_REFERENCE,
          path,
          "expected a request of the claim, found " + FieldCursor.shown(name),
          ++unknown <= NEAR_NAMES ? SimilarNames.of(name, names) : List.of());
    }
  }
}
