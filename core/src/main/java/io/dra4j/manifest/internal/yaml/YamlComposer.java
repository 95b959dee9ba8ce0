package io.dra4j.manifest.internal.yaml;

import io.dra4j.manifest.Json;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.FixedLimits;
import io.dra4j.manifest.internal.json.Footprint;
import io.dra4j.manifest.internal.json.JsonComposer;
import io.dra4j.manifest.internal.json.JsonFaults;
import io.dra4j.manifest.internal.json.JsonText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;

/**
 * Creates values from the events of one YAML document. Aliases are replaced by their values, which
 * needs no memory, since values are immutable. The later cost of traversing and copying them is
 * limited as if each were a separate value.
 */
final class YamlComposer {

  /** The anchors that Kubernetes' YAML reader accepts. */
  private static final Pattern ANCHOR = Pattern.compile("[0-9A-Za-z_-]+");

  private final YamlEvents events;
  private final ManifestLimits limits;
  private final JsonComposer.Duplicates duplicates;
  private final Map<String, Anchored> anchors = new HashMap<>();
  private long anchoredBytes;
  private long bytes;
  private int depth;

  /** The rest of the file's allowance for values that aliases repeat. */
  private long aliasAllowance;

  /** A value to which aliases may refer; without a value while it is being read. */
  private record Anchored(@Nullable Json value, long bytes, int height) {

    static final Anchored OPEN = new Anchored(null, 0, 0);

    static Anchored of(Json value) {
      return new Anchored(value, Footprint.of(value), height(value));
    }

    private static int height(Json value) {
      int height = 0;
      for (Json child : children(value)) {
        height = Math.max(height, height(child));
      }
      return value instanceof Json.Fields || value instanceof Json.Items ? height + 1 : 0;
    }

    private static Iterable<Json> children(Json value) {
      if (value instanceof Json.Fields object) {
        return object.map().values();
      }
      return value instanceof Json.Items items ? items.list() : List.of();
    }
  }

  /** A mapping that is being read. */
  static final class Mapping {
    final Map<String, Json> fields = new LinkedHashMap<>();
    private final Set<String> merged = new HashSet<>();
  }

  YamlComposer(
      YamlEvents events,
      ManifestLimits limits,
      long aliasAllowance,
      JsonComposer.Duplicates duplicates) {
    this.duplicates = duplicates;
    this.events = events;
    this.limits = limits;
    this.aliasAllowance = aliasAllowance;
  }

  long aliasAllowance() {
    return aliasAllowance;
  }

  /** Restarts the count of memory; the limit applies to each object of the document separately. */
  void startObject() {
    bytes = 0;
  }

  /** The memory of the object so far. */
  long bytes() {
    return bytes;
  }

  private void count(Event event, long more) throws DocumentException {
    bytes += more;
    if (bytes > FixedLimits.MAX_OBJECT_BYTES) {
      throw events.fault(
          event, "an object takes more than " + FixedLimits.MAX_OBJECT_BYTES + " bytes of memory");
    }
  }

  /** Goes past the start of a collection. */
  void enter() throws DocumentException {
    Event start = events.advance();
    if (++depth > limits.maxDepth()) {
      throw tooDeep(start);
    }
  }

  /** Goes past the end of a collection. */
  void leave() throws DocumentException {
    events.advance();
    depth--;
  }

  /** Reads the value that begins at the current event. */
  Json compose() throws DocumentException {
    Event event = events.current();
    if (event instanceof AliasEvent alias) {
      return resolve(alias);
    }
    if (!(event instanceof NodeEvent node)) {
      throw events.fault(event, "a value is missing");
    }
    String anchor = node.getAnchor();
    if (anchor != null) {
      if (!ANCHOR.matcher(anchor).matches()) {
        throw events.fault(event, "an anchor must consist of letters, digits, _ and -");
      }
      anchors.put(anchor, Anchored.OPEN);
    }
    Json value = node instanceof ScalarEvent scalar ? scalar(scalar) : collection(node);
    if (anchor != null) {
      keep(anchor, value, node);
    }
    return value;
  }

  private void keep(String anchor, Json value, NodeEvent node) throws DocumentException {
    Anchored anchored = Anchored.of(value);
    anchoredBytes += anchored.bytes() + Footprint.OBJECT + Footprint.text(anchor);
    if (anchoredBytes > FixedLimits.MAX_ANCHOR_BYTES) {
      throw events.fault(
          node, "anchors keep more than " + FixedLimits.MAX_ANCHOR_BYTES + " bytes of memory");
    }
    anchors.replace(anchor, Anchored.OPEN, anchored); // unless it was redefined inside
  }

  private Json resolve(AliasEvent alias) throws DocumentException {
    events.advance();
    String name = alias.getAnchor();
    Anchored anchored = anchors.get(name);
    if (anchored == null) {
      throw events.fault(alias, "unknown anchor \"" + name + '"');
    }
    Json value = anchored.value();
    if (value == null) {
      throw events.fault(alias, "anchor \"" + name + "\" contains itself");
    }
    long repeated = anchored.bytes() + Footprint.ELEMENT;
    if (repeated > aliasAllowance) {
      throw events.fault(
          alias, "aliases repeat more than " + limits.maxAliasBytes() + " bytes in this file");
    }
    aliasAllowance -= repeated;
    count(alias, anchored.bytes());
    if (depth + anchored.height() > limits.maxDepth()) {
      throw tooDeep(alias);
    }
    return value;
  }

  /** Rejects unpaired surrogates of escapes in double quotes; elsewhere they are invalid UTF-8. */
  private void checkWhole(ScalarEvent scalar) throws DocumentException {
    String half = scalar.isPlain() ? null : JsonFaults.halfCharacter(scalar.getValue());
    if (half != null) {
      throw events.fault(scalar, half);
    }
  }

  private Json scalar(ScalarEvent scalar) throws DocumentException {
    events.advance();
    try {
      count(scalar, Footprint.scalar(scalar.getValue()));
      checkWhole(scalar);
      return YamlScalars.resolve(scalar.getTag(), scalar.isPlain(), scalar.getValue());
    } catch (YamlScalars.ScalarException e) {
      throw events.fault(scalar, message(e));
    }
  }

  private Json collection(NodeEvent start) throws DocumentException {
    enter();
    Json value;
    if (start.is(Event.ID.MappingStart)) {
      count(start, Footprint.OBJECT);
      Mapping mapping = new Mapping();
      while (!events.is(Event.ID.MappingEnd)) {
        entry(mapping);
      }
      value = new Json.Fields(mapping.fields);
    } else {
      count(start, Footprint.LIST);
      List<Json> items = new ArrayList<>();
      while (!events.is(Event.ID.SequenceEnd)) {
        count(events.current(), Footprint.ELEMENT);
        items.add(compose());
      }
      value = new Json.Items(items);
    }
    leave();
    return value;
  }

  /** Reads one entry of a mapping: a field, or a merge of other mappings. */
  void entry(Mapping mapping) throws DocumentException {
    if (isMerge(events.current())) {
      merge(mapping);
    } else {
      String name = name(mapping);
      mapping.fields.put(name, compose());
    }
  }

  /** Reads the name of a field. */
  String name(Mapping mapping) throws DocumentException {
    Event event = events.current();
    String name = name(event);
    if (mapping.fields.containsKey(name) && !mapping.merged.remove(name)) {
      duplicates.add(YamlCursor.place(event), name);
    }
    count(event, Footprint.field(name));
    return name;
  }

  private String name(Event event) throws DocumentException {
    if (event instanceof ScalarEvent scalar && scalar.getAnchor() == null) {
      events.advance();
      checkWhole(scalar);
      try {
        return YamlScalars.key(scalar.getTag(), scalar.isPlain(), scalar.getValue());
      } catch (YamlScalars.ScalarException e) {
        throw events.fault(scalar, message(e));
      }
    }
    Json key = compose();
    if (key instanceof Json.Text text) {
      return text.value();
    } else if (key instanceof Json.Num || key instanceof Json.Flag) {
      return JsonText.write(key);
    }
    throw events.fault(event, key.describe() + " cannot be a field name");
  }

  static boolean isMerge(Event event) {
    return event instanceof ScalarEvent scalar
        && scalar.getValue().equals("<<")
        && (scalar.getTag() == null ? scalar.isPlain() : isMergeTag(scalar.getTag()));
  }

  private static boolean isMergeTag(String tag) {
    return tag.equals("tag:yaml.org,2002:merge");
  }

  /**
   * Copies the fields of one or several mappings. As in go.yaml.in/yaml/v2, they replace fields
   * above them, and fields below replace them; of several mappings the first one counts.
   */
  private void merge(Mapping mapping) throws DocumentException {
    Event key = events.advance();
    Event start = events.current();
    Json value = compose();
    List<Json> sources =
        value instanceof Json.Items items && start instanceof CollectionStartEvent
            ? items.list()
            : List.of(value);
    for (int i = sources.size() - 1; i >= 0; i--) {
      if (!(sources.get(i) instanceof Json.Fields source)) {
        throw events.fault(key, "<< takes a mapping or a list of mappings");
      }
      count(key, (long) Footprint.FIELD * source.map().size());
      mapping.fields.putAll(source.map());
      mapping.merged.addAll(source.map().keySet());
    }
  }

  private DocumentException tooDeep(Event event) {
    return events.fault(event, "nested deeper than " + limits.maxDepth() + " levels");
  }

  private static String message(YamlScalars.ScalarException e) {
    return String.valueOf(e.getMessage());
  }
}
