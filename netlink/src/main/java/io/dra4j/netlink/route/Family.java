package io.dra4j.netlink.route;

/** Address families ({@code linux/socket.h}). */
final class Family {

  static final int UNSPECIFIED = 0;
  static final int INET = 2;
  static final int BRIDGE = 7;
  static final int INET6 = 10;

  private Family() {}
}
