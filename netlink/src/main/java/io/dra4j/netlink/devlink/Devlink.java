package io.dra4j.netlink.devlink;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
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
import org.jspecify.annotations.Nullable;

/** Reads what devlink knows of the devices of one network namespace. Thread-safe. */
public final class Devlink implements AutoCloseable {

  private static final int CMD_GET = 1;
  private static final int CMD_ESWITCH_GET = 29;
  private static final int CMD_INFO_GET = 51;

  private static final int BUS_NAME = 1;
  private static final int DEV_NAME = 2;
  private static final int ESWITCH_MODE = 25;
  private static final int INFO_DRIVER_NAME = 98;
  private static final int INFO_SERIAL_NUMBER = 99;
  private static final int INFO_VERSION_FIXED = 100;
  private static final int INFO_VERSION_RUNNING = 101;
  private static final int INFO_VERSION_STORED = 102;
  private static final int INFO_VERSION_NAME = 103;
  private static final int INFO_VERSION_VALUE = 104;
  private static final int INFO_BOARD_SERIAL_NUMBER = 146;

  private static final AttributeTable NAMES =
      AttributeTable.of("DEVLINK_ATTR_", "BUS_NAME DEV_NAME");

  private final GenericNetlink netlink;
  private final GenericFamily family;

  private Devlink(GenericNetlink netlink, GenericFamily family) {
    this.netlink = netlink;
    this.family = family;
  }

  /** What a NIC with virtual functions does with packets between them. */
  public enum SwitchMode {
    /** It switches by address and VLAN. */
    LEGACY,
    /** The host programs it, through a representor of each function. */
    SWITCHDEV,
    /** It does not switch. */
    INACTIVE
  }

  /**
   * Opens a socket in the network namespace of the calling thread.
   *
   * @return stays in that namespace
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.NotFound} if it has no
   *     devlink
   */
  public static Devlink open() throws NetlinkException {
    return over(GenericNetlink.open());
  }

  /**
   * Opens a socket in a network namespace.
   *
   * @param namespace the namespace; may be closed afterwards
   * @return stays in that namespace
   * @throws IOException if the namespace cannot be entered, or as for {@link #open()}
   */
  public static Devlink open(NetworkNamespace namespace) throws IOException {
    return over(GenericNetlink.open(namespace));
  }

  /**
   * Uses a socket that is open, or a recorded conversation.
   *
   * @param netlink a socket; closed with this object, and if it fails
   * @return uses the socket
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
   * All devices.
   *
   * @return the devices
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public List<DevlinkDevice> devices() throws NetlinkException {
    MessageWriter request = netlink.request(family, CMD_GET, NAMES, "list devlink devices");
    return netlink.dump(family, request, Devlink::device);
  }

  private static DevlinkDevice device(Message message) throws NetlinkException.Malformed {
    String bus = "";
    String name = "";
    AttributeReader reader = message.attributes(GenericNetlink.HEADER);
    while (reader.next()) {
      switch (reader.type()) {
        case BUS_NAME -> bus = reader.string();
        case DEV_NAME -> name = reader.string();
        default -> {
          // statistics of reloads
        }
      }
    }
    return new DevlinkDevice(bus, name);
  }

  private MessageWriter request(int command, String operation, DevlinkDevice device) {
    return netlink
        .request(family, command, NAMES, operation + " of " + device)
        .putString(BUS_NAME, device.bus())
        .putString(DEV_NAME, device.name());
  }

  /**
   * What a device says of itself.
   *
   * @param device the device
   * @return driver, serial numbers, versions
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     driver does not tell
   */
  public DeviceInformation information(DevlinkDevice device) throws NetlinkException {
    return netlink.get(
        family, request(CMD_INFO_GET, "get information", device), message -> info(device, message));
  }

  private static DeviceInformation info(DevlinkDevice device, Message message)
      throws NetlinkException.Malformed {
    String driver = "";
    String serial = "";
    String boardSerial = "";
    Map<String, String> fixed = new TreeMap<>();
    Map<String, String> running = new TreeMap<>();
    Map<String, String> stored = new TreeMap<>();
    AttributeReader reader = message.attributes(GenericNetlink.HEADER);
    while (reader.next()) {
      switch (reader.type()) {
        case INFO_DRIVER_NAME -> driver = reader.string();
        case INFO_SERIAL_NUMBER -> serial = reader.string();
        case INFO_BOARD_SERIAL_NUMBER -> boardSerial = reader.string();
        case INFO_VERSION_FIXED -> version(reader, fixed);
        case INFO_VERSION_RUNNING -> version(reader, running);
        case INFO_VERSION_STORED -> version(reader, stored);
        default -> {
          // which device it is
        }
      }
    }
    return new DeviceInformation(device, driver, serial, boardSerial, fixed, running, stored);
  }

  private static void version(AttributeReader reader, Map<String, String> versions)
      throws NetlinkException.Malformed {
    String name = "";
    String value = "";
    reader.enter();
    while (reader.next()) {
      switch (reader.type()) {
        case INFO_VERSION_NAME -> name = reader.string();
        case INFO_VERSION_VALUE -> value = reader.string();
        default -> {
          // its kind
        }
      }
    }
    versions.put(name, value);
  }

  /**
   * What a device does with packets between its virtual functions.
   *
   * @param device the device
   * @return the mode
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if it
   *     has no switch
   */
  public SwitchMode switchMode(DevlinkDevice device) throws NetlinkException {
    return netlink.get(
        family,
        request(CMD_ESWITCH_GET, "get eswitch mode", device),
        message -> {
          @Nullable SwitchMode mode = null;
          AttributeReader reader = message.attributes(GenericNetlink.HEADER);
          while (reader.next()) {
            if (reader.type() == ESWITCH_MODE) {
              mode =
                  switch (reader.u16()) {
                    case 0 -> SwitchMode.LEGACY;
                    case 1 -> SwitchMode.SWITCHDEV;
                    default -> SwitchMode.INACTIVE;
                  };
            }
          }
          return mode;
        });
  }

  /**
   * Returns the socket that all of this goes through, for what is the same in every family:
   * warnings of the kernel, recordings, messages of one's own.
   *
   * @return the socket, which is closed with this object
   */
  public NetlinkSocket socket() {
    return netlink.socket();
  }

  /** Closes the socket. */
  @Override
  public void close() {
    netlink.close();
  }
}
