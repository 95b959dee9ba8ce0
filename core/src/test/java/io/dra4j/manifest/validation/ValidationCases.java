package io.dra4j.manifest.validation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The objects that break or keep one rule: those of {@code valid.yaml} with a change of {@code
 * rules.txt} (a rule is broken) or {@code kept.txt} (all are kept, one of them just so), in each
 * version that has the kind.
 */
final class ValidationCases {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final List<String> VERSIONS = List.of("v1", "v1beta2", "v1beta1");
  private static final List<String> MAPS =
      List.of(
          ".attributes.",
          ".capacity.",
          ".labels.",
          ".annotations.",
          ".counters.",
          ".nodeAllocatableResources.");

  private static final Map<String, ObjectNode> VALID = read();

  /** What is different in the elements of a list that is made longer. */
  private static final List<String> DIFFERENT = List.of("name", "uid", "type");

  private ValidationCases() {}

  /**
   * An object with one change, in one version.
   *
   * @param rule the name of the rule that the change is about
   * @param object the name of the object of {@code valid.yaml} that is changed
   * @param path the place of the change, in version v1
   * @param value what is there then, see {@code rules.txt}
   * @param version for example {@code v1beta1}
   */
  record Case(String rule, String object, String path, String value, String version) {

    /** The object, changed, in its version. */
    ObjectNode changed() {
      ObjectNode changed = valid(object);
      try {
        change(changed, steps(path), value);
      } catch (RuntimeException | IOException e) {
        throw new IllegalStateException("no case: " + this, e);
      }
      return inVersion(changed, version);
    }
  }

  /** Objects that break a rule. */
  static List<Case> breaking() {
    return cases("rules.txt");
  }

  /** Objects that keep all rules. */
  static List<Case> keeping() {
    return cases("kept.txt");
  }

  /** The lines of a file of cases. */
  static List<String> lines(String file) {
    return new String(resource(file), UTF_8)
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }

  /** A copy of an object of {@code valid.yaml} in version v1. */
  static ObjectNode valid(String name) {
    return Objects.requireNonNull(VALID.get(name), name).deepCopy();
  }

  /** The names of the objects of {@code valid.yaml}. */
  static Set<String> names() {
    return VALID.keySet();
  }

  private static Map<String, ObjectNode> read() {
    Map<String, ObjectNode> objects = new LinkedHashMap<>();
    try {
      for (Manifest one :
          ManifestReader.builder()
              .build()
              .read("valid.yaml", new ByteArrayInputStream(resource("valid.yaml")))) {
        String name = one.object().metadata().name();
        objects.put(name.startsWith("gpu") ? "class" : name, (ObjectNode) one.source());
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return objects;
  }

  /** The versions that have a kind. */
  static List<String> versions(JsonNode object) {
    if (!isOfGroup(object)) {
      return List.of("v1");
    }
    return isTaintRule(object) ? List.of("v1", "v1beta2", "v1alpha3") : VERSIONS;
  }

  private static boolean isTaintRule(JsonNode object) {
    return object.get("kind").asText().equals("DeviceTaintRule");
  }

  private static boolean isOfGroup(JsonNode object) {
    return object.get("apiVersion").asText().startsWith("resource.k8s.io/");
  }

  /** Turns an object of version v1 into one of another version. */
  static ObjectNode inVersion(ObjectNode object, String version) {
    if (!isOfGroup(object)) {
      return object;
    }
    object.put("apiVersion", "resource.k8s.io/" + version);
    if (version.equals("v1beta1")) {
      JsonNode spec = object.path("spec");
      for (JsonNode device :
          spec.path("devices").isArray() ? spec.get("devices") : JSON.createArrayNode()) {
        ObjectNode basic = ((ObjectNode) device).deepCopy();
        basic.remove("name");
        ((ObjectNode) device).retain("name");
        ((ObjectNode) device).set("basic", basic);
      }
      JsonNode devices = spec.has("spec") ? spec.get("spec").path("devices") : spec.path("devices");
      for (JsonNode request : devices.path("requests")) {
        JsonNode exactly = ((ObjectNode) request).remove("exactly");
        if (exactly != null) {
          ((ObjectNode) request).setAll((ObjectNode) exactly);
        }
      }
    }
    return object;
  }

  private static List<Case> cases(String file) {
    List<Case> cases = new ArrayList<>();
    for (String line : lines(file)) {
      String except = line.replaceFirst(".* !(v1[a-z0-9]*)$", "$1");
      String[] words = line.replaceFirst(" !v1[a-z0-9]*$", "").split(" ", 4);
      for (String version : versions(valid(words[1]))) {
        if (!version.equals(except)) {
          cases.add(new Case(words[0], words[1], words[2], words[3], version));
        }
      }
    }
    return cases;
  }

  static byte[] resource(String name) {
    try (InputStream in = ValidationCases.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Keys of maps hold dots and slashes: what stands behind the name of one is a key. */
  private static List<String> steps(String text) {
    for (String map : MAPS) {
      int at = text.indexOf(map);
      if (at > 0 && text.indexOf('/', at) > 0) {
        List<String> steps = new ArrayList<>(List.of(text.substring(0, at).split("\\.")));
        steps.add(map.substring(1, map.length() - 1));
        steps.add(text.substring(at + map.length()));
        return steps;
      }
    }
    return List.of(text.split("\\."));
  }

  /** Puts a value at a place of an object. */
  static void change(JsonNode object, List<String> path, String value) throws IOException {
    JsonNode parent = object;
    for (String step : path.subList(0, path.size() - 1)) {
      parent = parent.isArray() ? parent.get(Integer.parseInt(step)) : parent.get(step);
    }
    String last = path.get(path.size() - 1);
    if (parent instanceof ArrayNode list) {
      int index = Integer.parseInt(last);
      if (index < list.size()) {
        list.set(index, value(list.get(index), value));
      } else {
        list.add(value(list.get(0), value));
      }
    } else if (value.equals("-")) {
      ((ObjectNode) parent).remove(last);
    } else {
      ((ObjectNode) parent).set(last, value(parent.path(last), value));
    }
  }

  private static JsonNode value(JsonNode before, String value) throws IOException {
    if (!value.matches("[0-9]+\\*.*")) {
      return JSON.readTree(value);
    }
    int count = Integer.parseInt(value.substring(0, value.indexOf('*')));
    String text = value.substring(value.indexOf('*') + 1);
    if (text.equals("x")) {
      return JSON.getNodeFactory().textNode("x".repeat(count));
    }
    if (!text.isEmpty()) {
      return JSON.getNodeFactory().textNode(" ".repeat(count - text.length()) + text);
    }
    if (before instanceof ObjectNode map) {
      JsonNode first = map.elements().next();
      for (int i = 0; map.size() < count; i++) {
        map.set("n" + i, first);
      }
      return map;
    }
    ArrayNode list = JSON.createArrayNode();
    for (int i = 0; i < count; i++) {
      JsonNode copy = before.get(0).deepCopy();
      for (String field : DIFFERENT) {
        if (copy instanceof ObjectNode object && object.has(field)) {
          object.put(field, "n" + i);
        }
      }
      list.add(copy);
    }
    return list;
  }

  private static boolean isError(String rule) {
    return ValidationRule.byId(rule).severity() == ValidationRule.Severity.ERROR;
  }

  /**
   * Prints all cases and the objects without any change, one JSON object a line: {@code rule} and
   * {@code case} (what is changed; both empty for nothing), whether the object is {@code valid},
   * and the {@code object}. {@code e2e/kube/check} gives them to an API server.
   */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, false, UTF_8);
    for (String name : names()) {
      for (String version : versions(valid(name))) {
        print(out, "", "", true, inVersion(valid(name), version));
      }
    }
    for (Case one : breaking()) {
      print(out, one.rule(), text(one), !isError(one.rule()), one.changed());
    }
    for (Case one : keeping()) {
      print(out, one.rule(), text(one), true, one.changed());
    }
    out.flush();
  }

  private static String text(Case one) {
    return String.join(" ", one.object(), one.path(), one.value());
  }

  private static void print(
      PrintStream out, String rule, String change, boolean isValid, ObjectNode object)
      throws IOException {
    ObjectNode line = JSON.createObjectNode();
    line.put("rule", rule).put("case", change).put("valid", isValid).set("object", object);
    out.println(JSON.writeValueAsString(line));
  }
}
