package io.dra4j.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.spi.ClaimReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes {@code status.devices} of claims for a driver (KEP-4817). It uses server-side apply, so
 * fields of the scheduler and of other drivers stay. If several statuses of a claim wait, only the
 * last one is written. A failed write is retried after a pause, behind writes of other claims. A
 * status is dropped if its claim no longer exists or was recreated under its name.
 *
 * <p>Requires permission to {@code patch} {@code resourceclaims/status}. Since Kubernetes 1.36, it
 * also requires {@code associated-node:patch} of {@code resourceclaims/driver} with the driver as
 * resource name. The writer has its own thread. Thread-safe.
 */
public final class ClaimStatusWriter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClaimStatusWriter.class);
  private static final JsonMapper MAPPER = new JsonMapper();

  /** The API server's message (409) if another request has changed the claim in between. */
  private static final String MODIFIED = "the object has been modified";

  private final ApiServer server;
  private final ServedVersion served;
  private final String fieldManager;
  private final WriteQueue<ClaimReference, List<AllocatedDeviceStatus>> queue =
      new WriteQueue<>("dra4j-claim-status", this::attempt);

  private ClaimStatusWriter(KubernetesClient client, String fieldManager) {
    this.server = new ApiServer(client);
    this.served = new ServedVersion(server, ClusterResource.RESOURCE_CLAIMS);
    this.fieldManager = fieldManager;
  }

  /**
   * Starts a writer.
   *
   * @param client the connection, which the caller closes after the writer
   * @param fieldManager the owner of the fields, for example the name of the driver
   * @return the writer
   */
  public static ClaimStatusWriter start(KubernetesClient client, String fieldManager) {
    ClaimStatusWriter writer =
        new ClaimStatusWriter(
            Objects.requireNonNull(client, "client"),
            Objects.requireNonNull(fieldManager, "fieldManager"));
    writer.queue.start();
    return writer;
  }

  /**
   * Sets the status of the devices of a claim for this field manager. It is written in the
   * background.
   *
   * @param claim the claim
   * @param devices the status of each device; an empty list removes the status written before. A
   *     condition without a time gets the time of this call.
   */
  public void write(ClaimReference claim, List<AllocatedDeviceStatus> devices) {
    Objects.requireNonNull(claim, "claim");
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    queue.put(claim, devices.stream().map(one -> timed(one, now)).toList());
  }

  private static AllocatedDeviceStatus timed(AllocatedDeviceStatus device, String now) {
    return device.toBuilder()
        .conditions(
            device.conditions().stream()
                .map(
                    one ->
                        one.lastTransitionTime() == null
                            ? one.toBuilder().lastTransitionTime(now).build()
                            : one)
                .toList())
        .build();
  }

  /**
   * Waits until no status waits to be written.
   *
   * @param limit the longest wait
   * @return whether everything is written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public boolean awaitWritten(Duration limit) throws InterruptedException {
    return queue.awaitWritten(limit);
  }

  private WriteQueue.Outcome attempt(ClaimReference claim, List<AllocatedDeviceStatus> devices)
      throws InterruptedException {
    try {
      served.ask(resource -> apply(resource, claim, devices));
      return WriteQueue.Outcome.DONE;
    } catch (ClusterException e) {
      if (e.status() == 409 && String.valueOf(e.getMessage()).contains(MODIFIED)) {
        return WriteQueue.Outcome.CONFLICT;
      } else if (e.status() == 404 || e.status() == 409) { // deleted, or another claim of this name
        return WriteQueue.Outcome.DONE;
      } else if (e.status() == 422) {
        LOG.atError()
            .log("the API server refused the status of claim {}: {}", claim, e.getMessage());
        return WriteQueue.Outcome.DONE;
      }
      LOG.atWarn()
          .log(
              "the status of claim {} is not written yet and will be retried: {}",
              claim,
              e.getMessage());
      return WriteQueue.Outcome.FAILED;
    } catch (IllegalArgumentException e) { // data that is not valid JSON
      LOG.atError().log("the status of claim {} cannot be written: {}", claim, e.getMessage());
      return WriteQueue.Outcome.DONE;
    }
  }

  private byte[] apply(
      ServedResource resource, ClaimReference claim, List<AllocatedDeviceStatus> devices)
      throws ClusterException, InterruptedException {
    return server.write(
        "PATCH",
        "%s/status?force=true&fieldManager=%s"
            .formatted(
                resource.path(claim.namespace(), claim.name()),
                ServedResource.encode(fieldManager)),
        "application/apply-patch+yaml",
        body(resource, claim, devices));
  }

  private static String body(
      ServedResource resource, ClaimReference claim, List<AllocatedDeviceStatus> devices) {
    ObjectNode body = MAPPER.createObjectNode();
    body.put("apiVersion", resource.apiVersion());
    body.put("kind", "ResourceClaim");
    body.putObject("metadata")
        .put("namespace", claim.namespace())
        .put("name", claim.name())
        .put("uid", claim.uid());
    ObjectNode status = body.putObject("status");
    if (!devices.isEmpty()) {
      status.set("devices", json(resource, devices));
    }
    return body.toString();
  }

  private static JsonNode json(ServedResource resource, List<AllocatedDeviceStatus> devices) {
    ResourceClaim carrier =
        ResourceClaim.named("carrier")
            .status(new ResourceClaimStatus(null, List.of(), devices))
            .build();
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    try {
      ManifestWriter.writeObject(Manifest.of(carrier), resource.apiVersion(), json);
      return MAPPER.readTree(json.toByteArray()).path("status").path("devices");
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
  }

  /** Ends the thread. Waiting statuses are not written. */
  @Override
  public void close() {
    queue.close();
  }
}
