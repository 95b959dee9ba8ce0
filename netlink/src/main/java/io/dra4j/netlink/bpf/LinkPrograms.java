package io.dra4j.netlink.bpf;

import io.dra4j.linux.Errno;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The BPF programs of links of one network namespace, except for the programs of tc filters ({@link
 * io.dra4j.netlink.route.TrafficControls}): tcx, netkit and XDP programs, attached directly or held
 * by a BPF link. A driver that moves a NIC to a pod detaches the programs of the host's network.
 *
 * <pre>{@code
 * LinkPrograms programs = LinkPrograms.in(namespace);
 * for (LinkProgram program : programs.list(LinkKey.of("eth0"))) {
 *   programs.detach(program);
 * }
 * }</pre>
 *
 * <p>Needs CAP_NET_ADMIN, and CAP_SYS_ADMIN in the initial user namespace for names, for BPF links
 * and to detach. If the kernel has no BPF, or is too old for a place, there are no programs at that
 * place. Each method enters the namespace on a separate thread. Immutable and thread-safe.
 */
public final class LinkPrograms {

  // linux/rtnetlink.h and linux/if_link.h
  private static final int RTM_NEWLINK = 16;
  private static final int RTM_GETLINK = 18;
  private static final int RTM_SETLINK = 19;
  private static final int HEADER = 16; // struct ifinfomsg
  private static final int SKIP_STATISTICS = 8;
  private static final AttributeTable LINK =
      AttributeTable.of("IFLA_", "29=EXT_MASK:u32 43=XDP:nest")
          .with(
              "XDP",
              AttributeTable.of(
                  "IFLA_XDP_",
                  "FD:u32 ATTACHED:u8 FLAGS:u32 PROG_ID:u32 DRV_PROG_ID:u32 SKB_PROG_ID:u32 "
                      + "HW_PROG_ID:u32 EXPECTED_FD:u32"));
  private static final int XDP = LINK.type("XDP");
  private static final int XDP_FLAGS_REPLACE = 16;

  private final NetworkNamespace namespace;

  private LinkPrograms(NetworkNamespace namespace) {
    this.namespace = namespace;
  }

  /**
   * {@return an object that lists and detaches the programs of the links in a namespace}
   *
   * @param namespace the namespace, which must stay open as long as the result is used
   */
  public static LinkPrograms in(NetworkNamespace namespace) {
    return new LinkPrograms(namespace);
  }

  /**
   * {@return the programs of a link by place, in the order in which those of a place run; or none}
   *
   * @param index the index of the link
   * @throws LinuxException if the namespace cannot be entered, or the kernel refuses: EPERM without
   *     the capabilities, ENODEV if there is no such link
   * @throws NetlinkException if the kernel refuses to describe the link; {@link
   *     NetlinkException.NotFound} if there is none
   * @throws IOException if the conversation with the kernel fails
   */
  public List<LinkProgram> list(int index) throws IOException {
    return namespace.call(
        () -> {
          BpfCalls calls = new BpfCalls(namespace.access());
          List<LinkProgram> programs = new ArrayList<>();
          for (AttachPoint point : AttachPoint.values()) {
            if (!point.isXdp()) {
              for (BpfCalls.Attached one : calls.query(index, point)) {
                int link = one.bpfLink();
                programs.add(
                    new LinkProgram(
                        index,
                        point,
                        one.program(),
                        calls.name(one.program()),
                        link == 0 ? OptionalInt.empty() : OptionalInt.of(link)));
              }
            }
          }
          try (NetlinkSocket socket = socket()) {
            for (LinkProgram one : xdp(socket, index)) {
              programs.add(
                  new LinkProgram(
                      index,
                      one.point(),
                      one.program(),
                      calls.name(one.program()),
                      calls.xdpLink(index, one.program())));
            }
          }
          return List.copyOf(programs);
        });
  }

  /**
   * {@return the programs attached to a link, as from {@link #list(int)}}
   *
   * @param link the link, its name or its index
   * @throws NetlinkException.NotFound if there is no such link
   * @throws IOException as for {@link #list(int)}
   */
  public List<LinkProgram> list(LinkKey link) throws IOException {
    if (link.knownIndex().isPresent()) {
      return list(link.knownIndex().getAsInt());
    }
    try (RouteNetlink route = RouteNetlink.open(namespace)) {
      return list(route.links().get(link).index());
    }
  }

  /** Opens a socket, on the thread that is in the namespace. */
  private NetlinkSocket socket() throws NetlinkException {
    return NetlinkSocket.open(namespace.access(), NetlinkSocket.ROUTE);
  }

  private static List<LinkProgram> xdp(NetlinkSocket socket, int index) throws NetlinkException {
    MessageWriter request =
        socket.request(RTM_GETLINK, 0, LINK, "list XDP programs of link " + index);
    request.appendZeros(4).appendU32(index).appendZeros(HEADER - 8);
    request.put("EXT_MASK", SKIP_STATISTICS);
    return socket.get(
        request,
        RTM_NEWLINK,
        message ->
            programs(
                index,
                Attributes.read(LINK, message.attributes(HEADER), type -> type == XDP)
                    .nested("XDP")));
  }

  /** {@return a link's XDP programs; kernels before 4.18 report one number, newer one per mode} */
  private static List<LinkProgram> programs(int index, Attributes xdp) {
    List<LinkProgram> programs = new ArrayList<>();
    add(programs, index, AttachPoint.XDP_GENERIC, xdp.number("SKB_PROG_ID"));
    add(programs, index, AttachPoint.XDP_NATIVE, xdp.number("DRV_PROG_ID"));
    add(programs, index, AttachPoint.XDP_OFFLOAD, xdp.number("HW_PROG_ID"));
    if (programs.isEmpty()) {
      AttachPoint point =
          switch (xdp.number("ATTACHED").orElse(0)) {
            case 2 -> AttachPoint.XDP_GENERIC;
            case 3 -> AttachPoint.XDP_OFFLOAD;
            default -> AttachPoint.XDP_NATIVE;
          };
      add(programs, index, point, xdp.number("PROG_ID"));
    }
    return programs;
  }

  private static void add(
      List<LinkProgram> programs, int index, AttachPoint point, OptionalInt number) {
    if (number.orElse(0) != 0) {
      programs.add(new LinkProgram(index, point, number.getAsInt(), "", OptionalInt.empty()));
    }
  }

  /**
   * Detaches a program from its link. Other holders of the program, such as a pin in {@code
   * /sys/fs/bpf}, keep it loaded; a BPF link stays, attached to nothing.
   *
   * @param program a program that {@link #list} returned
   * @throws LinuxException if the namespace cannot be entered, or the kernel refuses: ENOENT if the
   *     program is no longer attached there, EPERM without the capabilities
   * @throws NetlinkException if the kernel refuses to remove an XDP program
   * @throws IOException if the conversation with the kernel fails
   */
  public void detach(LinkProgram program) throws IOException {
    namespace.<Boolean>call(
        () -> {
          BpfCalls calls = new BpfCalls(namespace.access());
          OptionalInt link = program.bpfLink();
          if (program.point().isXdp()) {
            try {
              detachXdp(calls, program);
            } catch (NetlinkException.Busy e) { // held by a BPF link
              calls.detachLink(link.orElseThrow(() -> e), program.index(), program.program());
            }
          } else if (link.isPresent()) {
            calls.detachLink(link.getAsInt(), program.index(), program.program());
          } else {
            calls.detachProgram(program);
          }
          return true;
        });
  }

  /** Detaches an XDP program only if it is still attached: XDP_FLAGS_REPLACE, since Linux 5.7. */
  private void detachXdp(BpfCalls calls, LinkProgram program) throws IOException {
    try (NetlinkSocket socket = socket();
        FileDescriptor expected = calls.program(program.program())) {
      List<LinkProgram> now = xdp(socket, program.index());
      if (now.stream().noneMatch(one -> one.program() == program.program())) {
        throw new LinuxException("detach " + program, Errno.ENOENT.code());
      }
      MessageWriter request = socket.request(RTM_SETLINK, 0, LINK, "detach " + program);
      request.appendZeros(4).appendU32(program.index()).appendZeros(HEADER - 8);
      int xdp = request.open("XDP");
      request.put("FD", -1);
      request.put("FLAGS", program.point().number() | XDP_FLAGS_REPLACE);
      request.put("EXPECTED_FD", expected.number()).close(xdp);
      socket.execute(request);
    }
  }

  /** Returns the namespace, for messages. */
  @Override
  public String toString() {
    return "BPF programs of links in " + namespace;
  }
}
