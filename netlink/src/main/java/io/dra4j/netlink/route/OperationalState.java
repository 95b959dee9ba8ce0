package io.dra4j.netlink.route;

/** What a link can do at the moment (RFC 2863; {@code linux/if.h}). */
public enum OperationalState {
  /** The driver does not say; it may well work. */
  UNKNOWN("unknown"),
  /** The hardware is gone. */
  NOT_PRESENT("notpresent"),
  /** It does not work. */
  DOWN("down"),
  /** A link below it does not work. */
  LOWER_LAYER_DOWN("lowerlayerdown"),
  /** It is being tested. */
  TESTING("testing"),
  /** It waits for something, such as 802.1X. */
  DORMANT("dormant"),
  /** It works. */
  UP("up");

  private static final OperationalState[] BY_NUMBER = values();

  private final String text;

  OperationalState(String text) {
    this.text = text;
  }

  static OperationalState of(int number) {
    return number < BY_NUMBER.length ? BY_NUMBER[number] : UNKNOWN;
  }

  /**
   * The name that Linux gives it in {@code /sys/class/net/.../operstate}.
   *
   * @return the name
   */
  @Override
  public String toString() {
    return text;
  }
}
