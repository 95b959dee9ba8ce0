package io.dra4j.netlink.rdma;

import io.dra4j.linux.Errno;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The RDMA devices of one network namespace ({@code NLDEV} of {@code rdma/rdma_netlink.h}).
 * Thread-safe.
 *
 * <pre>{@code
 * try (RdmaNetlink rdma = RdmaNetlink.open()) {
 *   for (RdmaDevice device : rdma.devices()) {
 *     System.out.println(device.name() + " " + rdma.links(device.index()));
 *   }
 * }
 * }</pre>
 */
public final class RdmaNetlink implements AutoCloseable {

  static final int NLDEV = 5 << 10; // RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, …)
  static final int GET = NLDEV + 1;
  static final int SET = NLDEV + 2;
  static final int PORT_GET = NLDEV + 5;
  static final int SYS_GET = NLDEV + 6;
  static final int SYS_SET = NLDEV + 7;
  static final int GET_CHARDEV = NLDEV + 15;

  /** {@code enum rdma_nldev_attr}, without the attributes of resources, counters and statistics. */
  static final AttributeTable TABLE =
      AttributeTable.of(
          "RDMA_NLDEV_",
          "ATTR_DEV_INDEX:u32 ATTR_DEV_NAME:text ATTR_PORT_INDEX:u32 ATTR_CAP_FLAGS:u64 "
              + "ATTR_FW_VERSION:text ATTR_NODE_GUID:u64 ATTR_SYS_IMAGE_GUID:u64 "
              + "ATTR_SUBNET_PREFIX:u64 ATTR_LID:u32 ATTR_SM_LID:u32 ATTR_LMC:u8 "
              + "ATTR_PORT_STATE:u8 ATTR_PORT_PHYS_STATE:u8 ATTR_DEV_NODE_TYPE:u8 "
              + "50=ATTR_NDEV_INDEX:u32 ATTR_NDEV_NAME:text "
              + "66=SYS_ATTR_NETNS_MODE:u8 ATTR_DEV_PROTOCOL:text NET_NS_FD:u32 "
              + "ATTR_CHARDEV_TYPE:text ATTR_CHARDEV_NAME:text ATTR_CHARDEV_ABI:u64 "
              + "ATTR_CHARDEV:u64 ATTR_UVERBS_DRIVER_ID:u32 "
              + "102=ATTR_EVENT_TYPE:u8 SYS_ATTR_MONITOR_MODE:u8");

  private final NetlinkSocket socket;

  /** The namespace of the socket, if it was given. */
  private final @Nullable NetworkNamespace namespace;

  private RdmaNetlink(NetlinkSocket socket, @Nullable NetworkNamespace namespace) {
    this.socket = socket;
    this.namespace = namespace;
  }

  /**
   * {@return a new instance with a socket that stays in the calling thread's network namespace}
   *
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.Unsupported} if it does
   *     not support RDMA
   */
  public static RdmaNetlink open() throws NetlinkException {
    return over(NetlinkSocket.open(NetlinkSocket.RDMA));
  }

  /**
   * {@return a new instance with a socket that stays in a network namespace}
   *
   * @param namespace the namespace; may be closed afterwards
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
   * {@return an instance that uses an open socket, or a recorded conversation}
   *
   * @param socket a socket of protocol {@link NetlinkSocket#RDMA}; closed with this object
   */
  public static RdmaNetlink over(NetlinkSocket socket) {
    return new RdmaNetlink(socket, null);
  }

  /**
   * {@return all devices by number}
   *
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<RdmaDevice> devices() throws NetlinkException {
    MessageWriter request = socket.request(GET, 0, TABLE, "list RDMA devices");
    return socket.dump(request, GET, RdmaNetlink::device);
  }

  static Attributes read(Message message) throws NetlinkException.Malformed {
    return Attributes.read(TABLE, message.attributes(0));
  }

  private static int number(Attributes attributes, String name) {
    return attributes.number(name).orElse(0);
  }

  private static long number64(Attributes attributes, String name) {
    return attributes.number64(name).orElse(0);
  }

  private static RdmaDevice device(Message message) throws NetlinkException.Malformed {
    Attributes attributes = read(message);
    return new RdmaDevice(
        number(attributes, "ATTR_DEV_INDEX"),
        attributes.text("ATTR_DEV_NAME"),
        number(attributes, "ATTR_PORT_INDEX"),
        number(attributes, "ATTR_DEV_NODE_TYPE"),
        number64(attributes, "ATTR_NODE_GUID"),
        number64(attributes, "ATTR_SYS_IMAGE_GUID"),
        number64(attributes, "ATTR_CAP_FLAGS"),
        attributes.text("ATTR_FW_VERSION"),
        attributes.text("ATTR_DEV_PROTOCOL"));
  }

  /**
   * {@return the ports of a device by number} If the driver cannot report a port, the kernel
   * silently leaves out this port and all later ones ({@code nldev_port_get_dumpit}): compare with
   * {@link RdmaDevice#ports}, and use {@link #link} for single ports.
   *
   * @param deviceIndex the number of the device
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<RdmaLink> links(int deviceIndex) throws NetlinkException {
    MessageWriter request =
        socket.request(PORT_GET, 0, TABLE, "list ports of RDMA device " + deviceIndex);
    return socket.dump(request.put("ATTR_DEV_INDEX", deviceIndex), PORT_GET, RdmaNetlink::link);
  }

  /**
   * {@return a port of a device}
   *
   * @param deviceIndex the number of the device
   * @param port the number of the port, from 1
   * @throws NetlinkException if the kernel refuses, for example because there is no such port or
   *     the driver cannot report it, or if the conversation fails
   */
  public RdmaLink link(int deviceIndex, int port) throws NetlinkException {
    MessageWriter request =
        socket
            .request(PORT_GET, 0, TABLE, "get port " + port + " of RDMA device " + deviceIndex)
            .put("ATTR_DEV_INDEX", deviceIndex)
            .put("ATTR_PORT_INDEX", port);
    return socket.get(
        request, GET, RdmaNetlink::link); // the type that nldev_port_get_doit uses for its answer
  }

  private static RdmaLink link(Message message) throws NetlinkException.Malformed {
    Attributes attributes = read(message);
    return new RdmaLink(
        number(attributes, "ATTR_DEV_INDEX"),
        attributes.text("ATTR_DEV_NAME"),
        number(attributes, "ATTR_PORT_INDEX"),
        number(attributes, "ATTR_PORT_STATE"),
        number(attributes, "ATTR_PORT_PHYS_STATE"),
        attributes.number("ATTR_LID"),
        attributes.number("ATTR_SM_LID"),
        attributes.number("ATTR_LMC"),
        number64(attributes, "ATTR_SUBNET_PREFIX"),
        attributes.number("ATTR_NDEV_INDEX"),
        attributes.text("ATTR_NDEV_NAME"));
  }

  /**
   * {@return a character device of an RDMA device} The kernel loads the module of such character
   * devices if necessary, so request only types that the host has.
   *
   * @param type {@code uverbs}, {@code umad} or {@code issm}
   * @param deviceIndex the number of the RDMA device
   * @param port the port, from 1, for {@code umad} and {@code issm}; absent for {@code uverbs}
   * @throws NetlinkException if the kernel refuses, for example because there is none or Linux is
   *     older than 5.3, or if the conversation fails
   */
  public RdmaCharacterDevice characterDevice(String type, int deviceIndex, OptionalInt port)
      throws NetlinkException {
    MessageWriter request =
        socket
            .request(GET_CHARDEV, 0, TABLE, "get " + type + " device of RDMA device " + deviceIndex)
            .put("ATTR_CHARDEV_TYPE", type)
            .put("ATTR_DEV_INDEX", deviceIndex);
    if (port.isPresent()) {
      request.put("ATTR_PORT_INDEX", port.getAsInt());
    }
    return socket.get(request, GET_CHARDEV, RdmaNetlink::characterDevice);
  }

  /**
   * {@return the character device {@code rdma_cm}, by which programs open connections of all RDMA
   * devices} As with {@link #characterDevice}, the kernel loads a missing module.
   *
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public RdmaCharacterDevice connectionManager() throws NetlinkException {
    MessageWriter request =
        socket
            .request(GET_CHARDEV, 0, TABLE, "get character device rdma_cm")
            .put("ATTR_CHARDEV_TYPE", "rdma_cm");
    return socket.get(request, GET_CHARDEV, RdmaNetlink::characterDevice);
  }

  private static RdmaCharacterDevice characterDevice(Message message)
      throws NetlinkException.Malformed {
    Attributes attributes = read(message);
    return RdmaCharacterDevice.of(
        attributes.text("ATTR_CHARDEV_NAME"),
        number64(attributes, "ATTR_CHARDEV"),
        number64(attributes, "ATTR_CHARDEV_ABI"),
        attributes.number("ATTR_UVERBS_DRIVER_ID"));
  }

  /**
   * {@return whether all network namespaces share the devices of the host; false if each belongs to
   * one namespace and has to be moved} Kernels before 5.2 can only share devices.
   *
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public boolean isShared() throws NetlinkException {
    MessageWriter request = socket.request(SYS_GET, 0, TABLE, "get RDMA namespace mode");
    try {
      return socket.get(
          request, SYS_GET, message -> read(message).number("SYS_ATTR_NETNS_MODE").orElse(1) != 0);
    } catch (NetlinkException.Refused e) {
      if (e.errno() == Errno.EINVAL.code()) { // no module answers
        return true;
      }
      throw e;
    }
  }

  /**
   * {@return whether the kernel sends events to a {@link RdmaMonitor}; false before 6.12}
   *
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public boolean reportsEvents() throws NetlinkException {
    MessageWriter request = socket.request(SYS_GET, 0, TABLE, "get RDMA monitor mode");
    return socket.get(
        request, SYS_GET, message -> number(read(message), "SYS_ATTR_MONITOR_MODE") != 0);
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
        socket.request(SYS_SET, 0, TABLE, "set RDMA namespace mode, shared " + shared);
    socket.execute(request.put("SYS_ATTR_NETNS_MODE", shared ? 1 : 0));
  }

  /**
   * Moves a device to another namespace, if devices are not shared. The device returns when that
   * namespace ends. The kernel takes the device from the namespace of the calling thread, not of
   * the socket ({@code ib_device_set_netns_put}). This method therefore enters the namespace that
   * was passed to {@link #open(NetworkNamespace)}; without one, call it in the namespace of the
   * device.
   *
   * @param deviceIndex the number of the device
   * @param to the other namespace
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if
   *     devices are shared, or the driver does not support it; {@link NetlinkException.NotFound} if
   *     the device is not in the namespace
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
            SET, 0, TABLE, "move RDMA device " + deviceIndex + " to network namespace " + to);
    socket.execute(request.put("ATTR_DEV_INDEX", deviceIndex).put("NET_NS_FD", to.descriptor()));
  }

  /**
   * Renames a device.
   *
   * @param deviceIndex the number of the device
   * @param name its new name, which must not be used in any namespace
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Exists} if the name
   *     is in use; {@link NetlinkException.NotFound} if the device is not in the namespace
   */
  public void rename(int deviceIndex, String name) throws NetlinkException {
    MessageWriter request =
        socket.request(SET, 0, TABLE, "rename RDMA device " + deviceIndex + " to " + name);
    socket.execute(request.put("ATTR_DEV_INDEX", deviceIndex).put("ATTR_DEV_NAME", name));
  }

  /** {@return the socket, closed with this object, for warnings, recordings and own messages} */
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
