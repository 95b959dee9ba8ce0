package io.dra4j.manifest.validation;

import io.dra4j.model.DeviceConstraint;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The attributes that the constraints of a claim name, by request. */
final class ConstrainedAttributes {

  private static final String ALL = "";

  private final Map<String, Set<String>> byRequest = new HashMap<>();

  ConstrainedAttributes(FieldCursor devices) {
    for (FieldCursor constraint : devices.objects("constraints")) {
      for (DeviceConstraint.Kind kind : DeviceConstraint.Kind.values()) {
        String attribute = constraint.text(kind.field());
        if (attribute != null) {
          if (constraint.size("requests") == 0) {
            of(ALL).add(attribute);
          }
          constraint.texts("requests", (path, request) -> of(request).add(attribute));
        }
      }
    }
  }

  /** Whether a constraint on all requests, on this one or on its parent names an attribute. */
  boolean has(String attribute, String request) {
    int slash = request.indexOf('/');
    String parent = slash < 0 ? request : request.substring(0, slash);
    return Stream.of(ALL, request, parent)
        .anyMatch(one -> byRequest.getOrDefault(one, Set.of()).contains(attribute));
  }

  private Set<String> of(String request) {
    return byRequest.computeIfAbsent(request, one -> new HashSet<>());
  }
}
