package io.dra4j.netlink.ethtool;

import io.dra4j.linux.Architecture;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NativeAccess;
import io.dra4j.netlink.LinkKey;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Requests the information of a driver by {@code ioctl}, because netlink has no message for it. The
 * layouts are those of {@code struct ifreq} and {@code struct ethtool_drvinfo} on 64-bit
 * architectures.
 */
final class DriverRequest {

  private static final int AF_INET = 2;
  private static final int SOCK_DGRAM = 2;
  private static final int SIOCGIFNAME = 0x8910;
  private static final int SIOCETHTOOL = 0x8946;
  private static final int ETHTOOL_GDRVINFO = 3;

  private static final int REQUEST_NAME = 16;
  private static final int REQUEST_POINTER = 16;
  private static final int REQUEST_INDEX = 16;
  private static final int REQUEST = 40;
  private static final int TEXT = 32;
  private static final int INFORMATION = 196;

  private DriverRequest() {}

  /** Queries a link's driver, by the index if known: the name may be another link's meanwhile. */
  static DriverInformation ask(NativeAccess access, LinkKey link) throws LinuxException {
    byte[] name = link.knownName().getBytes(StandardCharsets.UTF_8);
    boolean isByName = link.knownIndex().isEmpty();
    if (isByName && name.length >= REQUEST_NAME) {
      throw new IllegalArgumentException(
          "driver information needs an index or a name of at most 15 bytes: '%s' has %d bytes"
              .formatted(link.knownName(), name.length));
    }
    ByteBuffer memory =
        ByteBuffer.allocateDirect(REQUEST + INFORMATION).order(ByteOrder.nativeOrder());
    long address = access.address(memory);
    memory.putInt(REQUEST, ETHTOOL_GDRVINFO);
    int number = access.socket(AF_INET, SOCK_DGRAM | Architecture.O_CLOEXEC, 0);
    LinuxException.check(number, "open a socket");
    try (FileDescriptor socket = new FileDescriptor(access, number)) {
      String operation = "get driver information of " + link.inWords();
      if (isByName) {
        memory.put(0, name);
      } else {
        memory.putInt(REQUEST_INDEX, link.knownIndex().getAsInt());
        LinuxException.check(
            access.deviceControl(socket.number(), SIOCGIFNAME, address), operation);
      }
      memory.putLong(REQUEST_POINTER, address + REQUEST);
      LinuxException.check(access.deviceControl(socket.number(), SIOCETHTOOL, address), operation);
      return new DriverInformation(
          text(memory, 0), text(memory, 1), text(memory, 2), text(memory, 3));
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /** Reads one of the texts after the 32-bit command. */
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
