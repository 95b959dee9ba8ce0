package io.dra4j.kubernetes;

import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ResourceClaim;
import io.dra4j.spi.ClaimReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads single ResourceClaims from the API server, as a kubelet plugin does to prepare a claim.
 * Requires permission to {@code get} {@code resourceclaims}. Thread-safe.
 */
public final class ClaimReader {

  private static final int NOT_FOUND = 404;

  private final ApiServer server;
  private final ManifestReader reader = ManifestReader.builder().withoutSources().build();
  private final ServedVersion served;

  /** Creates a reader of a server. */
  ClaimReader(ApiServer server) {
    this.server = server;
    this.served = new ServedVersion(server, ClusterResource.RESOURCE_CLAIMS);
  }

  /**
   * {@return a reader}
   *
   * @param client the connection, which the caller closes
   */
  public static ClaimReader of(KubernetesClient client) {
    return new ClaimReader(new ApiServer(Objects.requireNonNull(client, "client")));
  }

  /**
   * Reads a claim.
   *
   * @param claim the claim
   * @return the claim; empty if the API server has no claim of this name, or one with another UID
   * @throws ClusterException if the API server refuses, or sends no readable response within 30 s
   * @throws InterruptedException if the calling thread is interrupted
   */
  public Optional<ResourceClaim> read(ClaimReference claim)
      throws ClusterException, InterruptedException {
    try {
      return served.ask(resource -> read(claim, resource));
    } catch (ClusterException e) {
      if (e.status() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private Optional<ResourceClaim> read(ClaimReference claim, ServedResource resource)
      throws ClusterException, InterruptedException {
    byte[] json = server.read(resource.path(claim.namespace(), claim.name()));
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
}
