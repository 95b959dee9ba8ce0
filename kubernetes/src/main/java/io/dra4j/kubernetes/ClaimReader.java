package io.dra4j.kubernetes;

import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ResourceClaim;
import io.dra4j.spi.ClaimReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads single ResourceClaims from the API server, as a kubelet plugin does when it is asked to
 * prepare one. It takes the right to {@code get} {@code resourceclaims}. Thread-safe.
 */
public final class ClaimReader {

  private static final int NOT_FOUND = 404;

  private final ApiServer server;
  private final ManifestReader reader = ManifestReader.create().withoutSources();
  private volatile @Nullable ServedResource served;

  private ClaimReader(KubernetesClient client) {
    this.server = new ApiServer(client);
  }

  /**
   * Makes a reader.
   *
   * @param client the connection, which the caller closes
   * @return the reader
   */
  public static ClaimReader of(KubernetesClient client) {
    return new ClaimReader(Objects.requireNonNull(client, "client"));
  }

  /**
   * Reads a claim.
   *
   * @param claim the claim
   * @return the claim as the API server has it; empty if there is none of this name, or one with
   *     another UID
   * @throws ClusterException if the API server refuses or does not answer within 30 s, or its
   *     answer cannot be read
   * @throws InterruptedException if the calling thread is interrupted
   */
  public Optional<ResourceClaim> read(ClaimReference claim)
      throws ClusterException, InterruptedException {
    ServedResource resource = resource();
    String path =
        "/apis/%s/namespaces/%s/resourceclaims/%s"
            .formatted(
                resource.apiVersion(),
                ServedResource.encode(claim.namespace()),
                ServedResource.encode(claim.name()));
    byte[] json;
    try (InputStream body = server.get(path)) {
      json = body.readNBytes(RawObject.MAX_BYTES + 1);
    } catch (ClusterException e) {
      if (e.status() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    } catch (IOException e) {
      throw server.unanswered("GET " + path, e);
    }
    if (json.length > RawObject.MAX_BYTES) {
      throw new ClusterException(
          "claim %s is larger than %d bytes".formatted(claim, RawObject.MAX_BYTES),
          ClusterException.NO_ANSWER,
          null);
    }
    try {
      ResourceClaim found =
          (ResourceClaim)
              reader
                  .readObject(
                      "claim " + claim,
                      new ByteArrayInputStream(json),
                      resource.apiVersion(),
                      "ResourceClaim")
                  .object();
      return claim.uid().equals(found.metadata().uid()) ? Optional.of(found) : Optional.empty();
    } catch (ManifestException e) {
      throw new ClusterException(
          "claim %s: %s".formatted(claim, e.getMessage()), ClusterException.NO_ANSWER, e);
    }
  }

  private ServedResource resource() throws ClusterException, InterruptedException {
    ServedResource known = served;
    if (known == null) {
      known = ServedResource.find(ClusterResource.RESOURCE_CLAIMS, server::document);
      if (known == null) {
        throw new ClusterException(
            "the cluster does not serve ResourceClaims", ClusterException.NO_ANSWER, null);
      }
      served = known;
    }
    return known;
  }
}
