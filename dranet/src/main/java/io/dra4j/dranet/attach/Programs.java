package io.dra4j.dranet.attach;

import io.dra4j.linux.Errno;
import io.dra4j.linux.LinuxException;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.bpf.LinkProgram;
import io.dra4j.netlink.bpf.LinkPrograms;
import io.dra4j.netlink.route.TrafficControl;
import java.io.IOException;
import java.util.List;

/**
 * BPF programs that the network of the host attached to a link, and that are detached for a pod.
 * They are not restored with the link: only the loader of a program can attach it again, and a
 * detached BPF link cannot be attached again (BPF_LINK_DETACH).
 */
final class Programs {

  private Programs() {}

  /** Detaches the programs of tc filters, tcx, netkit and XDP. */
  static void detachAll(NamespaceSession in, LinkKey link, int index) throws IOException {
    for (TrafficControl filter : in.route().filters().list(link)) {
      if (filter.type().equals("bpf")) {
        try {
          in.route().filters().delete(filter);
        } catch (NetlinkException.NotFound e) {
          // another process has detached it
        }
      }
    }
    LinkPrograms programs = LinkPrograms.in(in.namespace());
    for (LinkProgram program : programs.list(index)) {
      try {
        programs.detach(program);
      } catch (LinuxException e) {
        if (!e.is(Errno.ENOENT)) {
          throw e;
        }
      }
    }
  }

  /**
   * Returns descriptions of programs, for records and messages. {@link
   * io.dra4j.netlink.state.LinkState} has the programs of tc filters and XDP.
   */
  static List<String> texts(List<LinkProgram> programs) {
    return programs.stream().filter(one -> !one.point().isXdp()).map(Programs::text).toList();
  }

  private static String text(LinkProgram one) {
    String name = one.name().isEmpty() ? "" : " (" + one.name() + ")";
    return "BPF program " + one.program() + name + " at " + one.point();
  }

  /** Returns the recorded programs that are not attached to the link. */
  static List<String> missing(List<String> recorded, NamespaceSession in, int index)
      throws IOException {
    if (recorded.isEmpty()) {
      return List.of();
    }
    List<String> there = texts(LinkPrograms.in(in.namespace()).list(index));
    return recorded.stream().filter(one -> !there.contains(one)).toList();
  }
}
