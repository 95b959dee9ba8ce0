package io.dra4j.netlink.bpf;

import io.dra4j.linux.Errno;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The BPF programs of links of one network namespace, beside those of tc filters ({@link
 * io.dra4j.netlink.route.TrafficControls}): tcx and netkit programs and XDP, attached directly or
 * held by a BPF link. A driver that hands a NIC to a pod takes away what the host's own network put
 * there.
 *
 * <pre>{@code
 * LinkPrograms programs = LinkPrograms.in(namespace);
 * for (LinkProgram program : programs.list(link.index())) {
 *   programs.detach(program);
 * }
 * }</pre>
 *
 * <p>Needs CAP_NET_ADMIN, and CAP_SYS_ADMIN in the first user namespace for names, for BPF links
 * and to detach. A kernel that has no BPF, or is too old for a place, has no programs there. Each
 * method enters the namespace on a thread of its own. Immutable and thread-safe.
 */
public final class LinkPrograms {

  // linux/rtnetlink.h and linux/if_link.h
  private static final int RTM_NEWLINK = 16;
  private static final int RTM_GETLINK = 18;
  private static final int RTM_SETLINK = 19;
  private static final int HEADER = 16; // struct ifinfomsg
  private static final int IFLA_EXT_MASK = 29;
  private static final int SKIP_STATISTICS = 8;
  private static final int IFLA_XDP = 43;
  private static final int IFLA_XDP_FD = 1;
  private static final int IFLA_XDP_ATTACHED = 2;
  private static final int IFLA_XDP_FLAGS = 3;
  private static final int IFLA_XDP_PROG_ID = 4;
  private static final int IFLA_XDP_DRV_PROG_ID = 5;
  private static final int IFLA_XDP_SKB_PROG_ID = 6;
  private static final int IFLA_XDP_HW_PROG_ID = 7;
  private static final int IFLA_XDP_EXPECTED_FD = 8;
  private static final int XDP_FLAGS_REPLACE = 16;

  private final NetworkNamespace namespace;

  private LinkPrograms(NetworkNamespace namespace) {
    this.namespace = namespace;
  }

  /**
   * Returns the programs of the links in a namespace.
   *
   * @param namespace the namespace, which stays open as long as this is used
   * @return lists and detaches them
   */
  public static LinkPrograms in(NetworkNamespace namespace) {
    return new LinkPrograms(namespace);
  }

  /**
   * Lists the programs attached to a link.
   *
   * @param index the index of the link
   * @return the programs by place, those of one place in the order in which they run; empty if
   *     there are none
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

  /** Opened by the thread that is in the namespace. */
  private NetlinkSocket socket() throws NetlinkException {
    return NetlinkSocket.open(namespace.access(), NetlinkSocket.ROUTE);
  }

  private static List<LinkProgram> xdp(NetlinkSocket socket, int index) throws NetlinkException {
    MessageWriter request =
        socket.request(RTM_GETLINK, 0, AttributeTable.NONE, "list XDP programs of link " + index);
    request.appendZeros(4).appendU32(index).appendZeros(HEADER - 8);
    request.putU32(IFLA_EXT_MASK, SKIP_STATISTICS);
    return socket.get(request, RTM_NEWLINK, message -> decode(message, index));
  }

  private static List<LinkProgram> decode(Message message, int index)
      throws NetlinkException.Malformed {
    List<LinkProgram> programs = new ArrayList<>();
    AttributeReader reader = message.attributes(HEADER);
    while (reader.next()) {
      if (reader.type() == IFLA_XDP) {
        decodeXdp(reader, index, programs);
      }
    }
    return programs;
  }

  /** Kernels before 4.18 tell one number only, which newer ones tell beside that of its mode. */
  private static void decodeXdp(AttributeReader reader, int index, List<LinkProgram> programs)
      throws NetlinkException.Malformed {
    int attached = 0;
    int only = 0;
    reader.enter();
    while (reader.next()) {
      switch (reader.type()) {
        case IFLA_XDP_ATTACHED -> attached = reader.u8();
        case IFLA_XDP_PROG_ID -> only = reader.u32();
        case IFLA_XDP_SKB_PROG_ID ->
            programs.add(program(index, AttachPoint.XDP_GENERIC, reader.u32()));
        case IFLA_XDP_DRV_PROG_ID ->
            programs.add(program(index, AttachPoint.XDP_NATIVE, reader.u32()));
        case IFLA_XDP_HW_PROG_ID ->
            programs.add(program(index, AttachPoint.XDP_OFFLOAD, reader.u32()));
        default -> {
          // what newer kernels add
        }
      }
    }
    if (programs.isEmpty() && only != 0) {
      AttachPoint point =
          switch (attached) {
            case 2 -> AttachPoint.XDP_GENERIC;
            case 3 -> AttachPoint.XDP_OFFLOAD;
            default -> AttachPoint.XDP_NATIVE;
          };
      programs.add(program(index, point, only));
    }
  }

  private static LinkProgram program(int index, AttachPoint point, int number) {
    return new LinkProgram(index, point, number, "", OptionalInt.empty());
  }

  /**
   * Detaches a program from its link. What else holds the program, such as a pin in {@code
   * /sys/fs/bpf}, keeps it loaded; a BPF link stays, attached to nothing.
   *
   * @param program a program that {@link #list} told of
   * @throws LinuxException if the namespace cannot be entered, or the kernel refuses: ENOENT if the
   *     program is not attached there any more, EPERM without the capabilities
   * @throws NetlinkException if the kernel refuses to take an XDP program away
   * @throws IOException if the conversation with the kernel fails
   */
  public void detach(LinkProgram program) throws IOException {
    namespace.<Boolean>call(
        () -> {
          BpfCalls calls = new BpfCalls(namespace.access());
          if (program.bpfLink().isPresent()) {
            calls.detachLink(program.bpfLink().getAsInt(), program.index(), program.program());
          } else if (program.point().isXdp()) {
            detachXdp(calls, program);
          } else {
            calls.detachProgram(program);
          }
          return true;
        });
  }

  /** Only while it is this program: XDP_FLAGS_REPLACE, since Linux 5.7. */
  private void detachXdp(BpfCalls calls, LinkProgram program) throws IOException {
    try (NetlinkSocket socket = socket();
        FileDescriptor expected = calls.program(program.program())) {
      List<LinkProgram> now = xdp(socket, program.index());
      if (now.stream().noneMatch(one -> one.program() == program.program())) {
        throw new LinuxException("detach " + program, Errno.ENOENT.code());
      }
      MessageWriter request =
          socket.request(RTM_SETLINK, 0, AttributeTable.NONE, "detach " + program);
      request.appendZeros(4).appendU32(program.index()).appendZeros(HEADER - 8);
      int xdp = request.open(IFLA_XDP);
      request.putU32(IFLA_XDP_FD, -1);
      request.putU32(IFLA_XDP_FLAGS, program.point().number() | XDP_FLAGS_REPLACE);
      request.putU32(IFLA_XDP_EXPECTED_FD, expected.number()).close(xdp);
      socket.execute(request);
    }
  }

  /** The namespace, for messages. */
  @Override
  public String toString() {
    return "BPF programs of links in " + namespace;
  }
}
