/**
 * Pods and their claims over a whole cluster: which pods wait for devices, on which nodes each may
 * run, and on which it gets all that it claims.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.scheduling.PodQueue}: makes pods with claims of the objects of a cluster.
 *   <li>{@link io.dra4j.scheduling.PendingPod}: one of them.
 *   <li>{@link io.dra4j.scheduling.ClusterRun}: places them one after the other.
 *   <li>{@link io.dra4j.scheduling.ClusterOutcome}: the answer for all pods.
 *   <li>{@link io.dra4j.scheduling.PodOutcome}: the answer for one pod, of five kinds.
 *   <li>{@link io.dra4j.scheduling.NodeRefusals}: why no node takes a pod.
 *   <li>{@link io.dra4j.scheduling.Gang}: pods that are placed together or not at all.
 *   <li>{@link io.dra4j.scheduling.reservation.Reservations}: an inventory from which several
 *       threads allocate.
 * </ol>
 *
 * <p>What does not belong here: which devices a claim gets on a node (that is the allocator's), and
 * how objects are written down.
 */
@NullMarked
package io.dra4j.scheduling;

import org.jspecify.annotations.NullMarked;
