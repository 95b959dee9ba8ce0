package io.dra4j.node;

import io.dra4j.model.ClaimKey;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the pods of one node, and stores the claims that each pod names. Thread-safe. */
final class NodePods implements SandboxClaims.Pods, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NodePods.class);

  /** The client's whole message for a watch that is denied. */
  private static final String FORBIDDEN = "Forbidden";

  private final Map<String, Set<ClaimKey>> claims = new ConcurrentHashMap<>();
  private final Map<String, String> groups = new ConcurrentHashMap<>();
  private final SharedIndexInformer<Pod> informer;

  private NodePods(SharedIndexInformer<Pod> informer) {
    this.informer = informer;
  }

  /** Starts to follow the pods until closed, without waiting for the API server. */
  static NodePods follow(KubernetesClient client, String node) {
    NodePods pods =
        new NodePods(
            client
                .pods()
                .inAnyNamespace()
                .withField("spec.nodeName", node)
                .runnableInformer(0)
                .exceptionHandler(
                    (isStarted, failure) -> {
                      LOG.atWarn()
                          .log(
                              "cannot follow the pods of node {} yet: until then, the claims of"
                                  + " a sandbox are the ones that were reserved for its pod: {}",
                              node,
                              message(failure));
                      return true;
                    }));
    pods.informer.addEventHandler(pods.new Handler());
    pods.informer.start();
    return pods;
  }

  /** The message of the API server; without one, the message of the root cause. */
  private static String message(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String text =
        cause instanceof KubernetesClientException refusal && refusal.getStatus() != null
            ? String.valueOf(refusal.getStatus().getMessage())
            : String.valueOf(cause.getMessage());
    return text.equals(FORBIDDEN) ? "403, cannot watch resource \"pods\"" : text;
  }

  private final class Handler implements ResourceEventHandler<Pod> {

    @Override
    public void onAdd(Pod pod) {
      put(pod);
    }

    @Override
    public void onUpdate(Pod old, Pod pod) {
      put(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean isStateUnknown) {
      claims.remove(pod.getMetadata().getUid());
      groups.remove(pod.getMetadata().getUid());
    }
  }

  private void put(Pod pod) {
    String uid = pod.getMetadata().getUid();
    claims.put(uid, claimsOf(pod));
    if (pod.getSpec().getAdditionalProperties().get("schedulingGroup") instanceof Map<?, ?> group
        && group.get("podGroupName") instanceof String name) {
      groups.put(uid, name);
    }
  }

  /** The claims of the specification, and the claims that were created for the pod. */
  private static Set<ClaimKey> claimsOf(Pod pod) {
    Set<ClaimKey> names = new LinkedHashSet<>();
    String namespace = pod.getMetadata().getNamespace();
    pod.getSpec()
        .getResourceClaims()
        .forEach(
            one -> {
              if (one.getResourceClaimName() != null) {
                names.add(new ClaimKey(namespace, one.getResourceClaimName()));
              }
            });
    if (pod.getStatus() != null) {
      pod.getStatus()
          .getResourceClaimStatuses()
          .forEach(
              one -> {
                if (one.getResourceClaimName() != null) {
                  names.add(new ClaimKey(namespace, one.getResourceClaimName()));
                }
              });
      if (pod.getStatus().getExtendedResourceClaimStatus() != null) {
        names.add(
            new ClaimKey(
                namespace,
                pod.getStatus().getExtendedResourceClaimStatus().getResourceClaimName()));
      }
    }
    return Set.copyOf(names);
  }

  @Override
  public Set<ClaimKey> claimsOf(String podUid) {
    return claims.getOrDefault(podUid, Set.of());
  }

  @Override
  public Optional<String> groupOf(String podUid) {
    return Optional.ofNullable(groups.get(podUid));
  }

  @Override
  public void close() {
    informer.stop();
  }
}
