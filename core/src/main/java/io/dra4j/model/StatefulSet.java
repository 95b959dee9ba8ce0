package io.dra4j.model;

/**
 * A set of numbered pods, as far as device allocation sees it.
 *
 * @param metadata namespace and name
 * @param replicas how many pods; 1 when not given
 * @param firstOrdinal the number of the first pod ({@code spec.ordinals.start}), normally 0
 * @param template where its pods run and which claims they need
 */
public record StatefulSet(ObjectMeta metadata, int replicas, int firstOrdinal, PodSpec template)
    implements KubernetesObject {}
