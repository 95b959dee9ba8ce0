/**
 * BPF programs that are attached to links: tcx, netkit and XDP. Start with {@link
 * io.dra4j.netlink.bpf.LinkPrograms}. Programs of tc filters are {@link
 * io.dra4j.netlink.route.TrafficControls}.
 */
@NullMarked
package io.dra4j.netlink.bpf;

import org.jspecify.annotations.NullMarked;
