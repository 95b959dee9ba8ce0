package io.dra4j.manifest;

import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.model.KubernetesObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes objects of the documents of one file: takes lists apart, converts older versions, fills in
 * defaults and reads the fields. Problems are collected, so that one reading finds all of them.
 */
final class ObjectCollector implements DocumentSink {

  private static final String LIST_SUFFIX = "List";

  private final String file;
  private final boolean keepSources;
  private final Problems problems = new Problems();
  private final Problems unknownFields = new Problems();
  private final SharedValues shared;
  private final KeptMemory kept;
  private final List<Manifest> manifests = new ArrayList<>();
  private final List<SkippedObject> skipped = new ArrayList<>();

  private int documents; // complete ones

  // The current document. Whether it is a list may turn out only at its end.
  private int manifestsBefore;
  private int skippedBefore;
  private int problemsBefore;
  private int unknownFieldsBefore;
  private boolean hasItems;
  private Type listType = Type.NONE; // as far as it is known at the first item
  private final List<Deferred> deferred = new ArrayList<>();

  /** What an object says it is. */
  private record Type(String apiVersion, String kind) {

    static final Type NONE = new Type("", "");

    boolean isNone() {
      return apiVersion.isEmpty() && kind.isEmpty();
    }

    boolean isList() {
      return kind.endsWith(LIST_SUFFIX);
    }

    /** The type of items that do not name their own; empty for the untyped {@code List}. */
    Type ofItems() {
      return new Type(apiVersion, kind.substring(0, kind.length() - LIST_SUFFIX.length()));
    }
  }

  /**
   * An item without type that was met before the type of its list, or an item after one; kept as
   * text, which is small.
   */
  private record Deferred(int index, String json) {}

  ObjectCollector(InputFile file, boolean keepSources, SharedValues shared) {
    this.file = file.name();
    this.keepSources = keepSources;
    this.shared = shared;
    this.kept = new KeptMemory(file.size());
  }

  ManifestFile result() {
    return new ManifestFile(file, manifests, skipped, unknownFields.list(file));
  }

  Problems problems() {
    return problems;
  }

  /** Tells of a fault after which nothing more can be read. */
  void fail(DocumentException fault) {
    problems.add(origin(), fault.place(), "", "", fault.fault());
  }

  @Override
  public void item(Json.Fields head, int index, Json item, long bytes) throws DocumentException {
    kept.check(bytes);
    if (!hasItems) {
      hasItems = true;
      listType = typeOf(head, Type.NONE);
    }
    boolean isKnown =
        listType.isList()
            || (item instanceof Json.Fields object && !typeOf(object, Type.NONE).isNone());
    if (isKnown && deferred.isEmpty()) {
      Type inherited = listType.isList() ? listType.ofItems() : Type.NONE;
      object(item, inherited, origin().item(index));
    } else {
      String json = JsonText.writeBounded(item);
      kept.add(KeptMemory.RECORD + Footprint.text(json));
      deferred.add(new Deferred(index, json));
    }
  }

  @Override
  public void document(Json document, long bytes) throws DocumentException {
    kept.check(bytes);
    Type type = document instanceof Json.Fields head ? typeOf(head, Type.NONE) : Type.NONE;
    if (!hasItems) {
      object(document, Type.NONE, origin());
    } else if (type.isList()) {
      for (Deferred item : deferred) {
        kept.check(Footprint.text(item.json()));
        object(JsonText.parseValid(item.json()), type.ofItems(), origin().item(item.index()));
      }
    } else {
      notAList(document, type);
    }
    documents++;
    manifestsBefore = manifests.size();
    skippedBefore = skipped.size();
    problemsBefore = problems.size();
    unknownFieldsBefore = unknownFields.size();
    hasItems = false;
    deferred.clear();
  }

  /** What was read as items was something else. */
  private void notAList(Json document, Type type) throws DocumentException {
    manifests.subList(manifestsBefore, manifests.size()).clear();
    skipped.subList(skippedBefore, skipped.size()).clear();
    problems.truncate(problemsBefore);
    unknownFields.truncate(unknownFieldsBefore);
    if (ObjectKind.of(type.apiVersion(), type.kind()) == null) {
      object(document, Type.NONE, origin());
    } else {
      problems.add(origin(), type.kind(), "items", "not a field of this kind");
    }
  }

  private Origin origin() {
    return new Origin(file, documents + 1, "");
  }

  /** Takes an object, or each object of a list. */
  private void object(Json value, Type inherited, Origin origin) throws DocumentException {
    if (value == Json.Null.NULL) {
      return; // an empty document
    }
    if (!(value instanceof Json.Fields object)) {
      problems.add(
          origin, "", "", "expected an object with apiVersion and kind, found " + value.describe());
      return;
    }
    if (!checkType(object, inherited, origin)) {
      return;
    }
    Type type = typeOf(object, inherited);
    if (type.isList()) {
      items(object, type, origin);
      return;
    }
    ObjectKind<?> kind = ObjectKind.of(type.apiVersion(), type.kind());
    if (kind == null) {
      kept.add(KeptMemory.SKIPPED_OBJECT);
      String apiVersion = shared.text(type.apiVersion(), kept);
      String name = type.isNone() ? text(object.inAnyCase("kind")) : type.kind();
      skipped.add(new SkippedObject(origin, apiVersion, shared.text(name, kept)));
    } else {
      kept.add(KeptMemory.KUBERNETES_OBJECT);
      read(object, kind, type.apiVersion(), origin);
    }
    kept.check(0);
  }

  private void items(Json.Fields list, Type type, Origin origin) throws DocumentException {
    Json items = list.inAnyCase("items");
    if (items instanceof Json.Items elements) {
      int index = 0;
      for (Json element : elements.list()) {
        object(element, type.ofItems(), origin.item(index++));
      }
    } else if (items != null) {
      problems.add(origin, type.kind(), "items", "expected a list, found " + items.describe());
    }
  }

  private void read(Json.Fields object, ObjectKind<?> kind, String apiVersion, Origin origin)
      throws DocumentException {
    Json.Fields metadata =
        object.get("metadata") instanceof Json.Fields fields ? fields : Json.Fields.EMPTY;
    String name = kind.displayName(metadata.text("namespace"), metadata.text("name"));
    FieldReader.ProblemSink sink = (path, message) -> problems.add(origin, name, path, message);
    if (!kind.apiVersions().contains(apiVersion)) {
      sink.add(
          "apiVersion",
          apiVersion + " cannot be read; known are " + String.join(", ", kind.apiVersions()));
      return;
    }
    new UnknownFields((path, message) -> unknownFields.add(origin, name, path, message))
        .find(apiVersion, kind.kind(), object);
    Json.Fields v1 =
        apiVersion.endsWith("/v1beta1") ? V1Beta1.toV1(kind.kind(), object, sink) : object;
    KubernetesObject read =
        kind.reader()
            .apply(
                FieldReader.of(
                    Defaults.apply(kind.kind(), v1), new FieldReader.Context(sink, shared, kept)));
    String source = null;
    if (keepSources) {
      source = JsonText.writeBounded(v1.typed(kind.apiVersion(), kind.kind()));
      kept.add(Footprint.text(source));
    }
    manifests.add(Manifest.read(read, shared.text(apiVersion, kept), origin, source));
  }

  /** Kubernetes takes the type from the list only for items that name no API version. */
  private static Type typeOf(Json.Fields object, Type inherited) {
    String apiVersion = text(object.inAnyCase("apiVersion"));
    return apiVersion.isEmpty() ? inherited : new Type(apiVersion, text(object.inAnyCase("kind")));
  }

  private static String text(@Nullable Json value) {
    return value instanceof Json.Text text ? text.value() : "";
  }

  private boolean checkType(Json.Fields object, Type inherited, Origin origin) {
    for (String field : new String[] {"apiVersion", "kind"}) {
      Json value = object.inAnyCase(field);
      if (value != null && !(value instanceof Json.Text)) {
        problems.add(origin, "", field, "expected text, found " + value.describe());
        return false;
      }
    }
    String kind = text(object.inAnyCase("kind"));
    if (typeOf(object, Type.NONE).isNone()
        && !kind.isEmpty()
        && !inherited.kind().isEmpty()
        && !kind.equals(inherited.kind())) {
      problems.add(
          origin, "", "kind", "expected " + inherited.kind() + " as in the list, found " + kind);
      return false;
    }
    return true;
  }
}
