package io.dra4j.runtime.internal.store;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
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
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.Attached;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.publish.DevicePool;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The JSON of records of the store. Objects of Kubernetes are written as manifests, so that people
 * can read a store; other objects are written field by field ({@link PreparedCodec}). A record of a
 * newer release can be read, and keeps its unknown fields when it is changed.
 */
public final class Documents {

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints
                          .builder() // everything that was written must be readable
                          .maxStringLength(Integer.MAX_VALUE)
                          .maxNameLength(Integer.MAX_VALUE)
                          .maxNumberLength(Integer.MAX_VALUE)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final ManifestReader MANIFESTS = ManifestReader.builder().withoutSources().build();

  private Documents() {}

  public static String ofClaim(PreparedClaim claim, String boot) {
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
    ObjectNode document = JSON.createObjectNode();
    document.put("boot", boot);
    document.set("claim", ManifestWriter.encode(manifestOf(claimed, results)));
    ArrayNode slices = document.putArray("devices");
    devices.forEach((id, device) -> slices.add(ofDevice(id, device)));
    ArrayNode numbers = document.putArray("indexes");
    indexes.forEach(numbers::add);
    ArrayNode all = document.putArray("configurations");
    configurations.forEach(
        some -> {
          ArrayNode ofDevice = all.addArray();
          some.forEach(one -> ofDevice.add(ofConfiguration(one)));
        });
    document.set("prepared", PreparedCodec.of(claim.prepared()));
    return document.toString();
  }

  private static ResourceClaim manifestOf(
      ClaimedDevices claimed, List<DeviceRequestAllocationResult> results) {
    ClaimReference reference = claimed.claim();
    return ResourceClaim.named(reference.name())
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
  }

  private static ObjectNode ofDevice(DeviceId id, Device device) {
    return ManifestWriter.encode(
        ResourceSlice.onNode("store", id.driver(), id.pool(), List.of(device)));
  }

  /** Writes attributes like the attributes of a device. */
  public static ObjectNode ofAttributes(Map<String, DeviceAttribute> attributes) {
    Device.Builder device = Device.named("metadata");
    attributes.forEach(device::attribute);
    return ofDevice(new DeviceId("store", "store", "metadata"), device.build());
  }

  public static Map<String, DeviceAttribute> toAttributes(JsonNode node) throws IOException {
    List<Device> devices = manifest(node, ResourceSlice.class).devices();
    if (devices.size() != 1) {
      throw new IOException("metadata: expected the attributes of one device");
    }
    return devices.get(0).attributes();
  }

  /** Writes a pool without its devices, as a slice without devices. */
  public static String ofPool(String driver, String name, DevicePool pool) {
    ResourceSlice slice =
        ResourceSlice.named("store", driver)
            .pool(name, 1, 1)
            .nodeSelection(pool.nodeSelection())
            .perDeviceNodeSelection(pool.perDeviceNodeSelection() ? true : null)
            .sharedCounters(pool.counters())
            .partitionTypeAttribute(pool.partitionTypeAttribute())
            .skipNodeOperations(pool.skipNodeOperations())
            .build();
    return ManifestWriter.encode(slice).toString();
  }

  public static DevicePool toPool(String text) throws IOException {
    ResourceSlice slice = manifest(JSON.readTree(text), ResourceSlice.class);
    return DevicePool.of(List.of(), slice.sharedCounters()).toBuilder()
        .nodeSelection(slice.nodeSelection())
        .perDeviceNodeSelection(Boolean.TRUE.equals(slice.perDeviceNodeSelection()))
        .partitionTypeAttribute(slice.partitionTypeAttribute())
        .skipNodeOperations(slice.skipNodeOperations())
        .build();
  }

  private static ObjectNode ofConfiguration(OpaqueConfiguration one) {
    ObjectNode node = JSON.createObjectNode();
    node.put("source", one.source().value());
    node.set("requests", JsonFields.ofTexts(one.requests()));
    return node.put("parameters", one.parameters());
  }

  /** Reads the configurations of each device. */
  private static List<List<OpaqueConfiguration>> toConfigurations(JsonNode list)
      throws IOException {
    List<List<OpaqueConfiguration>> configurations = new ArrayList<>();
    for (JsonNode some : list) {
      List<OpaqueConfiguration> ofDevice = new ArrayList<>();
      for (JsonNode one : some) {
        ofDevice.add(toConfiguration(one));
      }
      configurations.add(ofDevice);
    }
    return configurations;
  }

  /** Reads a configuration. Schema 1 wrote the source as an object with its value. */
  private static OpaqueConfiguration toConfiguration(JsonNode node) throws IOException {
    JsonNode source = node.path("source");
    return new OpaqueConfiguration(
        new AllocationConfigSource(
            source.isObject() ? JsonFields.text(source, "value") : JsonFields.text(node, "source")),
        JsonFields.texts(node, "requests"),
        JsonFields.text(node, "parameters", ""));
  }

  public static PreparedClaim toClaim(String text) throws IOException {
    JsonNode document = JSON.readTree(text);
    ResourceClaim claim = manifest(document.required("claim"), ResourceClaim.class);
    Map<DeviceId, Device> devices = new HashMap<>();
    for (JsonNode one : document.required("devices")) {
      ResourceSlice slice = manifest(one, ResourceSlice.class);
      slice.devices().forEach(device -> devices.put(slice.idOf(device), device));
    }
    List<Long> indexes = JsonFields.list(document, "indexes", JsonFields::number);
    List<List<OpaqueConfiguration>> configurations =
        toConfigurations(document.path("configurations"));
    AllocationResult allocation = claim.allocation();
    String uid = claim.metadata().uid();
    if (allocation == null
        || uid == null
        || allocation.results().size() != indexes.size()
        || indexes.size() != configurations.size()) {
      throw new IOException("the claim is incomplete");
    }
    List<ClaimedDevice> claimed = new ArrayList<>();
    for (int i = 0; i < indexes.size(); i++) {
      DeviceRequestAllocationResult result = allocation.results().get(i);
      Device device = devices.get(result.deviceId());
      if (device == null) {
        throw new IOException("device " + result.deviceId() + " is missing");
      }
      claimed.add(
          new ClaimedDevice(
              result, device, Math.toIntExact(indexes.get(i)), configurations.get(i)));
    }
    return new PreparedClaim(
        new ClaimedDevices(
            new ClaimReference(claim.metadata().namespaceOrDefault(), claim.metadata().name(), uid),
            claim.status().reservedFor(),
            claimed),
        PreparedCodec.toPrepared(document.required("prepared")));
  }

  /** Returns the boot in which a claim was prepared; empty if it is not known. */
  public static String bootOf(String claim) throws IOException {
    return JsonFields.text(JSON.readTree(claim), "boot", "");
  }

  public static String ofAttachment(Sandbox sandbox, Attached attached) {
    ObjectNode document = JSON.createObjectNode();
    put(document.putObject("sandbox"), sandbox);
    PreparedCodec.put(document, attached);
    return document.toString();
  }

  private static void put(ObjectNode node, Sandbox sandbox) {
    node.put("id", sandbox.id()).put("podUid", sandbox.podUid());
    node.put("podNamespace", sandbox.podNamespace()).put("podName", sandbox.podName());
    Path path = sandbox.networkNamespace();
    node.put("network", sandbox.network().name());
    node.put("networkNamespace", path == null ? null : path.toString());
  }

  /** Reads a sandbox. Schema 1 wrote the path as a URI, and no path for the host or if unknown. */
  public static Sandbox toSandbox(String text) throws IOException {
    JsonNode node = JSON.readTree(text).required("sandbox");
    String path = JsonFields.textOrNull(node, "networkNamespace");
    boolean isUri = path != null && path.startsWith("file:");
    boolean isHost = JsonFields.text(node, "network", "").equals(Sandbox.Network.HOST.name());
    Sandbox.Builder sandbox =
        Sandbox.ofPod(JsonFields.text(node, "id"), JsonFields.text(node, "podUid", ""))
            .pod(
                JsonFields.text(node, "podNamespace", "default"),
                JsonFields.text(node, "podName", ""));
    if (isHost) {
      sandbox.hostNetwork();
    } else if (path != null) {
      sandbox.networkNamespace(isUri ? Path.of(URI.create(path)) : Path.of(path));
    }
    return sandbox.build();
  }

  public static Attached toAttached(String text) throws IOException {
    return PreparedCodec.toAttached(JSON.readTree(text));
  }

  // Changing a document that may be of a newer release: its unknown fields stay.

  /** Returns the document of a claim with other consumers. */
  public static String withReservedFor(String claim, List<ResourceClaimConsumerReference> consumers)
      throws IOException {
    ObjectNode document = object(claim);
    if (!(document.path("claim").path("status") instanceof ObjectNode status)) {
      throw new IOException("the claim is incomplete");
    }
    ArrayNode list = status.putArray("reservedFor");
    for (ResourceClaimConsumerReference one : consumers) {
      ObjectNode consumer = list.addObject();
      if (!one.apiGroup().isEmpty()) {
        consumer.put("apiGroup", one.apiGroup());
      }
      consumer.put("resource", one.resource()).put("name", one.name()).put("uid", one.uid());
    }
    return document.toString();
  }

  /** Returns the document of an attachment with other facts of its sandbox. */
  public static String withSandbox(String attachment, Sandbox sandbox) throws IOException {
    ObjectNode document = object(attachment);
    put(document.withObject("/sandbox"), sandbox);
    return document.toString();
  }

  private static ObjectNode object(String text) throws IOException {
    if (JSON.readTree(text) instanceof ObjectNode object) {
      return object;
    }
    throw new IOException("expected an object");
  }

  public static String ofAllocation(ResourceClaim claim) {
    return ManifestWriter.encode(claim).toString();
  }

  /**
   * Returns whether two claims have the same specification, compared as JSON: the store does not
   * preserve the formatting of drivers' parameters.
   */
  public static boolean asksTheSame(ResourceClaim one, ResourceClaim other) {
    return one.spec().equals(other.spec()) || specOf(one).equals(specOf(other));
  }

  private static JsonNode specOf(ResourceClaim claim) {
    try {
      return JSON.readTree(ofAllocation(claim)).path("spec");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a claim that was written cannot be read", e);
    }
  }

  public static ResourceClaim toAllocation(String text) throws IOException {
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
      throw new IOException("expected one " + type.getSimpleName());
    } catch (JsonProcessingException | ManifestException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
