package io.dra4j.manifest.task;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.DocumentSink;
import io.dra4j.manifest.internal.json.JacksonTree;
import io.dra4j.manifest.internal.read.Problems;
import io.dra4j.manifest.internal.yaml.YamlDocuments;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The demand of a SkyPilot task for the resources of a cluster. Its commands, images and storage
 * are ignored.
 *
 * <p>Source: "SkyPilot YAML" of the documentation of SkyPilot ({@code docs/source/reference/
 * yaml-spec.rst}).
 *
 * @param name the name of the task; {@code task} if it has none
 * @param accelerator the kind of GPUs, as SkyPilot names it: {@code H200}; empty for none
 * @param accelerators the number of GPUs of each node
 * @param nodes the number of nodes
 * @param wantsBestNetwork whether {@code network_tier} is {@code best}, so that the task also wants
 *     the NICs of the GPUs
 */
public record SkyPilotTask(
    String name, String accelerator, int accelerators, int nodes, boolean wantsBestNetwork) {

  /** The format of the names of pods. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?");

  private static final Pattern ACCELERATOR =
      Pattern.compile("([A-Za-z0-9][-A-Za-z0-9.]{0,62})(?::([1-9][0-9]{0,3}))?");

  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_NODES = 100_000;

  /** Refuses null. {@inheritDoc} */
  public SkyPilotTask {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(accelerator, "accelerator");
  }

  /**
   * {@return the demand of the task that a stream describes}
   *
   * @param file the name of the input in messages
   * @param in the YAML of one task, read to its end
   * @throws ManifestException if it cannot be read, is not one task, or leaves a choice of
   *     resources
   */
  public static SkyPilotTask read(String file, InputStream in) throws ManifestException {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(in, "in");
    List<Json> documents = new ArrayList<>();
    try {
      byte[] text = in.readNBytes(MAX_BYTES + 1);
      if (text.length > MAX_BYTES) {
        throw bad(file, "is larger than " + MAX_BYTES + " bytes");
      }
      new YamlDocuments(
              new StringReader(new String(text, StandardCharsets.UTF_8)),
              ManifestLimits.DEFAULT,
              new Documents(documents))
          .read();
    } catch (DocumentException e) {
      throw bad(file, "line %d: %s".formatted(e.place().line(), e.fault()));
    } catch (IOException e) {
      throw bad(file, "cannot be read: " + e.getMessage());
    }
    if (documents.size() != 1 || !(documents.get(0) instanceof Json.Fields task)) {
      throw bad(file, "expected one SkyPilot task, found " + documents.size() + " documents");
    }
    return of(file, JacksonTree.of(task));
  }

  private static SkyPilotTask of(String file, JsonNode task) throws ManifestException {
    JsonNode resources = task.path("resources");
    if (!resources.isObject()) {
      throw bad(
          file,
          "resources: expected the resources of a SkyPilot task, such as accelerators: H200:8");
    } else if (resources.has("any_of") || resources.has("ordered")) {
      throw bad(file, "resources: expected one choice, found any_of or ordered");
    }
    String name = task.path("name").asText("task");
    if (!NAME.matcher(name).matches()) {
      throw bad(
          file, "name: expected lower-case letters, digits and '-', at most 52, found " + name);
    }
    JsonNode nodes = task.path("num_nodes");
    if (!nodes.isMissingNode()
        && (!nodes.isIntegralNumber() || nodes.asLong() < 1 || nodes.asLong() > MAX_NODES)) {
      throw bad(file, "num_nodes: expected 1 to %d, found %s".formatted(MAX_NODES, nodes));
    }
    String accelerators = accelerators(file, resources.path("accelerators"));
    String tier = resources.path("network_tier").asText("");
    int count = nodes.asInt(1);
    if (accelerators.isEmpty()) {
      return new SkyPilotTask(name, "", 0, count, tier.equals("best"));
    }
    Matcher matcher = ACCELERATOR.matcher(accelerators);
    if (!matcher.matches()) {
      throw bad(
          file,
          "resources.accelerators: expected KIND:COUNT, such as H200:8, found " + accelerators);
    }
    return new SkyPilotTask(
        name,
        matcher.group(1),
        matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2)),
        count,
        tier.equals("best"));
  }

  /** Returns the accelerators as {@code KIND:COUNT}, which is one of their notations. */
  private static String accelerators(String file, JsonNode wanted) throws ManifestException {
    if (wanted.isObject() && wanted.size() == 1) {
      Map.Entry<String, JsonNode> only = wanted.properties().iterator().next();
      return only.getKey() + ":" + only.getValue().asText();
    } else if (wanted.isContainerNode()) {
      throw bad(file, "resources.accelerators: expected one kind, found " + wanted.size());
    }
    return wanted.asText("");
  }

  private static ManifestException bad(String file, String what) {
    return new ManifestException(List.of(Problems.ofFile(file, what)));
  }

  /** Keeps whole documents. */
  private record Documents(List<Json> found) implements DocumentSink {

    @Override
    public void item(Json.Fields head, int index, Json item, long bytes) {
      found.add(item); // a list is not a task
    }

    @Override
    public void document(Json document, long bytes) {
      found.add(document);
    }
  }
}
