package io.dra4j.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.ManifestException.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * YAML documents as JSON values, as Kubernetes converts them. Composes the values itself, because
 * aliases must be resolved within a bound, duplicate keys refused, and scalars read as Go reads
 * them.
 */
final class YamlText {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final String file;
  private final ManifestLimits limits;
  private final Parser events;
  private int document;

  // Of the current document.
  private final Map<String, Anchored> anchors = new HashMap<>();
  private long values;
  private long aliased;

  /** A value that aliases can stand for, with what each of them costs. */
  private record Anchored(JsonNode value, long values, int depth) {}

  YamlText(String file, String text, ManifestLimits limits) {
    this.file = file;
    this.limits = limits;
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE); // the size of the file is limited already
    this.events = new ParserImpl(new StreamReader(text), options);
  }

  /**
   * The next document, or null behind the last one. An empty document is a null value.
   *
   * @throws ManifestException if the text is no YAML, or over a limit
   */
  @Nullable JsonNode next() throws ManifestException {
    document++;
    anchors.clear();
    values = 0;
    aliased = 0;
    try {
      while (true) {
        Event event = events.getEvent();
        if (event.is(Event.ID.StreamEnd)) {
          return null;
        }
        if (event.is(Event.ID.DocumentStart)) {
          JsonNode value = compose(events.getEvent(), 1).value();
          events.getEvent(); // the end of the document
          return value;
        }
      }
    } catch (MarkedYAMLException e) {
      throw problem(e.getProblemMark(), String.valueOf(e.getProblem()));
    } catch (YAMLException e) {
      throw problem(null, String.valueOf(e.getMessage()));
    }
  }

  /** The number of the document that was read last, from 1. */
  int document() {
    return document;
  }

  private Anchored compose(Event event, int depth) throws ManifestException {
    if (depth > limits.maxDepth()) {
      throw problem(event.getStartMark(), "nested more than " + limits.maxDepth() + " levels deep");
    }
    if (event instanceof AliasEvent alias) {
      return resolve(alias, depth);
    }
    long before = values++;
    int deepest = 1;
    JsonNode value;
    if (event instanceof ScalarEvent scalar) {
      value = scalar(scalar);
    } else if (event instanceof SequenceStartEvent) {
      ArrayNode array = JSON.arrayNode();
      for (Event item = events.getEvent();
          !item.is(Event.ID.SequenceEnd);
          item = events.getEvent()) {
        Anchored element = compose(item, depth + 1);
        array.add(element.value());
        deepest = Math.max(deepest, element.depth() + 1);
      }
      value = array;
    } else if (event instanceof MappingStartEvent) {
      ObjectNode object = JSON.objectNode();
      deepest = composeMapping(object, depth);
      value = object;
    } else {
      throw problem(event.getStartMark(), "unexpected " + event);
    }
    Anchored composed = new Anchored(value, values - before, deepest);
    String anchor = ((NodeEvent) event).getAnchor();
    if (anchor != null) {
      anchors.put(anchor, composed);
    }
    return composed;
  }

  private Anchored resolve(AliasEvent alias, int depth) throws ManifestException {
    Anchored target = anchors.get(alias.getAnchor());
    if (target == null) {
      throw problem(
          alias.getStartMark(),
          "alias *" + alias.getAnchor() + " stands for nothing, or for something around itself");
    }
    aliased += target.values();
    values += target.values();
    if (aliased > limits.maxAliasExpansion()) {
      throw problem(
          alias.getStartMark(),
          "aliases stand for more than " + limits.maxAliasExpansion() + " values");
    }
    if (depth - 1 + target.depth() > limits.maxDepth()) {
      throw problem(alias.getStartMark(), "nested more than " + limits.maxDepth() + " levels deep");
    }
    return target;
  }

  private int composeMapping(ObjectNode object, int depth) throws ManifestException {
    int deepest = 1;
    ObjectNode merged = JSON.objectNode();
    Set<String> own = new HashSet<>();
    for (Event event = events.getEvent();
        !event.is(Event.ID.MappingEnd);
        event = events.getEvent()) {
      boolean isMerge =
          event instanceof ScalarEvent scalar && scalar.isPlain() && scalar.getValue().equals("<<");
      Mark where = event.getStartMark();
      String key = isMerge ? "<<" : key(compose(event, depth + 1).value(), where);
      Anchored value = compose(events.getEvent(), depth + 1);
      deepest = Math.max(deepest, value.depth() + 1);
      if (isMerge) {
        merge(value.value(), merged, where);
      } else if (!own.add(key)) {
        throw problem(where, "the key \"" + key + "\" is there twice");
      } else {
        object.set(key, value.value());
      }
    }
    merged.properties().forEach(entry -> object.putIfAbsent(entry.getKey(), entry.getValue()));
    return deepest;
  }

  /** YAML 1.1 merge keys: what an earlier mapping has is kept. */
  private void merge(JsonNode value, ObjectNode merged, Mark where) throws ManifestException {
    if (value.isArray()) {
      for (JsonNode element : value) {
        merge(element, merged, where);
      }
    } else if (value.isObject()) {
      value.properties().forEach(entry -> merged.putIfAbsent(entry.getKey(), entry.getValue()));
    } else {
      throw problem(where, "<< needs a mapping, or a list of mappings");
    }
  }

  /** JSON keys are text; Kubernetes writes numbers and truth values as such. */
  private String key(JsonNode key, Mark where) throws ManifestException {
    if (key.isTextual() || key.isNumber() || key.isBoolean()) {
      return key.asText();
    }
    throw problem(where, "a key must be text, a number or a truth value");
  }

  private JsonNode scalar(ScalarEvent scalar) throws ManifestException {
    String text = scalar.getValue();
    String tag = scalar.getTag();
    try {
      if (tag == null || tag.equals("!")) {
        return scalar.isPlain() && tag == null ? YamlScalar.resolve(text) : JSON.textNode(text);
      }
      if (tag.equals(Tag.STR.getValue()) || tag.equals(Tag.TIMESTAMP.getValue())) {
        return JSON.textNode(text);
      }
      if (tag.equals(Tag.BINARY.getValue())) {
        byte[] bytes = Base64.getMimeDecoder().decode(text);
        return JSON.textNode(new String(bytes, StandardCharsets.UTF_8));
      }
      JsonNode value = YamlScalar.resolve(text);
      boolean fits =
          (tag.equals(Tag.INT.getValue()) && value.isIntegralNumber())
              || (tag.equals(Tag.FLOAT.getValue()) && value.isNumber())
              || (tag.equals(Tag.BOOL.getValue()) && value.isBoolean())
              || (tag.equals(Tag.NULL.getValue()) && value.isNull());
      if (fits) {
        return value;
      }
      if (!tag.startsWith(Tag.PREFIX)) {
        return JSON.textNode(text);
      }
      throw problem(scalar.getStartMark(), "\"" + text + "\" is no " + tag);
    } catch (IllegalArgumentException e) {
      throw problem(scalar.getStartMark(), String.valueOf(e.getMessage()));
    }
  }

  private ManifestException problem(@Nullable Mark mark, String message) {
    String where =
        mark == null ? "" : "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
    return new ManifestException(
        new Problem(file, document, "", where, message.strip().replace('\n', ' ')));
  }
}
