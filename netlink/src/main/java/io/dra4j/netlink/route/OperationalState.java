package io.dra4j.netlink.route;

/** A link's state (RFC 2863), {@code IF_OPER_...} of {@code linux/if.h}: {@code IFLA_OPERSTATE}. */
public enum OperationalState {
  /** {@code IF_OPER_UNKNOWN}: the driver does not report it; the link may work. */
  UNKNOWN("unknown"),
  /** {@code IF_OPER_NOTPRESENT}: the hardware is gone. */
  NOT_PRESENT("notpresent"),
  /** {@code IF_OPER_DOWN}: the link does not work. */
  DOWN("down"),
  /** {@code IF_OPER_LOWERLAYERDOWN}: a link below this one does not work. */
  LOWER_LAYER_DOWN("lowerlayerdown"),
  /** {@code IF_OPER_TESTING}: the link is being tested. */
  TESTING("testing"),
  /** {@code IF_OPER_DORMANT}: the link waits for something, such as 802.1X. */
  DORMANT("dormant"),
  /** {@code IF_OPER_UP}: the link works. */
  UP("up");

  private static final OperationalState[] BY_NUMBER = values();

  private final String text;

  OperationalState(String text) {
    this.text = text;
  }

  static OperationalState of(int number) {
    return number < BY_NUMBER.length ? BY_NUMBER[number] : UNKNOWN;
  }

  /** {@return the name that Linux gives the state in {@code /sys/class/net/.../operstate}} */
  @Override
  public String toString() {
    return text;
  }
}
