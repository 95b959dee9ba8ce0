package io.dra4j.manifest;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.io.ByteStreams;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.model.KubernetesObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads manifests: YAML with one or more documents, or a stream of JSON values; single objects and
 * lists. Objects of kinds that dra4j does not know are passed over. Immutable and thread-safe.
 */
public final class ManifestReader {

  private static final int BYTE_ORDER_MARK = 0xfeff;

  private final ManifestLimits limits;
  private final boolean keepSources;

  private ManifestReader(ManifestLimits limits, boolean keepSources) {
    this.limits = limits;
    this.keepSources = keepSources;
  }

  /**
   * A reader with the default limits that keeps source documents.
   *
   * @return the reader
   */
  public static ManifestReader create() {
    return new ManifestReader(ManifestLimits.DEFAULT, true);
  }

  /**
   * The same reader with other limits.
   *
   * @param other the limits
   * @return the reader
   */
  public ManifestReader withLimits(ManifestLimits other) {
    return new ManifestReader(other, keepSources);
  }

  /**
   * The same reader, but it forgets the source documents, for those who will not write the objects
   * back. Saves most of the memory.
   *
   * @return the reader
   */
  public ManifestReader withoutSources() {
    return new ManifestReader(limits, false);
  }

  /**
   * Reads a file.
   *
   * @param file YAML or JSON
   * @return the objects in it, in order
   * @throws ManifestException if it cannot be read, is too large, or is not what it should be
   */
  public List<Manifest> read(Path file) throws ManifestException {
    String name = file.toString();
    try {
      if (Files.isDirectory(file)) {
        throw refused(name, "is a directory");
      }
      if (Files.size(file) > limits.maxFileBytes()) {
        throw tooLarge(name);
      }
      try (InputStream in = Files.newInputStream(file)) {
        return read(name, in);
      }
    } catch (NoSuchFileException e) {
      throw refused(name, "no such file");
    } catch (IOException e) {
      throw refused(name, "cannot be read: " + e);
    }
  }

  /**
   * Reads a stream to its end.
   *
   * @param name how messages call it
   * @param in YAML or JSON
   * @return the objects in it, in order
   * @throws ManifestException if it cannot be read, is too large, or is not what it should be
   */
  public List<Manifest> read(String name, InputStream in) throws ManifestException {
    byte[] bytes;
    try {
      bytes = ByteStreams.toByteArray(ByteStreams.limit(in, limits.maxFileBytes() + 1));
    } catch (IOException e) {
      throw refused(name, "cannot be read: " + e);
    }
    if (bytes.length > limits.maxFileBytes()) {
      throw tooLarge(name);
    }
    Reading reading = new Reading(name);
    if (looksLikeJson(bytes)) {
      try {
        reading.json(bytes);
        return reading.finish();
      } catch (JsonProcessingException e) {
        // It may still be YAML in flow style. If it is not, the JSON error tells more.
        Reading asYaml = new Reading(name);
        try {
          asYaml.yaml(bytes);
        } catch (ManifestException notYaml) {
          throw new ManifestException(
              new Problem(
                  name,
                  reading.document,
                  "",
                  placeOf(e.getLocation()),
                  String.valueOf(e.getOriginalMessage()).replace('\n', ' ')));
        }
        return asYaml.finish();
      } catch (IOException e) {
        throw refused(name, "cannot be read: " + e);
      }
    }
    reading.yaml(bytes);
    return reading.finish();
  }

  private static String placeOf(@Nullable JsonLocation location) {
    return location == null
        ? ""
        : "line " + location.getLineNr() + ", column " + location.getColumnNr();
  }

  private static boolean looksLikeJson(byte[] bytes) {
    for (byte b : bytes) {
      if (b != ' ' && b != '\t' && b != '\n' && b != '\r') {
        return b == '{' || b == '[';
      }
    }
    return false;
  }

  private ManifestException tooLarge(String name) {
    return refused(name, "is larger than the limit of " + limits.maxFileBytes() + " bytes");
  }

  private static ManifestException refused(String name, String why) {
    return new ManifestException(Problem.ofFile(name, why));
  }

  /** One file on its way from text to objects. */
  private final class Reading {

    private final String file;
    private final List<Manifest> manifests = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private int document;

    Reading(String file) {
      this.file = file;
    }

    List<Manifest> finish() throws ManifestException {
      if (!problems.isEmpty()) {
        throw new ManifestException(problems);
      }
      return List.copyOf(manifests);
    }

    void yaml(byte[] bytes) throws ManifestException {
      YamlText documents = new YamlText(file, decoded(bytes), limits);
      for (JsonNode value = documents.next(); value != null; value = documents.next()) {
        document = documents.document();
        document(value);
      }
    }

    void json(byte[] bytes) throws IOException {
      try (JsonParser parser = JsonText.parser(bytes, limits)) {
        while (parser.nextToken() != null) {
          document++;
          if (parser.currentToken() == JsonToken.START_OBJECT) {
            jsonObject(parser);
          } else {
            document(JsonText.value(parser));
          }
        }
      }
    }

    /**
     * Reads one object. Items of a list that say themselves what they are become objects one at a
     * time, so that a big list is never in memory as a whole.
     */
    private void jsonObject(JsonParser parser) throws IOException {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String field = parser.currentName();
        if (parser.nextToken() == JsonToken.START_ARRAY && field.equals("items")) {
          var others = JsonNodeFactory.instance.arrayNode();
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            JsonNode item = JsonText.value(parser);
            if (item.path("apiVersion").isTextual()
                && item.path("kind").isTextual()
                && !item.path("kind").asText().endsWith("List")
                && others.isEmpty()) {
              object((ObjectNode) item, item.get("apiVersion").asText(), item.get("kind").asText());
            } else {
              others.add(item);
            }
          }
          object.set(field, others);
        } else {
          object.set(field, JsonText.value(parser));
        }
      }
      document(object);
    }

    private String decoded(byte[] bytes) throws ManifestException {
      try {
        String text =
            StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes))
                .toString();
        return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
      } catch (CharacterCodingException e) {
        throw refused(file, "is not UTF-8 text");
      }
    }

    private void document(JsonNode value) {
      if (value.isNull() || value.isMissingNode()) {
        return;
      }
      if (value instanceof ObjectNode object) {
        objectOrList(object, "", "");
      } else {
        problem("", "expected an object with apiVersion and kind, found something else");
      }
    }

    /** Items of a typed list may leave out what they are. */
    private void objectOrList(ObjectNode object, String listVersion, String itemKind) {
      JsonNode version = object.path("apiVersion");
      JsonNode kind = object.path("kind");
      if ((!version.isTextual() && !version.isMissingNode() && !version.isNull())
          || (!kind.isTextual() && !kind.isMissingNode() && !kind.isNull())) {
        problem("", "apiVersion and kind must be text");
        return;
      }
      String apiVersion = version.asText("");
      String kindName = kind.asText("");
      if (version.isMissingNode() || version.isNull() || apiVersion.isEmpty()) {
        apiVersion = listVersion;
        kindName = itemKind;
      }
      if (!kindName.endsWith("List")) {
        object(object, apiVersion, kindName);
        return;
      }
      JsonNode items = object.path("items");
      if (!items.isArray() && !items.isMissingNode() && !items.isNull()) {
        problem(kindName, "items: expected a list");
        return;
      }
      String elementKind = kindName.substring(0, kindName.length() - "List".length());
      for (JsonNode item : items) {
        if (item instanceof ObjectNode itemObject) {
          objectOrList(itemObject, apiVersion, elementKind);
        } else if (!item.isNull()) {
          problem(kindName, "items: expected objects");
        }
      }
    }

    private void object(ObjectNode object, String apiVersion, String kindName) {
      Kind kind = Kind.find(apiVersion, kindName).orElse(null);
      if (kind == null) {
        return;
      }
      String name = object.path("metadata").path("name").asText("");
      String what = kindName + " " + name;
      if (!kind.readable().contains(apiVersion)) {
        if (apiVersion.startsWith("resource.k8s.io/")) {
          problem(
              what,
              "apiVersion %s cannot be read; known are %s"
                  .formatted(apiVersion, String.join(", ", kind.readable())));
        }
        return;
      }
      Manifest.Origin origin = new Manifest.Origin(file, document);
      Fields.Problems found = new Fields.Problems(origin, what);
      ObjectNode v1 = V1Conversion.convert(object, kind, apiVersion);
      KubernetesObject read = kind.read(Fields.of(v1, found));
      if (found.all().isEmpty()) {
        manifests.add(new Manifest(read, keepSources ? v1 : null, origin));
      } else {
        problems.addAll(found.all());
      }
    }

    private void problem(String object, String message) {
      problems.add(new Problem(file, document, object, "", message));
    }
  }
}
