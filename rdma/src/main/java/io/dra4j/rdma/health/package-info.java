/**
 * Problems of the RDMA devices of a host as events: ports that are down, errors that rise, devices
 * that are gone. {@link io.dra4j.rdma.health.RdmaHealthMonitor} watches a machine; {@link
 * io.dra4j.rdma.health.RdmaHealth} finds the problems in the observations.
 */
@NullMarked
package io.dra4j.rdma.health;

import org.jspecify.annotations.NullMarked;
