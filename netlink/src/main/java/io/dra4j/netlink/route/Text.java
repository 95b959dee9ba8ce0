package io.dra4j.netlink.route;

import io.dra4j.netlink.LinkKey;

/** The text of an operation, which is concatenated only if the operation fails. */
record Text(Object start, Object end) {

  @Override
  public String toString() {
    return start + (end instanceof LinkKey link ? link.inWords() : end.toString());
  }
}
