package io.dra4j.dranet.attach;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.RouteNetlink;

/** Where a link comes from and goes to, and the number that it has in the pod once it is there. */
final class AttachTransaction {

  private final NamespaceSession host;
  private final NamespaceSession pod;
  private final String podName;
  private int index;

  AttachTransaction(NamespaceSession host, NamespaceSession pod, String podName) {
    this.host = host;
    this.pod = pod;
    this.podName = podName;
  }

  NamespaceSession host() {
    return host;
  }

  NamespaceSession pod() {
    return pod;
  }

  RouteNetlink route() {
    return pod.route();
  }

  String podName() {
    return podName;
  }

  /** The link in the pod; it is there from the step on that moves it. */
  int index() throws NetlinkException {
    if (index == 0) {
      index = link().index();
    }
    return index;
  }

  LinkKey key() throws NetlinkException {
    return LinkKey.of(index());
  }

  Link link() throws NetlinkException {
    return pod.route().links().get(podName);
  }
}
