package io.dra4j.manifest.internal.read;

import io.dra4j.common.PrintableText;
import io.dra4j.manifest.InspectedFile;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestFile;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.RawObject;
import io.dra4j.manifest.SkippedObject;
import io.dra4j.manifest.SourcePosition;
import io.dra4j.manifest.internal.codec.Defaults;
import io.dra4j.manifest.internal.codec.FieldReader;
import io.dra4j.manifest.internal.codec.MemoryMeter;
import io.dra4j.manifest.internal.codec.ObjectKind;
import io.dra4j.manifest.internal.codec.SharedValues;
import io.dra4j.manifest.internal.codec.V1Beta1;
import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.DocumentSink;
import io.dra4j.manifest.internal.json.Footprint;
import io.dra4j.manifest.internal.json.InputFile;
import io.dra4j.manifest.internal.json.JsonFields;
import io.dra4j.manifest.internal.json.JsonText;
import io.dra4j.manifest.internal.read.Reading.Inspection;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates objects from the documents of one file: splits lists, converts older versions, fills in
 * defaults and reads the fields. Problems are collected, so that one reading finds all of them.
 */
public final class ObjectCollector implements DocumentSink {

  private final String file;
  private final Reading reading;
  private final @Nullable ManifestInspector inspector;
  private final boolean keepsObjects;
  private final int maxDuplicates;
  private final Problems problems;
  private final Problems unknownFields;
  private final Problems findings;
  private final SharedValues shared;
  private final MemoryMeter kept;
  private final List<Manifest> manifests = new ArrayList<>();
  private final List<SkippedObject> skipped = new ArrayList<>();

  private final List<InspectedFile.Named> named = new ArrayList<>();
  private final List<Duplicate> duplicates = new ArrayList<>(); // of the next object

  private int documents; // number of complete documents

  // The current document. Whether it is a list may be known only at its end.
  private int manifestsBefore;
  private int skippedBefore;
  private int problemsBefore;
  private int unknownFieldsBefore;
  private int findingsBefore;
  private int namedBefore;
  private boolean hasItems;
  private boolean isAtDocument = true; // a document begins next
  private SourcePosition ofDocument = SourcePosition.UNKNOWN;
  private SourcePosition begin = SourcePosition.UNKNOWN; // of the document or of its last item
  private ObjectType listType = ObjectType.NONE; // as known at the first item
  private final List<Deferred> deferred = new ArrayList<>();

  /** An item without type before the type of its list, or an item after it; kept as small text. */
  private record Deferred(int index, SourcePosition begin, String json) {}

  /** A field that occurs twice in an object whose name is not known yet. */
  private record Duplicate(SourcePosition place, String name) {}

  /** Creates a collector that keeps the objects of a file, or only the findings about them. */
  ObjectCollector(InputFile file, Reading reading) {
    Inspection inspection = reading.inspection();
    this.file = file.name();
    this.inspector = inspection == null ? null : inspection.inspector();
    if (inspection == null || inspection.keepsObjects()) {
      keepsObjects = true;
      maxDuplicates = 0;
      problems = new Problems();
      unknownFields = new Problems();
      findings = new Problems();
    } else {
      keepsObjects = false;
      maxDuplicates = inspection.maxFindings();
      problems = new Problems(inspection.maxFindings(), inspection.maxFindings());
      unknownFields = problems; // in the order of the text
      findings = problems;
    }
    this.reading = reading;
    this.shared = reading.shared();
    this.kept = new MemoryMeter(file.size());
  }

  ManifestFile result() {
    return new ManifestFile(
        file,
        manifests,
        skipped,
        unknownFields.list(file),
        findings.findings(),
        findings.omitted());
  }

  Problems problems() {
    return problems;
  }

  Problems unknownFields() {
    return unknownFields;
  }

  /** The result of an inspection; findings have no places yet. */
  InspectedFile inspected() {
    return new InspectedFile(file, problems.findings(), problems.omitted(), named, skipped);
  }

  @Override
  public void duplicate(SourcePosition place, String name) throws DocumentException {
    if (keepsObjects || duplicates.size() > maxDuplicates) {
      DocumentSink.super.duplicate(place, name);
    }
    duplicates.add(new Duplicate(place, PrintableText.abbreviate(name)));
  }

  private void reportDuplicates(Origin origin, Json value) {
    if (!duplicates.isEmpty()) {
      ObjectType type =
          value instanceof Json.Fields object ? typeOf(object, ObjectType.NONE) : ObjectType.NONE;
      ObjectKind<?> kind = ObjectKind.of(type.apiVersion(), type.kind());
      String name = kind == null ? "" : displayName(kind, (Json.Fields) value);
      for (Duplicate one : duplicates) {
        problems.add(
            ManifestFinding.DUPLICATE_FIELD,
            origin,
            one.place(),
            name,
            one.name(),
            "the object has this field already");
      }
      duplicates.clear();
    }
  }

  private static String displayName(ObjectKind<?> kind, Json.Fields object) {
    Json.Fields metadata = metadataOf(object);
    return kind.displayName(metadata.text("namespace"), metadata.text("name"));
  }

  private static Origin itemOf(Origin origin, int index, SourcePosition begin) {
    String prefix = origin.item().isEmpty() ? "" : origin.item() + ".";
    return new Origin(origin.file(), origin.document(), prefix + "items[" + index + "]", begin);
  }

  private static Json.Fields metadataOf(Json.Fields object) {
    return object.get("metadata") instanceof Json.Fields fields ? fields : JsonFields.EMPTY;
  }

  /** Reports a fault after which nothing more can be read. */
  void fail(DocumentException fault) {
    problems.add(ManifestFinding.SYNTAX, origin(), fault.place(), "", "", fault.fault());
  }

  @Override
  public void begin(SourcePosition place) {
    begin = place;
    if (isAtDocument) {
      ofDocument = place;
      isAtDocument = false;
    }
  }

  @Override
  public void item(Json.Fields head, int index, Json item, long bytes) throws DocumentException {
    kept.check(bytes);
    reportDuplicates(itemOf(origin(), index, begin), item);
    if (!hasItems) {
      hasItems = true;
      listType = typeOf(head, reading.type());
    }
    boolean isKnown =
        listType.isList()
            || (item instanceof Json.Fields object && !typeOf(object, ObjectType.NONE).isNone());
    if (isKnown && deferred.isEmpty()) {
      ObjectType inherited = listType.isList() ? listType.ofItems() : ObjectType.NONE;
      object(item, inherited, itemOf(origin(), index, begin));
    } else {
      String json = JsonText.writeBounded(item);
      kept.add(MemoryMeter.RECORD + Footprint.text(json));
      deferred.add(new Deferred(index, begin, json));
    }
  }

  @Override
  public void document(Json document, long bytes) throws DocumentException {
    kept.check(bytes);
    reportDuplicates(origin(), document);
    ObjectType type =
        document instanceof Json.Fields head ? typeOf(head, reading.type()) : ObjectType.NONE;
    if (!hasItems) {
      object(document, reading.type(), origin());
    } else if (type.isList()) {
      checkIsWhole((Json.Fields) document, type);
      for (Deferred item : deferred) {
        kept.check(Footprint.text(item.json()));
        object(
            JsonText.parseValid(item.json()),
            type.ofItems(),
            itemOf(origin(), item.index(), item.begin()));
      }
    } else {
      notAList(document, type);
    }
    documents++;
    isAtDocument = true;
    manifestsBefore = manifests.size();
    skippedBefore = skipped.size();
    problemsBefore = problems.size();
    unknownFieldsBefore = unknownFields.size();
    findingsBefore = findings.size();
    namedBefore = named.size();
    hasItems = false;
    deferred.clear();
  }

  /** Reports that the API server sent only part of a list, as with {@code --chunk-size}. */
  private void checkIsWhole(Json.Fields list, ObjectType type) {
    Json.Fields metadata = metadataOf(list);
    if (!metadata.text("continue").isEmpty()) {
      String left =
          metadata.get("remainingItemCount") instanceof Json.Num count
              ? ": " + count.text() + " more objects are left"
              : "";
      findings.add(
          ManifestFinding.WHOLE_LIST,
          origin(),
          type.kind(),
          "metadata.continue",
          "the list is incomplete%s: read it again without a limit".formatted(left));
    }
  }

  /** Reports that a field {@code items} that was read as a list of objects is something else. */
  private void notAList(Json document, ObjectType type) throws DocumentException {
    manifests.subList(manifestsBefore, manifests.size()).clear();
    skipped.subList(skippedBefore, skipped.size()).clear();
    named.subList(namedBefore, named.size()).clear();
    problems.truncate(problemsBefore);
    if (keepsObjects) {
      unknownFields.truncate(unknownFieldsBefore);
      findings.truncate(findingsBefore);
    }
    if (ObjectKind.of(type.apiVersion(), type.kind()) == null) {
      object(document, reading.type(), origin());
    } else {
      problems.add(
          ManifestFinding.UNKNOWN_FIELD,
          origin(),
          type.kind(),
          "items",
          "not a field of this kind");
    }
  }

  private Origin origin() {
    return new Origin(file, documents + 1, "", ofDocument);
  }

  /** Adds an object, or each object of a list. */
  private void object(Json value, ObjectType inherited, Origin origin) throws DocumentException {
    if (value == Json.Null.NULL) {
      return; // an empty document
    }
    if (!(value instanceof Json.Fields object)) {
      problems.add(
          ManifestFinding.OBJECT_TYPE,
          origin,
          "",
          "",
          "expected an object with apiVersion and kind, found " + value.describe());
      return;
    }
    if (!checkType(object, inherited, origin)) {
      return;
    }
    ObjectType type = typeOf(object, inherited);
    if (type.isList()) {
      checkIsWhole(object, type);
      items(object, type, origin);
      return;
    }
    ObjectKind<?> kind = ObjectKind.of(type.apiVersion(), type.kind());
    if (inspector != null && ObjectKind.isInspectedOnly(type.apiVersion(), type.kind())) {
      inspectOnly(object, type, origin, inspector);
    } else if (kind == null) {
      skip(skipped(object, type, origin));
    } else {
      kept.add(MemoryMeter.KUBERNETES_OBJECT);
      read(object, kind, type.apiVersion(), origin);
    }
    kept.check(0);
  }

  private void items(Json.Fields list, ObjectType type, Origin origin) throws DocumentException {
    Json items = JsonFields.inAnyCase(list, "items");
    if (items instanceof Json.Items elements) {
      int index = 0;
      for (Json element : elements.list()) {
        object(element, type.ofItems(), itemOf(origin, index++, origin.place()));
      }
    } else if (items != null) {
      problems.add(
          ManifestFinding.FIELD_TYPE,
          origin,
          type.kind(),
          "items",
          "expected a list, found " + items.describe());
    }
  }

  /** Namespace and name, if given. */
  private static String nameOf(Json.Fields object) {
    Json.Fields metadata = metadataOf(object);
    String namespace = metadata.text("namespace");
    return (namespace.isEmpty() ? "" : namespace + "/") + metadata.text("name");
  }

  /** Whether a workload requests at least one pod and has a template of pods with claims. */
  private static boolean usesClaims(Json.Fields object) {
    boolean wantsNone =
        object.get("spec") instanceof Json.Fields spec && JsonFields.isZero(spec.get("replicas"));
    return !wantsNone && namesClaims(object);
  }

  private static boolean namesClaims(Json value) {
    if (value instanceof Json.Fields object) {
      return (object.get("resourceClaims") instanceof Json.Items claims && !claims.list().isEmpty())
          || object.map().values().stream().anyMatch(ObjectCollector::namesClaims);
    }
    return value instanceof Json.Items items
        && items.list().stream().anyMatch(ObjectCollector::namesClaims);
  }

  private SkippedObject skipped(Json.Fields object, ObjectType type, Origin origin)
      throws DocumentException {
    kept.add(MemoryMeter.SKIPPED_OBJECT);
    String kind = type.isNone() ? text(JsonFields.inAnyCase(object, "kind")) : type.kind();
    return new SkippedObject(
        origin,
        shared.text(type.apiVersion(), kept),
        shared.text(kind, kept),
        shared.text(nameOf(object), kept),
        usesClaims(object));
  }

  private void skip(SkippedObject object) {
    List<String> near = ObjectKind.kindsMeantBy(object.apiVersion(), object.kind());
    if (keepsObjects || !object.isMistaken()) {
      skipped.add(object);
      return;
    }
    boolean isKind = !object.kind().isEmpty() && near.contains(object.kind());
    String rule =
        object.apiVersion().isEmpty() || object.kind().isEmpty()
            ? ManifestFinding.OBJECT_TYPE
            : isKind ? ManifestFinding.API_VERSION : ManifestFinding.KIND;
    String field =
        isKind && !object.apiVersion().isEmpty()
            ? "apiVersion"
            : object.kind().isEmpty() ? "" : "kind";
    problems.add(
        rule,
        new Problem(object.origin(), SourcePosition.UNKNOWN, "", field, object.reason()),
        isKind ? List.of() : near);
  }

  private void read(Json.Fields object, ObjectKind<?> kind, String apiVersion, Origin origin)
      throws DocumentException {
    String name = displayName(kind, object);
    if (!kind.apiVersions().contains(apiVersion)) {
      problems.add(
          ManifestFinding.API_VERSION,
          origin,
          name,
          "apiVersion",
          apiVersion + " cannot be read; known are " + String.join(", ", kind.apiVersions()));
      return;
    }
    if (reading.findsUnknownFields()) {
      findUnknownFields(object, apiVersion, kind.kind(), name, origin);
    }
    boolean isBeta = apiVersion.endsWith("/v1beta1");
    Set<String> refused = new HashSet<>(); // fields with a problem
    FieldReader.ProblemSink sink =
        (path, message) -> {
          refused.add(path);
          boolean asWritten = isBeta && !keepsObjects;
          String written = asWritten ? V1Beta1.writtenPath(kind.kind(), path) : path;
          problems.add(ManifestFinding.FIELD_TYPE, origin, name, written, message);
        };
    Json.Fields v1 = isBeta ? V1Beta1.toV1(kind.kind(), object, sink) : object;
    KubernetesObject read =
        kind.reader()
            .apply(
                FieldReader.of(
                    Defaults.apply(kind.kind(), v1), new FieldReader.Context(sink, shared, kept)));
    if (inspector != null) {
      inspect(new RawObject(origin, apiVersion, kind.kind(), name, object), refused, inspector);
    }
    if (!keepsObjects) {
      named.add(named(object, kind, origin, name));
      return;
    }
    String source = reading.keepSources() ? source(v1, kind, apiVersion) : null;
    manifests.add(reading.factory().make(read, shared.text(apiVersion, kept), origin, source));
  }

  /** The text of an object that is kept with it. */
  private String source(Json.Fields v1, ObjectKind<?> kind, String apiVersion)
      throws DocumentException {
    String source =
        JsonText.writeBounded(JsonFields.typed(v1, kind.writtenAs(apiVersion), kind.kind()));
    kept.add(Footprint.text(source));
    return source;
  }

  /** Passes an object to the inspector, without keeping it. */
  private void inspectOnly(
      Json.Fields object, ObjectType type, Origin origin, ManifestInspector shownTo)
      throws DocumentException {
    String name = metadataOf(object).text("name");
    String displayName = type.kind() + " \"" + PrintableText.abbreviate(name) + '"';
    findUnknownFields(object, type.apiVersion(), type.kind(), displayName, origin);
    RawObject raw = new RawObject(origin, type.apiVersion(), type.kind(), displayName, object);
    inspect(raw, new HashSet<>(), shownTo);
    if (keepsObjects) {
      skipped.add(skipped(object, type, origin));
    } else {
      kept.add(MemoryMeter.SKIPPED_OBJECT);
      ObjectKey key = new ObjectKey(type.kind(), "", shared.text(name, kept));
      named.add(new InspectedFile.Named(origin, shared.text(displayName, kept), key));
    }
  }

  private void findUnknownFields(
      Json.Fields object, String apiVersion, String kind, String name, Origin origin) {
    new UnknownFields(
            (path, message, near) ->
                unknownFields.add(
                    ManifestFinding.UNKNOWN_FIELD,
                    new Problem(origin, SourcePosition.UNKNOWN, name, path, message),
                    near))
        .find(apiVersion, kind, object);
  }

  /**
   * Adds the findings of the inspector, and fields of wrong types.
   *
   * @param refused fields with a problem, about which nothing more is reported
   */
  private void inspect(RawObject object, Set<String> refused, ManifestInspector shownTo) {
    Origin origin = object.origin();
    String name = object.displayName();
    new FieldTypes(
            (path, message) -> {
              if (refused.add(path)) { // the reader of the model reports the fields that it reads
                findings.add(ManifestFinding.FIELD_TYPE, origin, name, path, message);
              }
            })
        .find(object.apiVersion(), object.kind(), object.fields());
    shownTo.inspect(
        object,
        (rule, path, message, near) ->
            findings.add(
                rule, new Problem(origin, SourcePosition.UNKNOWN, name, path, message), near));
  }

  private InspectedFile.Named named(
      Json.Fields object, ObjectKind<?> kind, Origin origin, String displayName) {
    Json.Fields metadata = metadataOf(object);
    String namespace =
        metadata.text("namespace").isEmpty() ? "default" : metadata.text("namespace");
    return new InspectedFile.Named(
        origin,
        shared.text(displayName, kept),
        kind.keyOf(shared.text(namespace, kept), shared.text(metadata.text("name"), kept)));
  }

  /** The type of an object: that of its list only for an item without an API version. */
  private static ObjectType typeOf(Json.Fields object, ObjectType inherited) {
    String apiVersion = text(JsonFields.inAnyCase(object, "apiVersion"));
    return apiVersion.isEmpty()
        ? inherited
        : new ObjectType(apiVersion, text(JsonFields.inAnyCase(object, "kind")));
  }

  private static String text(@Nullable Json value) {
    return value instanceof Json.Text text ? text.value() : "";
  }

  private boolean checkType(Json.Fields object, ObjectType inherited, Origin origin) {
    for (String field : new String[] {"apiVersion", "kind"}) {
      Json value = JsonFields.inAnyCase(object, field);
      if (value != null && !(value instanceof Json.Text)) {
        problems.add(
            ManifestFinding.OBJECT_TYPE,
            origin,
            "",
            field,
            "expected text, found " + value.describe());
        return false;
      }
    }
    String kind = text(JsonFields.inAnyCase(object, "kind"));
    if (typeOf(object, ObjectType.NONE).isNone()
        && !kind.isEmpty()
        && !inherited.kind().isEmpty()
        && !kind.equals(inherited.kind())) {
      problems.add(
          ManifestFinding.KIND,
          origin,
          "",
          "kind",
          "expected "
              + inherited.kind()
              + (origin.item().isEmpty() ? "" : " as in the list")
              + ", found "
              + kind);
      return false;
    }
    return true;
  }
}
