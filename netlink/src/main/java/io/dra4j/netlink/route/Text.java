package io.dra4j.netlink.route;

/** What is asked for, put together only if it fails. */
record Text(String start, Object end) {

  @Override
  public String toString() {
    return start + end;
  }
}
