package io.dra4j.netlink.ethtool;

import io.dra4j.linux.Architecture;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NativeAccess;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Asks a driver about itself by {@code ioctl}, because netlink has no message for that. The layouts
 * are those of {@code struct ifreq} and {@code struct ethtool_drvinfo} on 64-bit architectures.
 */
final class DriverRequest {

  private static final int AF_INET = 2;
  private static final int SOCK_DGRAM = 2;
  private static final int SIOCETHTOOL = 0x8946;
  private static final int ETHTOOL_GDRVINFO = 3;

  private static final int REQUEST_NAME = 16;
  private static final int REQUEST_POINTER = 16;
  private static final int REQUEST = 40;
  private static final int TEXT = 32;
  private static final int INFORMATION = 196;

  private DriverRequest() {}

  static DriverInformation ask(NativeAccess access, String link) throws LinuxException {
    byte[] name = link.getBytes(StandardCharsets.UTF_8);
    if (name.length == 0 || name.length >= REQUEST_NAME) {
      throw new IllegalArgumentException(
          "not a name of a link: '" + link + "' has " + name.length + " bytes, expected 1 to 15");
    }
    ByteBuffer memory =
        ByteBuffer.allocateDirect(REQUEST + INFORMATION).order(ByteOrder.nativeOrder());
    long address = access.address(memory);
    memory.put(0, name).putLong(REQUEST_POINTER, address + REQUEST);
    memory.putInt(REQUEST, ETHTOOL_GDRVINFO);
    int number = access.socket(AF_INET, SOCK_DGRAM | Architecture.O_CLOEXEC, 0);
    LinuxException.check(number, "open a socket");
    try (FileDescriptor socket = new FileDescriptor(access, number)) {
      LinuxException.check(
          access.deviceControl(socket.number(), SIOCETHTOOL, address),
          "get driver information of " + link);
      return new DriverInformation(
          text(memory, 0), text(memory, 1), text(memory, 2), text(memory, 3));
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /** The texts follow the 32-bit command. */
  private static String text(ByteBuffer memory, int place) {
    byte[] bytes = new byte[TEXT];
    memory.get(REQUEST + 4 + place * TEXT, bytes);
    int length = 0;
    while (length < TEXT && bytes[length] != 0) {
      length++;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
