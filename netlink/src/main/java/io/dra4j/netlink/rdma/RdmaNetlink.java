package io.dra4j.netlink.rdma;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The RDMA devices of one network namespace ({@code NLDEV} of {@code rdma/rdma_netlink.h}).
 * Thread-safe.
 */
public final class RdmaNetlink implements AutoCloseable {

  static final int NLDEV = 5 << 10; // RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, …)
  private static final int GET = NLDEV + 1;
  private static final int SET = NLDEV + 2;
  private static final int PORT_GET = NLDEV + 5;
  private static final int SYS_GET = NLDEV + 6;
  private static final int SYS_SET = NLDEV + 7;

  static final int DEV_INDEX = 1;
  static final int DEV_NAME = 2;
  static final int PORT_INDEX = 3;
  private static final int CAP_FLAGS = 4;
  private static final int FW_VERSION = 5;
  private static final int NODE_GUID = 6;
  private static final int SYS_IMAGE_GUID = 7;
  private static final int SUBNET_PREFIX = 8;
  private static final int LID = 9;
  private static final int SM_LID = 10;
  private static final int PORT_STATE = 12;
  private static final int PORT_PHYS_STATE = 13;
  private static final int DEV_NODE_TYPE = 14;
  static final int NDEV_INDEX = 50;
  static final int NDEV_NAME = 51;
  private static final int NETNS_MODE = 66;
  private static final int DEV_PROTOCOL = 67;
  private static final int NET_NS_FD = 68;
  static final int EVENT_TYPE = 102;
  private static final int MONITOR_MODE = 103;

  private static final AttributeTable NAMES =
      AttributeTable.of(
          "RDMA_NLDEV_",
          "ATTR_DEV_INDEX ATTR_DEV_NAME ATTR_PORT_INDEX "
              + "- ".repeat(62)
              + "SYS_ATTR_NETNS_MODE ATTR_DEV_PROTOCOL NET_NS_FD");

  private final NetlinkSocket socket;

  /** Where the socket is, if that was said. */
  private final @Nullable NetworkNamespace namespace;

  private RdmaNetlink(NetlinkSocket socket, @Nullable NetworkNamespace namespace) {
    this.socket = socket;
    this.namespace = namespace;
  }

  /**
   * Opens a socket in the network namespace of the calling thread.
   *
   * @return stays in that namespace
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.Unsupported} if it
   *     knows no RDMA
   */
  public static RdmaNetlink open() throws NetlinkException {
    return over(NetlinkSocket.open(NetlinkSocket.RDMA));
  }

  /**
   * Opens a socket in a network namespace.
   *
   * @param namespace the namespace; may be closed afterwards
   * @return stays in that namespace
   * @throws IOException if the namespace cannot be entered, or as for {@link #open()}
   */
  public static RdmaNetlink open(NetworkNamespace namespace) throws IOException {
    NetworkNamespace kept = namespace.duplicate();
    try {
      return new RdmaNetlink(NetlinkSocket.open(NetlinkSocket.RDMA, kept), kept);
    } catch (IOException | RuntimeException | Error failure) {
      kept.close();
      throw failure;
    }
  }

  /**
   * Uses a socket that is open, or a recorded conversation.
   *
   * @param socket a socket of protocol {@link NetlinkSocket#RDMA}; closed with this object
   * @return uses the socket
   */
  public static RdmaNetlink over(NetlinkSocket socket) {
    return new RdmaNetlink(socket, null);
  }

  /**
   * All devices.
   *
   * @return the devices by number
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<RdmaDevice> devices() throws NetlinkException {
    MessageWriter request = socket.request(GET, 0, NAMES, "list RDMA devices");
    return socket.dump(request, GET, RdmaNetlink::device);
  }

  private static RdmaDevice device(Message message) throws NetlinkException.Malformed {
    int index = 0;
    String name = "";
    int ports = 0;
    int nodeType = 0;
    long nodeGuid = 0;
    long imageGuid = 0;
    long capabilities = 0;
    String firmware = "";
    String protocol = "";
    AttributeReader reader = message.attributes(0);
    while (reader.next()) {
      switch (reader.type()) {
        case DEV_INDEX -> index = reader.u32();
        case DEV_NAME -> name = reader.string();
        case PORT_INDEX -> ports = reader.u32();
        case CAP_FLAGS -> capabilities = reader.u64();
        case FW_VERSION -> firmware = reader.string();
        case NODE_GUID -> nodeGuid = reader.u64();
        case SYS_IMAGE_GUID -> imageGuid = reader.u64();
        case DEV_NODE_TYPE -> nodeType = reader.u8();
        case DEV_PROTOCOL -> protocol = reader.string();
        default -> {
          // resources, moderation
        }
      }
    }
    return new RdmaDevice(
        index, name, ports, nodeType, nodeGuid, imageGuid, capabilities, firmware, protocol);
  }

  /**
   * The ports of a device.
   *
   * @param deviceIndex the number of the device
   * @return the ports by number
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<RdmaLink> links(int deviceIndex) throws NetlinkException {
    MessageWriter request =
        socket.request(PORT_GET, 0, NAMES, "list ports of RDMA device " + deviceIndex);
    return socket.dump(request.putU32(DEV_INDEX, deviceIndex), PORT_GET, RdmaNetlink::link);
  }

  private static RdmaLink link(Message message) throws NetlinkException.Malformed {
    int index = 0;
    String name = "";
    int port = 0;
    int state = 0;
    int physicalState = 0;
    OptionalInt lid = OptionalInt.empty();
    OptionalInt managerLid = OptionalInt.empty();
    long prefix = 0;
    OptionalInt netdev = OptionalInt.empty();
    String netdevName = "";
    AttributeReader reader = message.attributes(0);
    while (reader.next()) {
      switch (reader.type()) {
        case DEV_INDEX -> index = reader.u32();
        case DEV_NAME -> name = reader.string();
        case PORT_INDEX -> port = reader.u32();
        case PORT_STATE -> state = reader.u8();
        case PORT_PHYS_STATE -> physicalState = reader.u8();
        case LID -> lid = OptionalInt.of(reader.u32());
        case SM_LID -> managerLid = OptionalInt.of(reader.u32());
        case SUBNET_PREFIX -> prefix = reader.u64();
        case NDEV_INDEX -> netdev = OptionalInt.of(reader.u32());
        case NDEV_NAME -> netdevName = reader.string();
        default -> {
          // capabilities of the port
        }
      }
    }
    return new RdmaLink(
        index, name, port, state, physicalState, lid, managerLid, prefix, netdev, netdevName);
  }

  /**
   * Whether all network namespaces share the devices of the host.
   *
   * @return false if each device belongs to one namespace, so that it has to be moved
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public boolean isShared() throws NetlinkException {
    MessageWriter request = socket.request(SYS_GET, 0, NAMES, "get RDMA namespace mode");
    return socket.get(request, SYS_GET, message -> systemValue(message, NETNS_MODE));
  }

  private static @Nullable Boolean systemValue(Message message, int attribute)
      throws NetlinkException.Malformed {
    @Nullable Boolean value = null;
    AttributeReader reader = message.attributes(0);
    while (reader.next()) {
      if (reader.type() == attribute) {
        value = reader.u8() != 0;
      }
    }
    return value;
  }

  /**
   * Whether the kernel tells a {@link RdmaMonitor} anything.
   *
   * @return false before 6.12
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public boolean tellsEvents() throws NetlinkException {
    MessageWriter request = socket.request(SYS_GET, 0, NAMES, "get RDMA monitor mode");
    return socket.get(
        request,
        SYS_GET,
        message -> Objects.requireNonNullElse(systemValue(message, MONITOR_MODE), false));
  }

  /**
   * Sets whether all network namespaces share the devices of the host.
   *
   * @param shared whether they do
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Busy} as long as
   *     there are other network namespaces
   */
  public void setShared(boolean shared) throws NetlinkException {
    MessageWriter request =
        socket.request(SYS_SET, 0, NAMES, "set RDMA namespace mode, shared " + shared);
    socket.execute(request.putU8(NETNS_MODE, shared ? 1 : 0));
  }

  /**
   * Moves a device to another namespace, which gives it back when it goes; only where devices are
   * not shared. The kernel takes it from the namespace of the calling thread, whatever the socket's
   * is ({@code ib_device_set_netns_put}): this enters the one given to {@link
   * #open(NetworkNamespace)} for it, and otherwise has to be called where the device is.
   *
   * @param deviceIndex the number of the device
   * @param to where to
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if
   *     devices are shared, or the driver cannot do that; {@link NetlinkException.NotFound} if the
   *     device is not in the namespace
   * @throws IOException if the namespace cannot be entered
   */
  public void move(int deviceIndex, NetworkNamespace to) throws IOException {
    if (namespace == null) {
      moveFromHere(deviceIndex, to);
      return;
    }
    namespace.<Boolean>call(
        () -> {
          moveFromHere(deviceIndex, to);
          return true;
        });
  }

  private void moveFromHere(int deviceIndex, NetworkNamespace to) throws NetlinkException {
    MessageWriter request =
        socket.request(
            SET, 0, NAMES, "move RDMA device " + deviceIndex + " to network namespace " + to);
    socket.execute(
        request.putU32(DEV_INDEX, deviceIndex).putDescriptor(NET_NS_FD, to.descriptor()));
  }

  /**
   * Returns the socket that all of this goes through, for what is the same in every family:
   * warnings of the kernel, recordings, messages of one's own.
   *
   * @return the socket, which is closed with this object
   */
  public NetlinkSocket socket() {
    return socket;
  }

  /** Closes the socket. */
  @Override
  public void close() {
    socket.close();
    if (namespace != null) {
      namespace.close();
    }
  }
}
