package io.dra4j.placement.gang;

import java.util.Arrays;
import java.util.Optional;

/** The subnet of an address, as text. An address without a prefix length has no subnet. */
final class Subnet {

  private Subnet() {}

  static Optional<Object> of(String addresses) {
    String first = addresses.split(",", 2)[0].strip();
    int slash = first.indexOf('/');
    if (slash < 0) {
      return Optional.empty();
    }
    byte[] bytes = bytes(first.substring(0, slash));
    int prefix = number(first.substring(slash + 1), 10, 8 * bytes.length);
    if (bytes.length == 0 || prefix < 0) {
      return Optional.empty();
    }
    for (int bit = prefix; bit < 8 * bytes.length; bit++) {
      bytes[bit / 8] &= (byte) ~(0x80 >>> bit % 8);
    }
    return Optional.of(Arrays.toString(bytes) + "/" + prefix);
  }

  /** The bytes of an IPv4 or IPv6 address; empty if it is not one. Queries no name server. */
  private static byte[] bytes(String address) {
    if (address.indexOf(':') < 0) {
      String[] parts = address.split("\\.", -1);
      byte[] bytes = new byte[4];
      for (int i = 0; i < 4; i++) {
        int number = parts.length == 4 ? number(parts[i], 10, 255) : -1;
        if (number < 0) {
          return new byte[0];
        }
        bytes[i] = (byte) number;
      }
      return bytes;
    }
    int gap = address.indexOf("::");
    String head = gap < 0 ? address : address.substring(0, gap);
    String tail = gap < 0 ? "" : address.substring(gap + 2);
    String[] before = head.isEmpty() ? new String[0] : head.split(":", -1);
    String[] after = tail.isEmpty() ? new String[0] : tail.split(":", -1);
    int groups = before.length + after.length;
    if (gap < 0 ? groups != 8 : groups > 7) {
      return new byte[0];
    }
    byte[] bytes = new byte[16];
    for (int i = 0; i < groups; i++) {
      boolean early = i < before.length;
      int number = number(early ? before[i] : after[i - before.length], 16, 0xffff);
      if (number < 0) {
        return new byte[0];
      }
      int at = 2 * (early ? i : 8 - groups + i);
      bytes[at] = (byte) (number >> 8);
      bytes[at + 1] = (byte) number;
    }
    return bytes;
  }

  /** A number without a sign, up to a limit; negative if the text is not such a number. */
  private static int number(String text, int radix, int most) {
    if (text.isEmpty() || text.length() > 4) {
      return -1;
    }
    int number = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = Character.digit(text.charAt(i), radix);
      if (digit < 0) {
        return -1;
      }
      number = number * radix + digit;
    }
    return number <= most ? number : -1;
  }
}
