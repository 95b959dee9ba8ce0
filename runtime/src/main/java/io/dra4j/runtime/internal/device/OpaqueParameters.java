package io.dra4j.runtime.internal.device;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.dra4j.common.PrintableText;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceClassConfiguration;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.SliceLimits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the parameters of a claim as the API server does before it accepts the claim. Without an
 * API server, no other component checks them, and the claim would fail when its pod starts.
 */
public final class OpaqueParameters {

  private static final int MAX_CONFIGURATIONS = 32; // DeviceConfigMaxSize
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private OpaqueParameters() {}

  /** Returns the problem with the parameters of a claim or its classes; null if they are valid. */
  public static @Nullable String problem(ResourceClaim claim, List<DeviceClass> classes) {
    Set<String> requests = claim.spec().requestNames();
    Set<String> wanted = claim.spec().deviceClassNames();
    List<DeviceClaimConfiguration> config = claim.spec().config();
    if (config.size() > MAX_CONFIGURATIONS) {
      return "config: has %d entries, at most %d are allowed"
          .formatted(config.size(), MAX_CONFIGURATIONS);
    }
    for (int i = 0; i < config.size(); i++) {
      for (String request : config.get(i).requests()) {
        if (!requests.contains(request)) {
          return "config[%d].requests: the claim has no request '%s'".formatted(i, request);
        }
      }
      String problem = problem(config.get(i).opaque());
      if (problem != null) {
        return "config[%d].opaque%s".formatted(i, problem);
      }
    }
    for (DeviceClass one : classes) {
      if (wanted.contains(one.metadata().name())) {
        String problem = problem(one);
        if (problem != null) {
          return "class %s: %s".formatted(one.metadata().name(), problem);
        }
      }
    }
    return null;
  }

  private static @Nullable String problem(DeviceClass deviceClass) {
    List<DeviceClassConfiguration> config = deviceClass.config();
    for (int i = 0; i < config.size(); i++) {
      String problem = problem(config.get(i).opaque());
      if (problem != null) {
        return "config[%d].opaque%s".formatted(i, problem);
      }
    }
    return null;
  }

  private static @Nullable String problem(@Nullable OpaqueDeviceConfiguration opaque) {
    if (opaque == null) {
      return null;
    }
    if (!SliceLimits.isDriverName(opaque.driver())) {
      return ".driver: '%s' is not a DNS subdomain of at most %d bytes"
          .formatted(opaque.driver(), SliceLimits.MAX_DOMAIN_BYTES);
    }
    String parameters = opaque.parameters();
    int bytes = parameters.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > OpaqueDeviceConfiguration.MAX_BYTES) {
      return ".parameters: has %d bytes, at most %d are allowed"
          .formatted(bytes, OpaqueDeviceConfiguration.MAX_BYTES);
    }
    try {
      JsonNode value = JSON.readTree(parameters);
      return value.isObject()
          ? null
          : ".parameters: expected a JSON object, found " + shown(parameters);
    } catch (JsonProcessingException e) {
      return ".parameters: invalid JSON: %s".formatted(e.getOriginalMessage());
    }
  }

  private static String shown(String text) {
    return text.isEmpty() ? "nothing" : PrintableText.start(text, 80);
  }
}
