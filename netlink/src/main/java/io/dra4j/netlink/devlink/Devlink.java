package io.dra4j.netlink.devlink;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.generic.GenericFamily;
import io.dra4j.netlink.generic.GenericNetlink;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads devlink's information about the devices of one network namespace, as {@code devlink dev}
 * does (generic netlink family {@code devlink}, {@code linux/devlink.h}). Thread-safe.
 *
 * <pre>{@code
 * try (Devlink devlink = Devlink.open()) {
 *   for (DevlinkDevice device : devlink.devices()) {
 *     System.out.println(device + " " + devlink.information(device).runningVersions());
 *   }
 * }
 * }</pre>
 */
public final class Devlink implements AutoCloseable {

  private static final int CMD_GET = 1;
  private static final int CMD_ESWITCH_GET = 29;
  private static final int CMD_INFO_GET = 51;

  private static final AttributeTable VERSION =
      AttributeTable.of("DEVLINK_ATTR_", "103=INFO_VERSION_NAME:text INFO_VERSION_VALUE:text");

  private static final AttributeTable TABLE =
      AttributeTable.of(
              "DEVLINK_ATTR_",
              "BUS_NAME:text DEV_NAME:text 25=ESWITCH_MODE:u16 ESWITCH_INLINE_MODE:u8 "
                  + "62=ESWITCH_ENCAP_MODE:u8 98=INFO_DRIVER_NAME:text INFO_SERIAL_NUMBER:text "
                  + "INFO_VERSION_FIXED:nest INFO_VERSION_RUNNING:nest INFO_VERSION_STORED:nest "
                  + "INFO_VERSION_NAME:text INFO_VERSION_VALUE:text "
                  + "146=INFO_BOARD_SERIAL_NUMBER:text")
          .with("INFO_VERSION_FIXED", VERSION)
          .with("INFO_VERSION_RUNNING", VERSION)
          .with("INFO_VERSION_STORED", VERSION);

  private final GenericNetlink netlink;
  private final GenericFamily family;

  private Devlink(GenericNetlink netlink, GenericFamily family) {
    this.netlink = netlink;
    this.family = family;
  }

  /** The way in which a NIC with virtual functions switches packets between them. */
  public enum SwitchMode {
    /** It switches by address and VLAN. */
    LEGACY,
    /** The host programs it, through a representor of each function. */
    SWITCHDEV,
    /** It does not switch. */
    INACTIVE
  }

  /**
   * {@return a new instance with a socket that stays in the calling thread's network namespace}
   *
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.NotFound} if it has no
   *     devlink
   */
  public static Devlink open() throws NetlinkException {
    return over(GenericNetlink.open());
  }

  /**
   * {@return a new instance with a socket that stays in a network namespace}
   *
   * @param namespace the namespace; may be closed afterwards
   * @throws IOException if the namespace cannot be entered, or as for {@link #open()}
   */
  public static Devlink open(NetworkNamespace namespace) throws IOException {
    return over(GenericNetlink.open(namespace));
  }

  /**
   * {@return an instance that uses an open socket, or a recorded conversation}
   *
   * @param netlink a socket; closed with this object, and if it fails
   * @throws NetlinkException if the kernel does not have devlink's family
   */
  public static Devlink over(GenericNetlink netlink) throws NetlinkException {
    try {
      return new Devlink(netlink, netlink.family("devlink"));
    } catch (NetlinkException | RuntimeException | Error e) {
      netlink.close();
      throw e;
    }
  }

  /**
   * {@return all devices ({@code DEVLINK_CMD_GET})}
   *
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<DevlinkDevice> devices() throws NetlinkException {
    MessageWriter request = netlink.request(family, CMD_GET, TABLE, "list devlink devices");
    return netlink.dump(
        family,
        request,
        message -> {
          Attributes reported = read(message);
          return new DevlinkDevice(reported.text("BUS_NAME"), reported.text("DEV_NAME"));
        });
  }

  private static Attributes read(Message message) throws NetlinkException.Malformed {
    return Attributes.read(TABLE, message.attributes(GenericNetlink.HEADER));
  }

  private MessageWriter request(int command, String operation, DevlinkDevice device) {
    return netlink
        .request(family, command, TABLE, operation + " of " + device)
        .put("BUS_NAME", device.bus())
        .put("DEV_NAME", device.name());
  }

  /**
   * {@return a device's driver, serial numbers and versions ({@code DEVLINK_CMD_INFO_GET})}
   *
   * @param device the device
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     driver does not report it
   */
  public DeviceInformation information(DevlinkDevice device) throws NetlinkException {
    MessageWriter request = request(CMD_INFO_GET, "get information", device);
    Attributes reported = netlink.get(family, request, Devlink::read);
    return new DeviceInformation(
        device,
        reported.text("INFO_DRIVER_NAME"),
        reported.text("INFO_SERIAL_NUMBER"),
        reported.text("INFO_BOARD_SERIAL_NUMBER"),
        versions(reported.each("INFO_VERSION_FIXED")),
        versions(reported.each("INFO_VERSION_RUNNING")),
        versions(reported.each("INFO_VERSION_STORED")));
  }

  private static Map<String, String> versions(List<Attributes> reported) {
    Map<String, String> versions = new TreeMap<>();
    reported.forEach(
        one -> versions.put(one.text("INFO_VERSION_NAME"), one.text("INFO_VERSION_VALUE")));
    return versions;
  }

  /**
   * {@return how a device switches between virtual functions ({@code DEVLINK_ATTR_ESWITCH_MODE})}
   *
   * @param device the device
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if it
   *     has no switch
   */
  public SwitchMode switchMode(DevlinkDevice device) throws NetlinkException {
    return netlink.get(
        family,
        request(CMD_ESWITCH_GET, "get eswitch mode", device),
        message -> {
          Attributes reported = read(message);
          if (!reported.has("ESWITCH_MODE")) {
            return null;
          }
          return switch (reported.number("ESWITCH_MODE").getAsInt()) {
            case 0 -> SwitchMode.LEGACY;
            case 1 -> SwitchMode.SWITCHDEV;
            default -> SwitchMode.INACTIVE;
          };
        });
  }

  /** {@return the socket, closed with this object, for warnings, recordings and own messages} */
  public NetlinkSocket socket() {
    return netlink.socket();
  }

  /** Closes the socket. */
  @Override
  public void close() {
    netlink.close();
  }
}
