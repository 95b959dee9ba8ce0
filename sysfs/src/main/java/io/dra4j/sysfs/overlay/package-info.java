/**
 * Topologies that others recorded: NCCL topology files ({@link io.dra4j.sysfs.overlay.NcclXml}),
 * exports of hwloc ({@link io.dra4j.sysfs.overlay.HwlocXml}) and what {@code nvidia-smi topo -m}
 * prints ({@link io.dra4j.sysfs.overlay.NvidiaSmiMatrix}). All of them are untrusted input.
 */
@NullMarked
package io.dra4j.sysfs.overlay;

import org.jspecify.annotations.NullMarked;
