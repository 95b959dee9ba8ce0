package io.dra4j.netlink.route;

/** Checks numbers before they are packed: the kernel would see truncated numbers. */
final class Numbers {

  private Numbers() {}

  static int u8(String name, int value) {
    return check(name, value, 0, 0xff);
  }

  static int u16(String name, int value) {
    return check(name, value, 0, 0xffff);
  }

  /** Checks a number of 31 bits, such as a size or an index. */
  static int positive(String name, int value) {
    return check(name, value, 0, Integer.MAX_VALUE);
  }

  static int check(String name, int value, int least, int largest) {
    if (value < least || value > largest) {
      throw new IllegalArgumentException(
          name + " " + value + ", must be from " + least + " to " + largest);
    }
    return value;
  }
}
