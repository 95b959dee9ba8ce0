package io.dra4j.dranet.attach;

import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.RouteNetlink;

/** The source and target namespaces of a link, and its index in the pod after the move. */
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

  /** Returns the index of the link in the pod. Valid after the step that moves the link. */
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
