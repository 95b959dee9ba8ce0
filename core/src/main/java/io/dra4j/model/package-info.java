/**
 * What exists: devices and their attributes, the slices that publish them, the classes and claims
 * that ask for them, and the allocations that connect both.
 *
 * <p>The types mirror the Kubernetes API group {@code resource.k8s.io/v1} (and the few parts of
 * {@code v1} and {@code apps/v1} that matter to device allocation) field by field, as immutable
 * records. They hold what was written down, valid or not: unknown enum values are kept as text, and
 * an object that the API server would refuse can still be represented, because an allocator must
 * answer for it. How the types are read and written is {@code io.dra4j.manifest}'s business; what
 * they mean together is {@code io.dra4j.allocation}'s.
 *
 * <p>Start at {@link io.dra4j.model.ClusterSnapshot} for everything a cluster holds, and at {@link
 * io.dra4j.model.ResourceClaim} for what a user asks for.
 */
@NullMarked
package io.dra4j.model;

import org.jspecify.annotations.NullMarked;
