package io.dra4j.dranet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Step;

/** The step that acquires a profile, in its recorded form. */
final class ProfileStep {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ProfileStep() {}

  static Step of(ProfileRequest request) {
    return new Step(
        "take profile " + request.profile() + " for " + request.device(),
        JSON.createObjectNode()
            .put("version", 1)
            .put("profile", request.profile())
            .put("claimUid", request.claimUid())
            .put("device", request.device())
            .put("interfaceName", request.interfaceName())
            .toString());
  }

  static boolean isOne(Step step) {
    try {
      return isOne(JSON.readTree(step.undo()));
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  private static boolean isOne(JsonNode object) {
    return object.path("version").asInt() == 1 && object.path("profile").isTextual();
  }

  static ProfileRequest read(Step step) throws DriverException {
    try {
      JsonNode object = JSON.readTree(step.undo());
      if (isOne(object)) {
        return new ProfileRequest(
            object.path("profile").asText(),
            object.path("claimUid").asText(),
            object.path("device").asText(),
            object.path("interfaceName").asText());
      }
    } catch (JsonProcessingException e) {
      throw DriverException.failed("step '" + step.name() + "' was not recorded by this driver", e);
    }
    throw DriverException.failed(
        "step '" + step.name() + "' was not recorded by this driver", null);
  }
}
