package io.dra4j.manifest.validation;

import io.dra4j.common.SimilarNames;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.RawObject;
import io.dra4j.model.ClaimKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Compares the requests that containers name with the requests of the claims of their pods. Missing
 * requests are known when all objects were read.
 */
final class ContainerRequests {

  /**
   * The most claims, and the most names from containers, that are stored: more than a cluster has.
   */
  private static final int MAX_REMEMBERED = 200_000;

  /** The longest name of a request; longer names are ignored. */
  private static final int MAX_NAME = 63;

  /** A claim or a template. */
  private record Source(boolean isTemplate, ClaimKey key) {

    @Override
    public String toString() {
      return (isTemplate ? "ResourceClaimTemplate " : "ResourceClaim ") + key;
    }
  }

  private record Named(FieldLocation place, Source source, String request) {}

  private final Map<Source, List<String>> requests = new HashMap<>();
  private final Map<List<String>, List<String>> equalNames = new HashMap<>(); // to keep each once
  private final List<Named> named = new ArrayList<>();

  /**
   * Stores the requests of a claim or a template, or the requests that the containers of pods name.
   */
  void inspect(RawObject object, FieldCursor root) {
    switch (object.kind()) {
      case "ResourceClaim" -> rememberClaim(false, root, root.objectOrEmpty("spec"));
      case "ResourceClaimTemplate" ->
          rememberClaim(true, root, root.objectOrEmpty("spec").objectOrEmpty("spec"));
      default -> {
        if (PodRules.hasPods(object.kind())) {
          PodRules.specsOf(object.kind(), root).forEach(spec -> rememberPods(object, root, spec));
        }
      }
    }
  }

  private void rememberClaim(boolean isTemplate, FieldCursor root, FieldCursor spec) {
    String name = root.objectOrEmpty("metadata").text("name");
    if (name == null || requests.size() >= MAX_REMEMBERED) {
      return;
    }
    List<String> names =
        spec.objectOrEmpty("devices").objects("requests").stream()
            .map(request -> request.text("name"))
            .filter(Objects::nonNull)
            .filter(request -> request.length() <= MAX_NAME)
            .toList();
    requests.put(
        new Source(isTemplate, new ClaimKey(MetadataRules.namespaceOf(root), name)),
        equalNames.computeIfAbsent(names, same -> same));
  }

  private void rememberPods(RawObject object, FieldCursor root, FieldCursor spec) {
    Map<String, Source> sources = new HashMap<>();
    for (FieldCursor entry : spec.objects("resourceClaims")) {
      String claim = entry.text("resourceClaimName");
      String template = entry.text("resourceClaimTemplateName");
      String name = entry.text("name");
      String source = claim == null ? template : claim;
      if (name != null && source != null) {
        sources.put(
            name, new Source(claim == null, new ClaimKey(MetadataRules.namespaceOf(root), source)));
      }
    }
    if (sources.isEmpty()) {
      return;
    }
    for (FieldCursor container : PodRules.containers(spec).toList()) {
      for (FieldCursor claim : PodRules.claims(container)) {
        Source source = sources.get(String.valueOf(claim.text("name")));
        String request = claim.text("request");
        if (source != null
            && request != null
            && !request.isEmpty()
            && request.length() <= MAX_NAME
            && named.size() < MAX_REMEMBERED) {
          named.add(new Named(FieldLocation.of(object, claim.path("request")), source, request));
        }
      }
    }
  }

  /** The names that no request of their claim has. Names for unknown claims are not reported. */
  List<ManifestFinding> findings() {
    List<ManifestFinding> findings = new ArrayList<>();
    for (Named one : named) {
      List<String> names = requests.get(one.source());
      if (names != null && !names.contains(one.request())) {
        List<String> near = SimilarNames.of(one.request(), names);
        String message =
            "%s has no request %s%s"
                .formatted(one.source(), FieldCursor.shown(one.request()), SimilarNames.hint(near));
        findings.add(
            new ManifestFinding(
                ValidationRule.POD_CLAIM_REQUEST.id(), one.place().problem(message), near));
      }
    }
    return findings;
  }
}
