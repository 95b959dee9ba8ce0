package io.dra4j.nri;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Optional;

/**
 * A pod sandbox as the container runtime describes it.
 *
 * @param id the ID of the sandbox at the runtime; a pod that is restarted gets a new ID
 * @param uid the UID of the Kubernetes Pod
 * @param name the name of the Pod
 * @param namespace the Kubernetes namespace of the Pod
 * @param networkNamespace the path of the network namespace (netns); empty for a pod on the host
 *     network, and in {@code stopPodSandbox} and {@code removePodSandbox} of containerd 1.7 for
 *     every pod
 * @param labels the labels of the Pod
 * @param annotations the annotations of the sandbox
 * @param pid the process ID of the sandbox in the PID namespace of the runtime, 0 if it is unknown
 */
public record PodSandbox(
    String id,
    String uid,
    String name,
    String namespace,
    Optional<String> networkNamespace,
    Map<String, String> labels,
    Map<String, String> annotations,
    long pid) {

  /** {@inheritDoc} */
  public PodSandbox {
    requireNonNull(id, "id");
    requireNonNull(uid, "uid");
    requireNonNull(name, "name");
    requireNonNull(namespace, "namespace");
    requireNonNull(networkNamespace, "networkNamespace");
    labels = Map.copyOf(requireNonNull(labels, "labels"));
    annotations = Map.copyOf(requireNonNull(annotations, "annotations"));
  }
}
