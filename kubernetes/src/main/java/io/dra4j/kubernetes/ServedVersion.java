package io.dra4j.kubernetes;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests for a resource in the version in which the cluster serves it. The version is found once,
 * and again after a 404: an upgrade of the cluster may have removed the version, which must not be
 * mistaken for a deleted object. Thread-safe.
 */
final class ServedVersion {

  private static final int NOT_FOUND = 404;

  private final ApiServer server;
  private final ClusterResource resource;
  private volatile @Nullable ServedResource known;

  ServedVersion(ApiServer server, ClusterResource resource) {
    this.server = server;
    this.resource = resource;
  }

  /** A request in a version. */
  interface Request<T> {
    T send(ServedResource served) throws ClusterException, InterruptedException;
  }

  /**
   * {@return the result of a request, which this method sends}
   *
   * @throws ClusterException if the request fails, or the cluster does not serve the resource; the
   *     status 404 means that the object does not exist
   */
  <T> T ask(Request<T> request) throws ClusterException, InterruptedException {
    ServedResource before = known;
    ServedResource served = before == null ? find() : before;
    try {
      return request.send(served);
    } catch (ClusterException e) {
      if (e.status() != NOT_FOUND || before == null) {
        throw e;
      }
      ServedResource now = find();
      if (Objects.equals(now, served)) {
        throw e;
      }
      return request.send(now);
    }
  }

  private ServedResource find() throws ClusterException, InterruptedException {
    ServedResource found = ServedResource.find(resource, server::document);
    known = found;
    if (found == null) {
      throw new ClusterException(
          "the cluster does not serve %s in %s: it is older than Kubernetes 1.32, or Dynamic"
                  .formatted(resource, String.join(", ", resource.versions()))
              + " Resource Allocation is off",
          ClusterException.NO_ANSWER,
          null);
    }
    return found;
  }
}
