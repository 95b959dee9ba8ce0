package io.dra4j.dranet.attach;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Sockets in one network namespace. Rarely used sockets are opened on demand. */
final class NamespaceSession implements AutoCloseable {

  private final NetworkNamespace namespace;
  private final RouteNetlink route;
  private @Nullable Ethtool ethtool;
  private @Nullable RdmaNetlink rdma;

  private NamespaceSession(NetworkNamespace namespace, RouteNetlink route) {
    this.namespace = namespace;
    this.route = route;
  }

  static NamespaceSession open(NetworkNamespace namespace) throws IOException {
    return new NamespaceSession(namespace, RouteNetlink.open(namespace));
  }

  NetworkNamespace namespace() {
    return namespace;
  }

  RouteNetlink route() {
    return route;
  }

  Ethtool ethtool() throws IOException {
    Ethtool open = ethtool;
    if (open == null) {
      open = Ethtool.open(namespace);
      ethtool = open;
    }
    return open;
  }

  /** Returns the RDMA socket; null if the kernel does not support RDMA. */
  @Nullable RdmaNetlink rdma() throws IOException {
    RdmaNetlink open = rdma;
    if (open == null) {
      try {
        open = RdmaNetlink.open(namespace);
      } catch (NetlinkException.Unsupported e) {
        return null;
      }
      rdma = open;
    }
    return open;
  }

  @Override
  public void close() {
    route.close();
    if (ethtool != null) {
      ethtool.close();
    }
    if (rdma != null) {
      rdma.close();
    }
  }
}
