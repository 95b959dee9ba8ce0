package io.dra4j.runtime;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Sandbox;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON of entries of the store. Objects of Kubernetes are written as their manifests, so that a
 * store can be read by people; what is ours is written as its records are.
 */
final class Documents {

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder() // what was written must be readable
                          .maxStringLength(Integer.MAX_VALUE)
                          .maxNameLength(Integer.MAX_VALUE)
                          .maxNumberLength(Integer.MAX_VALUE)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final ManifestReader MANIFESTS = ManifestReader.create().withoutSources();

  private Documents() {}

  static String ofClaim(PreparedClaim claim) {
    ClaimedDevices claimed = claim.claimed();
    List<DeviceRequestAllocationResult> results = new ArrayList<>();
    Map<DeviceId, Device> devices = new HashMap<>();
    List<Integer> indexes = new ArrayList<>();
    List<List<OpaqueConfiguration>> configurations = new ArrayList<>();
    for (ClaimedDevice device : claimed.devices()) {
      results.add(device.result());
      devices.put(device.id(), device.device());
      indexes.add(device.index());
      configurations.add(device.configurations());
    }
    ClaimReference reference = claimed.claim();
    ResourceClaim manifest =
        ResourceClaim.named(reference.name())
            .metadata(
                ObjectMeta.named(reference.namespace(), reference.name()).toBuilder()
                    .uid(reference.uid())
                    .build())
            .status(
                new ResourceClaimStatus(
                    AllocationResult.builder().results(results).build(),
                    claimed.reservedFor(),
                    List.of()))
            .build();
    ObjectNode document = JSON.createObjectNode();
    document.set("claim", ManifestWriter.encode(manifest));
    ArrayNode slices = document.putArray("devices");
    devices.forEach(
        (id, device) ->
            slices.add(
                ManifestWriter.encode(
                    ResourceSlice.onNode("store", id.driver(), id.pool(), List.of(device)))));
    document.set("indexes", JSON.valueToTree(indexes));
    document.set("configurations", JSON.valueToTree(configurations));
    document.set("prepared", JSON.valueToTree(claim.prepared()));
    return document.toString();
  }

  static PreparedClaim toClaim(String text) throws IOException {
    JsonNode document = JSON.readTree(text);
    ResourceClaim claim = manifest(document.required("claim"), ResourceClaim.class);
    Map<DeviceId, Device> devices = new HashMap<>();
    for (JsonNode one : document.required("devices")) {
      ResourceSlice slice = manifest(one, ResourceSlice.class);
      slice.devices().forEach(device -> devices.put(slice.idOf(device), device));
    }
    List<Integer> indexes =
        JSON.convertValue(document.required("indexes"), new TypeReference<List<Integer>>() {});
    List<List<OpaqueConfiguration>> configurations =
        JSON.convertValue(
            document.required("configurations"),
            new TypeReference<List<List<OpaqueConfiguration>>>() {});
    AllocationResult allocation = claim.allocation();
    String uid = claim.metadata().uid();
    if (allocation == null
        || uid == null
        || allocation.results().size() != indexes.size()
        || indexes.size() != configurations.size()) {
      throw new IOException("the claim is not whole");
    }
    List<ClaimedDevice> claimed = new ArrayList<>();
    for (int i = 0; i < indexes.size(); i++) {
      DeviceRequestAllocationResult result = allocation.results().get(i);
      Device device = devices.get(result.deviceId());
      if (device == null) {
        throw new IOException("device " + result.deviceId() + " is missing");
      }
      claimed.add(new ClaimedDevice(result, device, indexes.get(i), configurations.get(i)));
    }
    return new PreparedClaim(
        new ClaimedDevices(
            new ClaimReference(claim.metadata().namespaceOrDefault(), claim.metadata().name(), uid),
            claim.status().reservedFor(),
            claimed),
        JSON.treeToValue(document.required("prepared"), Prepared.class));
  }

  static String ofAttachment(Sandbox sandbox, List<AllocatedDeviceStatus> statuses) {
    ObjectNode document = JSON.createObjectNode();
    document.set("sandbox", JSON.valueToTree(sandbox));
    document.set("statuses", JSON.valueToTree(statuses));
    return document.toString();
  }

  static Sandbox toSandbox(String text) throws IOException {
    return JSON.treeToValue(JSON.readTree(text).required("sandbox"), Sandbox.class);
  }

  static List<AllocatedDeviceStatus> toStatuses(String text) throws IOException {
    return JSON.convertValue(
        JSON.readTree(text).required("statuses"),
        new TypeReference<List<AllocatedDeviceStatus>>() {});
  }

  static String ofAllocation(ResourceClaim claim) {
    return ManifestWriter.encode(claim).toString();
  }

  static ResourceClaim toAllocation(String text) throws IOException {
    ResourceClaim claim = manifest(JSON.readTree(text), ResourceClaim.class);
    if (claim.allocation() == null) {
      throw new IOException("the claim has no allocation");
    }
    return claim;
  }

  private static <T extends KubernetesObject> T manifest(JsonNode node, Class<T> type)
      throws IOException {
    try {
      List<Manifest> manifests =
          MANIFESTS.read(
              "store",
              new ByteArrayInputStream(
                  JSON.writeValueAsString(node).getBytes(StandardCharsets.UTF_8)));
      if (manifests.size() == 1 && type.isInstance(manifests.get(0).object())) {
        return type.cast(manifests.get(0).object());
      }
      throw new IOException("want one " + type.getSimpleName());
    } catch (JsonProcessingException | ManifestException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
