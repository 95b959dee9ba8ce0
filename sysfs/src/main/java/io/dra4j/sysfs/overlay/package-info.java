/**
 * Readers of topologies that other programs recorded: NCCL topology files ({@link
 * io.dra4j.sysfs.overlay.NcclXml}), exports of hwloc ({@link io.dra4j.sysfs.overlay.HwlocXml}) and
 * the output of {@code nvidia-smi topo -m} ({@link io.dra4j.sysfs.overlay.NvidiaSmiMatrix}). All of
 * them are untrusted input.
 */
@NullMarked
package io.dra4j.sysfs.overlay;

import org.jspecify.annotations.NullMarked;
