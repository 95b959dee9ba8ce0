/**
 * Pods and their claims in a whole cluster: the pods that wait for devices, the nodes on which each
 * may run, and the nodes on which it gets all of its claims.
 *
 * <p>The eight types to start with, in this order:
 *
 * <ol>
 *   <li>{@link io.dra4j.scheduling.PodQueue}: creates pods with their claims from the objects of a
 *       cluster.
 *   <li>{@link io.dra4j.scheduling.PendingPod}: one of these pods.
 *   <li>{@link io.dra4j.scheduling.ClusterRun}: places the pods one after the other.
 *   <li>{@link io.dra4j.scheduling.ClusterOutcome}: the answer for all pods.
 *   <li>{@link io.dra4j.scheduling.PodOutcome}: the answer for one pod, of five kinds.
 *   <li>{@link io.dra4j.scheduling.NodeRefusals}: the reasons why no node accepts a pod.
 *   <li>{@link io.dra4j.scheduling.Gang}: pods that are placed together or not at all.
 *   <li>{@link io.dra4j.scheduling.reservation.Reservations}: an inventory from which several
 *       threads allocate.
 * </ol>
 *
 * <p>Does not belong here: the choice of the devices of a claim on a node (the allocator), and the
 * text format of objects.
 */
@NullMarked
package io.dra4j.scheduling;

import org.jspecify.annotations.NullMarked;
