package io.dra4j.dranet.cloud;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.model.DeviceAttribute;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Collects attributes of one domain. Leaves out attributes that the cloud leaves empty. */
final class Facts {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String domain;
  private final Map<String, DeviceAttribute> attributes = new TreeMap<>();

  Facts(String domain) {
    this.domain = domain;
  }

  void text(String name, String value) {
    if (!value.isBlank()) {
      attributes.put(domain + "/" + name, DeviceAttribute.of(value.strip()));
    }
  }

  void number(String name, String value) throws IOException {
    if (!value.isBlank()) {
      try {
        attributes.put(domain + "/" + name, DeviceAttribute.of(Long.parseLong(value.strip())));
      } catch (NumberFormatException e) {
        throw new IOException("metadata of " + domain + "/" + name + ": expected a number", e);
      }
    }
  }

  Map<String, DeviceAttribute> attributes() {
    return attributes;
  }

  /** Parses a JSON object or array of bounded depth. */
  static JsonNode json(String path, String text) throws IOException {
    try {
      JsonNode read = JSON.readTree(text);
      if (read.isContainerNode()) {
        return read;
      }
    } catch (JsonProcessingException e) {
      throw new IOException("metadata of " + path + " is not valid JSON", e);
    }
    throw new IOException("metadata of " + path + " is not a JSON object or array");
  }
}
