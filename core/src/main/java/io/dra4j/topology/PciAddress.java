package io.dra4j.topology;

import java.util.Objects;
import java.util.Optional;

/**
 * The address of a PCI function: {@code domain:bus:device.function}, also called bus id or BDF.
 * Ordered by these numbers.
 *
 * @param domain the PCI domain, 0 to 2^31-1; Linux prints at least four digits, and more for the
 *     domains of Intel VMD and Hyper-V
 * @param bus the bus, 0 to 255
 * @param device the device on the bus, 0 to 31
 * @param function the function of the device, 0 to 7
 */
public record PciAddress(int domain, int bus, int device, int function)
    implements Comparable<PciAddress> {

  private static final int MIN_LENGTH = "0000:00:00.0".length();
  private static final int MAX_LENGTH = "7fffffff:00:00.0".length();
  private static final String TAIL = ":bb:dd.f";

  /**
   * Checks the numbers. {@inheritDoc}
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public PciAddress {
    if (domain < 0 || bus >>> 8 != 0 || device >>> 5 != 0 || function >>> 3 != 0) {
      throw new IllegalArgumentException(
          "PCI address out of range: domain "
              + domain
              + ", bus "
              + bus
              + ", device "
              + device
              + ", function "
              + function);
    }
  }

  /**
   * {@return the address in a text as Linux writes it, in upper or lower case; else empty}
   *
   * @param text for example {@code 0000:8f:00.0}
   */
  public static Optional<PciAddress> tryParse(CharSequence text) {
    Objects.requireNonNull(text, "text");
    int length = text.length();
    if (length < MIN_LENGTH || length > MAX_LENGTH) {
      return Optional.empty();
    }
    int tail = length - TAIL.length();
    if (text.charAt(tail) != ':' || text.charAt(tail + 3) != ':' || text.charAt(tail + 6) != '.') {
      return Optional.empty();
    }
    long domain = hex(text, 0, tail);
    int bus = (int) hex(text, tail + 1, tail + 3);
    int device = (int) hex(text, tail + 4, tail + 6);
    int function = (int) hex(text, tail + 7, tail + 8);
    if (domain < 0 || domain > Integer.MAX_VALUE || bus < 0) {
      return Optional.empty();
    }
    if (device < 0 || device > 31 || function < 0 || function > 7) {
      return Optional.empty();
    }
    return Optional.of(new PciAddress((int) domain, bus, device, function));
  }

  /**
   * {@return the address in a text as Linux writes it}
   *
   * @param text for example {@code 0000:8f:00.0}
   * @throws IllegalArgumentException if the text is not an address
   */
  public static PciAddress parse(CharSequence text) {
    Objects.requireNonNull(text, "text");
    return tryParse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + text
                        + "' is not a PCI address: expected an address such as 0000:8f:00.0"));
  }

  /** The number, or -1 if the characters are not all hexadecimal digits. */
  private static long hex(CharSequence text, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0 || text.charAt(i) > 'f') {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  /** {@return domain, bus and device in one number, equal for the functions of one card} */
  public long card() {
    return (long) domain << 13 | bus << 5 | device;
  }

  @Override
  public int compareTo(PciAddress other) {
    int order = Long.compare(card(), other.card());
    return order != 0 ? order : Integer.compare(function, other.function);
  }

  /** {@return the address as Linux writes it, for example {@code 0000:8f:00.0}} */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(MAX_LENGTH);
    String digits = Integer.toHexString(domain);
    text.append("0".repeat(Math.max(0, 4 - digits.length()))).append(digits).append(':');
    appendHex(text, bus).append(':');
    return appendHex(text, device).append('.').append(function).toString();
  }

  private static StringBuilder appendHex(StringBuilder text, int number) {
    return text.append(Character.forDigit(number >> 4, 16))
        .append(Character.forDigit(number & 15, 16));
  }
}
