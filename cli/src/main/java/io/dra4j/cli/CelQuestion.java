package io.dra4j.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestFile;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A line of input of {@code dra4j cel}.
 *
 * @param expression the selector
 * @param driver the driver of the device
 * @param device the device
 * @param unknownFields a sentence for each field of the line or of the device that there is not
 */
record CelQuestion(String expression, String driver, Device device, List<String> unknownFields) {

  private static final List<String> FIELDS = List.of("expression", "driver", "device");

  /**
   * Reads a line; what is missing or null is left to its default.
   *
   * @throws JsonProcessingException if it is no JSON, or a field has a wrong type
   * @throws ManifestException if the device is none
   */
  static CelQuestion read(String line) throws JsonProcessingException, ManifestException {
    JsonNode input = expect(JsonTree.read(line), JsonNodeType.OBJECT, "the line");
    String driver = field(input, "driver", JsonNodeType.STRING).asText("");
    List<String> unknown = new ArrayList<>();
    input
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!FIELDS.contains(name)) {
                unknown.add("unknown field \"" + name + "\": want expression, driver and device");
              }
            });
    Device device = device(driver, field(input, "device", JsonNodeType.OBJECT), unknown);
    return new CelQuestion(
        field(input, "expression", JsonNodeType.STRING).asText(""), driver, device, unknown);
  }

  private static JsonNode field(JsonNode line, String name, JsonNodeType type)
      throws MismatchedInputException {
    return expect(line.path(name), type, name);
  }

  private static JsonNode expect(JsonNode value, JsonNodeType type, String what)
      throws MismatchedInputException {
    if (value.isMissingNode() || value.isNull() || value.getNodeType() == type) {
      return value;
    }
    throw MismatchedInputException.from(
        (JsonParser) null,
        JsonNode.class,
        "%s: expected %s, found %s".formatted(what, kind(type), kind(value.getNodeType())));
  }

  private static String kind(JsonNodeType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  /** Reads the device with the reader of manifests, as the only device of a slice. */
  private static Device device(String driver, JsonNode json, List<String> unknown)
      throws JsonProcessingException, ManifestException {
    ObjectNode slice = JsonTree.NODES.objectNode();
    slice.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceSlice");
    slice.putObject("metadata").put("name", "device");
    ObjectNode spec = slice.putObject("spec").put("driver", driver);
    spec.putObject("pool").put("name", "pool").put("generation", 1).put("resourceSliceCount", 1);
    ObjectNode device = spec.putArray("devices").addObject().put("name", "device");
    if (json instanceof ObjectNode fields) {
      device.setAll(fields);
    }
    byte[] text = JsonTree.bytes(slice);
    ManifestFile read = ManifestReader.create().readFile("device", new ByteArrayInputStream(text));
    read.unknownFields()
        .forEach(
            problem ->
                unknown.add(
                    problem.path().replace("spec.devices[0]", "device")
                        + ": "
                        + problem.message()));
    return read.manifests().stream()
        .map(manifest -> ((ResourceSlice) manifest.object()).devices().get(0))
        .findFirst()
        .orElseThrow();
  }
}
