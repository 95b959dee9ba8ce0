/**
 * Who gets what: finds devices on a node for the claims of a pod, device for device as Kubernetes'
 * own allocator does, and says why when there are none.
 *
 * <p>Start at {@link io.dra4j.allocation.Allocator}, which answers with an {@link
 * io.dra4j.allocation.AllocationOutcome}. The search itself is small: candidates are placed one
 * after the other, every rule may refuse a placement, and every placement can be undone. What does
 * not belong here: how objects are written down, how selectors are evaluated, and which of several
 * valid answers is the better one.
 *
 * <p>The behaviour is that of {@code k8s.io/dynamic-resource-allocation} v0.37.2 (package {@code
 * structured}, its experimental implementation).
 */
@NullMarked
package io.dra4j.allocation;

import org.jspecify.annotations.NullMarked;
