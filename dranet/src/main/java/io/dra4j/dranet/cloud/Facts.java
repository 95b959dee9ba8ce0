package io.dra4j.dranet.cloud;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.model.DeviceAttribute;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Attributes of one domain that are being gathered. What a cloud leaves empty is left out. */
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
        throw new IOException("metadata of " + domain + "/" + name + " is no number", e);
      }
    }
  }

  Map<String, DeviceAttribute> attributes() {
    return attributes;
  }

  /** An object or array, of bounded depth. */
  static JsonNode json(String path, String text) throws IOException {
    try {
      JsonNode read = JSON.readTree(text);
      if (read.isContainerNode()) {
        return read;
      }
    } catch (JsonProcessingException e) {
      throw new IOException("metadata of " + path + " is no JSON", e);
    }
    throw new IOException("metadata of " + path + " is no JSON object or array");
  }
}
