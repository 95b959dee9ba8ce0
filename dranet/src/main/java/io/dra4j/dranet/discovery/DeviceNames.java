package io.dra4j.dranet.discovery;

import io.dra4j.topology.PciAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Names of devices, compatible with existing manifests: derived from the PCI address, which is the
 * same while the interface is in a pod, or else from the name of the interface.
 */
public final class DeviceNames {

  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567"; // RFC 4648, 6

  private DeviceNames() {}

  /**
   * {@return the name of a device on a PCI function, for example {@code pci-0000-8a-00-0}}
   *
   * @param address the address, for example {@code 0000:8a:00.0}
   */
  public static String of(PciAddress address) {
    return "pci-" + address.toString().toLowerCase(Locale.ROOT).replace(':', '-').replace('.', '-');
  }

  /**
   * {@return the name of a device for its interface: the same name if it is a DNS label (RFC 1123),
   * or else {@code net-} and its bytes in base32, lower case without padding, for example {@code
   * net-mv2gqorq} for {@code eth:0}; empty if the interface name is empty}
   *
   * @param interfaceName the name of the interface
   */
  public static String of(String interfaceName) {
    return interfaceName.isEmpty() || LABEL.matcher(interfaceName).matches()
        ? interfaceName
        : "net-" + base32(interfaceName.getBytes(StandardCharsets.UTF_8));
  }

  private static String base32(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    long bits = 0;
    int count = 0;
    for (byte one : bytes) {
      bits = (bits << 8) | (one & 0xff);
      count += 8;
      while (count >= 5) {
        count -= 5;
        text.append(BASE32.charAt((int) (bits >> count) & 31));
      }
      bits &= (1 << count) - 1;
    }
    return count == 0
        ? text.toString()
        : text.append(BASE32.charAt((int) (bits << (5 - count)) & 31)).toString();
  }
}
