package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.ANNOTATIONS_SIZE;
import static io.dra4j.manifest.validation.ValidationRule.ANNOTATION_NAME;
import static io.dra4j.manifest.validation.ValidationRule.FINALIZER_NAME;
import static io.dra4j.manifest.validation.ValidationRule.METADATA_GENERATION;
import static io.dra4j.manifest.validation.ValidationRule.METADATA_LABEL_NAME;
import static io.dra4j.manifest.validation.ValidationRule.METADATA_LABEL_VALUE;
import static io.dra4j.manifest.validation.ValidationRule.NAMESPACE_NAME;
import static io.dra4j.manifest.validation.ValidationRule.OBJECT_NAME;
import static io.dra4j.manifest.validation.ValidationRule.OWNER_REFERENCE;
import static io.dra4j.manifest.validation.ValidationRule.TEMPLATE_METADATA;

import io.dra4j.manifest.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rules of {@code metadata}. */
final class MetadataRules {

  private static final int MAX_ANNOTATIONS = 256 * 1024;
  private static final int GENERATE_NAME_KEPT = 58;
  private static final Pattern API_VERSION = Pattern.compile("([^/]*/)?[^/]+");
  private static final List<String> FINALIZERS_WITHOUT_DOMAIN =
      List.of("kubernetes", "orphan", "foregroundDeletion");
  private static final List<String> OF_TEMPLATES = List.of("labels", "annotations");

  /** Checks the metadata of an object. */
  void check(FieldCursor object, boolean isNamespaced, boolean isClass) {
    FieldCursor metadata = object.objectOrEmpty("metadata");
    checkName(metadata, isClass);
    String namespace = metadata.text("namespace");
    if (isNamespaced && namespace != null && !namespace.isEmpty()) {
      metadata.checkName(NAMESPACE_NAME, "namespace", namespace, NameFormat.LABEL);
    }
    Long generation = metadata.integer("generation");
    if (isNamespaced
        && generation != null
        && generation < 0) { // the server sets it for other objects
      metadata.problem(
          METADATA_GENERATION, "generation", "expected 0 or more, found " + generation);
    }
    checkLabels(metadata);
    checkOwners(metadata.objects("ownerReferences"));
    metadata.texts(
        "finalizers",
        (path, text) -> {
          if (!FINALIZERS_WITHOUT_DOMAIN.contains(text)) {
            metadata.checkName(FINALIZER_NAME, path, text, NameFormat.FINALIZER);
          }
        });
  }

  /** Checks the metadata of a template for its claims. */
  void checkTemplate(FieldCursor spec) {
    FieldCursor metadata = spec.objectOrEmpty("metadata");
    checkLabels(metadata);
    metadata
        .names()
        .forEach(
            name -> {
              if (!OF_TEMPLATES.contains(name) && !isZero(metadata, name)) {
                metadata.problem(
                    TEMPLATE_METADATA, name, "expected only labels and annotations here");
              }
            });
  }

  /** Whether a field has its zero value; to Go, an empty string or 0 is the same as no field. */
  private static boolean isZero(FieldCursor metadata, String field) {
    return "".equals(metadata.text(field))
        || (field.equals("generation") && Objects.equals(metadata.integer(field), 0L));
  }

  /** Checks the name of an object of any kind. */
  static void checkName(FieldCursor metadata, boolean isClass) {
    String name = metadata.text("name");
    String generateName = metadata.text("generateName");
    boolean isNamed = false;
    if (name != null && !name.isEmpty()) {
      isNamed = true;
      metadata.checkName(OBJECT_NAME, "name", name, NameFormat.SUBDOMAIN);
    } else {
      checkIsNamed(metadata);
    }
    if (generateName != null && !generateName.isEmpty()) {
      checkGenerateName(metadata, generateName, isClass, isNamed);
    }
  }

  /** The namespace of an object; {@code default} if none is given. */
  static String namespaceOf(FieldCursor root) {
    String namespace = root.objectOrEmpty("metadata").text("namespace");
    return namespace == null || namespace.isEmpty() ? "default" : namespace;
  }

  /** Checks that an object has a name or a generateName. */
  static void checkIsNamed(FieldCursor metadata) {
    boolean isNamed =
        Stream.of("name", "generateName")
            .map(metadata::text)
            .anyMatch(name -> name != null && !name.isEmpty());
    boolean isText = !metadata.has("name") || metadata.text("name") != null;
    if (!isNamed && isText) { // another type is reported by the reader
      metadata.problem(OBJECT_NAME, "", "expected name: " + NameFormat.SUBDOMAIN.expected());
    }
  }

  /** Checks a generateName, also if a name is given; less strictly for a class. */
  private static void checkGenerateName(
      FieldCursor metadata, String generateName, boolean isClass, boolean isNamed) {
    boolean isFine;
    if (!isClass) {
      boolean endsWithDash = generateName.length() > 1 && generateName.endsWith("-");
      isFine =
          NameFormat.SUBDOMAIN.accepts(
              endsWithDash
                  ? generateName.substring(0, generateName.length() - 2) + "a"
                  : generateName);
    } else if (isNamed) {
      isFine = generateName.indexOf('/') < 0 && generateName.indexOf('%') < 0;
    } else { // the server appends to the part that it keeps
      String kept = generateName.substring(0, Math.min(GENERATE_NAME_KEPT, generateName.length()));
      isFine = NameFormat.SUBDOMAIN.accepts(kept + "x");
    }
    if (!isFine) {
      metadata.problem(
          OBJECT_NAME,
          "generateName",
          "expected the beginning of "
              + NameFormat.SUBDOMAIN.expected()
              + ", found "
              + FieldCursor.shown(generateName));
    }
  }

  private static void checkLabels(FieldCursor metadata) {
    for (Map.Entry<String, Json> label : metadata.map("labels").entrySet()) {
      String path = FieldCursor.at("labels", label.getKey());
      metadata.checkName(METADATA_LABEL_NAME, path, label.getKey(), NameFormat.LABEL_NAME);
      if (label.getValue() instanceof Json.Text value) {
        metadata.checkName(METADATA_LABEL_VALUE, path, value.value(), NameFormat.LABEL_VALUE);
      }
    }
    long bytes = 0;
    for (Map.Entry<String, Json> annotation : metadata.map("annotations").entrySet()) {
      String name = annotation.getKey();
      metadata.checkName(
          ANNOTATION_NAME,
          FieldCursor.at("annotations", name),
          name.toLowerCase(Locale.ROOT),
          NameFormat.LABEL_NAME);
      bytes += NameFormat.bytes(name);
      bytes += annotation.getValue() instanceof Json.Text text ? NameFormat.bytes(text.value()) : 0;
    }
    if (bytes > MAX_ANNOTATIONS) {
      metadata.problem(
          ANNOTATIONS_SIZE,
          "annotations",
          "expected at most " + MAX_ANNOTATIONS + " bytes, found " + bytes);
    }
  }

  private static void checkOwners(List<FieldCursor> owners) {
    int controllers = 0;
    Set<Json> known = new HashSet<>();
    for (FieldCursor owner : owners) {
      if (!known.add(owner.json())) {
        continue; // the server counts the same owner once
      }
      for (String field : List.of("kind", "name", "uid")) {
        owner.required(OWNER_REFERENCE, field, "the owner's");
      }
      String apiVersion = owner.required(OWNER_REFERENCE, "apiVersion", "the owner's");
      if (apiVersion != null && !API_VERSION.matcher(apiVersion).matches()) {
        owner.problem(
            OWNER_REFERENCE,
            "apiVersion",
            "expected VERSION or GROUP/VERSION, found " + FieldCursor.shown(apiVersion));
      } else if ("v1".equals(apiVersion) && "Event".equals(owner.text("kind"))) {
        owner.problem(OWNER_REFERENCE, "kind", "expected another owner than an Event");
      }
      if (Boolean.TRUE.equals(owner.flag("controller")) && ++controllers == 2) {
        owner.problem(OWNER_REFERENCE, "controller", "expected one controller, found another");
      }
    }
  }
}
