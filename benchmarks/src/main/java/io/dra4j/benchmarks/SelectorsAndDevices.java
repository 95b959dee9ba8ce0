package io.dra4j.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ResourceSlice;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The input of the benchmarks of selectors, which {@code oracle bench-cel-pairs} reads, too.
 *
 * @param mixed selectors that match or do not
 * @param general expressions with functions and loops
 * @param missing a selector that reads what no device has
 * @param slices the devices, a slice per driver
 */
public record SelectorsAndDevices(
    List<String> mixed, List<String> general, String missing, List<ResourceSlice> slices) {

  /** How many selectors are mixed. */
  public static final int MIXED = 8;

  /** How many devices there are. */
  public static final int DEVICES = 64;

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads a file.
   *
   * @param file its name
   * @return the input
   * @throws IOException if it cannot be read, or has another number of selectors or devices
   * @throws ManifestException if a device is none
   */
  public static SelectorsAndDevices read(String file) throws IOException, ManifestException {
    JsonNode all = JSON.readTree(new File(file));
    Map<String, ArrayNode> byDriver = new LinkedHashMap<>();
    for (JsonNode line : all.path("devices")) {
      ArrayNode devices =
          byDriver.computeIfAbsent(line.path("driver").asText(), any -> JSON.createArrayNode());
      ObjectNode device = devices.addObject().put("name", "device-" + devices.size());
      device.setAll((ObjectNode) line.path("device"));
    }
    List<ResourceSlice> slices = new ArrayList<>();
    for (Map.Entry<String, ArrayNode> entry : byDriver.entrySet()) {
      slices.add(slice(entry.getKey(), entry.getValue()));
    }
    List<String> mixed = texts(all.path("mixed"));
    int devices = slices.stream().mapToInt(slice -> slice.devices().size()).sum();
    if (mixed.size() != MIXED || devices != DEVICES) {
      throw new IOException(file + ": another number of selectors or devices than expected");
    }
    return new SelectorsAndDevices(
        mixed, texts(all.path("general")), all.path("missing").asText(), slices);
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static ResourceSlice slice(String driver, ArrayNode devices)
      throws IOException, ManifestException {
    ObjectNode slice = JSON.createObjectNode();
    slice.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceSlice");
    slice.putObject("metadata").put("name", driver);
    ObjectNode spec = slice.putObject("spec").put("driver", driver);
    spec.putObject("pool").put("name", "pool").put("generation", 1).put("resourceSliceCount", 1);
    spec.set("devices", devices);
    byte[] text = JSON.writeValueAsBytes(slice);
    return (ResourceSlice)
        ManifestReader.builder()
            .build()
            .read(driver, new ByteArrayInputStream(text))
            .get(0)
            .object();
  }
}
