package io.dra4j.sysfs.text;

import io.dra4j.common.PrintableText;
import io.dra4j.topology.PcieLink;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Parses numbers in the formats that Linux writes into files. */
public final class KernelText {

  private KernelText() {}

  /**
   * {@return the decimal number in a text; empty if it is not a number from 0 to {@code max}}
   *
   * @param text the digits
   * @param max the largest valid number
   */
  public static OptionalInt decimal(String text, int max) {
    return number(text, 0, 10, max);
  }

  /**
   * {@return a hexadecimal number, with or without {@code 0x}; empty if not from 0 to {@code max}}
   *
   * @param text the digits
   * @param max the largest valid number
   */
  public static OptionalInt hexadecimal(String text, int max) {
    return number(text, text.startsWith("0x") || text.startsWith("0X") ? 2 : 0, 16, max);
  }

  private static OptionalInt number(String text, int from, int radix, int max) {
    if (from == text.length()) {
      return OptionalInt.empty();
    }
    long value = 0;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      int digit = c > 'f' ? -1 : Character.digit(c, radix);
      value = value * radix + digit;
      if (digit < 0 || value > max) {
        return OptionalInt.empty();
      }
    }
    return OptionalInt.of((int) value);
  }

  /**
   * {@return a link from its speed and width as the kernel writes them ({@code pci_speed_string} in
   * {@code drivers/pci/probe.c}); null if one of them is missing, unknown or invalid} Older kernels
   * omit the end of the speed, and hand-written files have other ends.
   *
   * @param speed for example {@code 32.0 GT/s PCIe}
   * @param width for example {@code 16}
   */
  public static @Nullable PcieLink link(String speed, String width) {
    OptionalInt lanes = decimal(width, 32); // 255 and 0 stand for unknown
    OptionalInt megatransfers = megatransfers(speed);
    if (lanes.isEmpty() || lanes.getAsInt() == 0 || megatransfers.isEmpty()) {
      return null;
    }
    return new PcieLink(megatransfers.getAsInt(), lanes.getAsInt());
  }

  private static OptionalInt megatransfers(String speed) {
    int end = speed.indexOf(' ');
    if (end < 0 || !speed.startsWith(" GT/s", end)) {
      return OptionalInt.empty();
    }
    int point = speed.indexOf('.');
    if (point > end) {
      point = -1;
    }
    OptionalInt whole = decimal(speed.substring(0, point < 0 ? end : point), 1_000);
    OptionalInt tenths =
        point < 0 ? OptionalInt.of(0) : decimal(speed.substring(point + 1, end), 9);
    if (whole.isEmpty() || tenths.isEmpty()) {
      return OptionalInt.empty();
    }
    int value = whole.getAsInt() * 1_000 + tenths.getAsInt() * 100;
    return value == 0 ? OptionalInt.empty() : OptionalInt.of(value);
  }

  /**
   * {@return at most 60 characters of untrusted text, in quotes, without control characters}
   *
   * @param text the text
   */
  public static String quote(String text) {
    return "'" + PrintableText.of(PrintableText.start(text, 60)) + "'";
  }
}
