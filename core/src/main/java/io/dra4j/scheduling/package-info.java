/**
 * Pods and their claims over a whole cluster: which pods wait for devices, on which nodes each may
 * run, and on which it gets all that it claims.
 *
 * <p>Start at {@link io.dra4j.scheduling.PodQueue}, which makes pods with claims of the objects of
 * a cluster, and at {@link io.dra4j.scheduling.ClusterRun}, which places them one after the other
 * and answers with a {@link io.dra4j.scheduling.ClusterOutcome}. What does not belong here: which
 * devices a claim gets on a node (that is the allocator's), and how objects are written down.
 */
@NullMarked
package io.dra4j.scheduling;

import org.jspecify.annotations.NullMarked;
