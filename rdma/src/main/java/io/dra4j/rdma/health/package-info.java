/**
 * What is wrong with the RDMA devices of a host, as events: ports that are down, errors that rise,
 * devices that have gone. {@link io.dra4j.rdma.health.RdmaHealthMonitor} watches a machine, {@link
 * io.dra4j.rdma.health.RdmaHealth} judges what was seen.
 */
@NullMarked
package io.dra4j.rdma.health;

import org.jspecify.annotations.NullMarked;
