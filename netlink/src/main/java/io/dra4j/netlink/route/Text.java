package io.dra4j.netlink.route;

import io.dra4j.netlink.LinkKey;

/** What is asked for, put together only if it fails. */
record Text(Object start, Object end) {

  @Override
  public String toString() {
    return start + (end instanceof LinkKey link ? link.inWords() : end.toString());
  }
}
