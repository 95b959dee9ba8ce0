package io.dra4j.netlink.fuzz;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.concat;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u16;
import static io.dra4j.netlink.Recording.u32;

import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.devlink.Devlink;
import io.dra4j.netlink.devlink.DevlinkDevice;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.generic.GenericNetlink;
import io.dra4j.netlink.rdma.RdmaMonitor;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.ObjectKind;
import io.dra4j.netlink.route.RouteMonitor;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.uevent.DeviceMonitor;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What is asked of the kernel beside the lists of all kinds of objects. */
enum Conversation implements Question {
  LINKS_LEAN,
  LINK,
  CHANGE,
  ROUTE,
  NAMESPACE_ID,
  EVENTS,
  DEVICE_EVENTS,
  FAMILY,
  FEATURES,
  SET_FEATURES,
  PRIVATE_FLAGS,
  LINK_MODE,
  PLUG,
  DEVICES,
  DEVICE,
  SWITCH_MODE,
  RDMA_DEVICES,
  RDMA_LINKS,
  RDMA_SHARED,
  RDMA_EVENTS,
  FUNCTIONS,
  PROXIES,
  RDMA_NODE;

  private static final int GENERIC_FAMILY = 21;
  private static final DevlinkDevice DEVICE_NAME = new DevlinkDevice("pci", "0000:01:00.0");

  /** A namespace to ask about. */
  private static final class Here {
    static final NetworkNamespace NAMESPACE = open();

    private static NetworkNamespace open() {
      try {
        return NetworkNamespace.current();
      } catch (LinuxException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public Object ask(NetlinkSocket socket) throws NetlinkException {
    return switch (this) {
      case LINKS_LEAN -> route(socket).links().list(LinkQuery.lean().ofKind("veth"));
      case LINK -> route(socket).links().get("eth0");
      case CHANGE -> {
        route(socket).links().change(LinkKey.of(1), LinkSettings.none().mtu(1500).name("eth1"));
        yield "done";
      }
      case ROUTE -> route(socket).routes().get(IpAddress.parse("192.0.2.1"));
      case NAMESPACE_ID -> route(socket).namespaceIds().of(Here.NAMESPACE);
      case EVENTS ->
          RouteMonitor.over(socket, EnumSet.allOf(ObjectKind.class)).await(Duration.ZERO);
      case DEVICE_EVENTS -> DeviceMonitor.over(socket).await(Duration.ZERO, Duration.ZERO);
      case FAMILY -> GenericNetlink.over(socket).family("ethtool");
      case FEATURES -> ethtool(socket).features(LinkKey.of(1));
      case SET_FEATURES ->
          ethtool(socket).setFeatures(LinkKey.of(1), Map.of("tx-checksumming", true));
      case PRIVATE_FLAGS -> ethtool(socket).privateFlags(LinkKey.of(1));
      case LINK_MODE -> ethtool(socket).mode(LinkKey.of(1));
      case PLUG -> ethtool(socket).port(LinkKey.of(1));
      case DEVICES -> devlink(socket).devices();
      case DEVICE -> devlink(socket).information(DEVICE_NAME);
      case SWITCH_MODE -> devlink(socket).switchMode(DEVICE_NAME);
      case RDMA_DEVICES -> RdmaNetlink.over(socket).devices();
      case RDMA_LINKS -> RdmaNetlink.over(socket).links(0);
      case RDMA_SHARED -> RdmaNetlink.over(socket).isShared();
      case RDMA_NODE -> RdmaNetlink.over(socket).characterDevice("uverbs", 3, OptionalInt.empty());
      case FUNCTIONS -> route(socket).links().virtualFunctions(LinkKey.of(7));
      case PROXIES -> route(socket).neighbours().proxies();
      case RDMA_EVENTS -> RdmaMonitor.over(socket).await(Duration.ZERO);
    };
  }

  @Override
  public Optional<byte[]> preface() {
    return switch (this) {
      case FEATURES, SET_FEATURES, PRIVATE_FLAGS, LINK_MODE, PLUG -> Optional.of(family("ethtool"));
      case DEVICES, DEVICE, SWITCH_MODE -> Optional.of(family("devlink"));
      default -> Optional.empty();
    };
  }

  private static byte[] family(String name) {
    byte[] payload =
        concat(
            new byte[] {1, 2, 0, 0},
            attribute(2, text(name)),
            attribute(1, u16(GENERIC_FAMILY)),
            attribute(3, u32(1)));
    return concat(
        u32(16 + payload.length),
        u16(16),
        u16(0),
        u32(ScriptedTransport.NUMBER),
        u32(ScriptedTransport.PORT),
        payload);
  }

  private static RouteNetlink route(NetlinkSocket socket) {
    return RouteNetlink.over(socket);
  }

  private static Ethtool ethtool(NetlinkSocket socket) throws NetlinkException {
    return Ethtool.over(GenericNetlink.over(socket));
  }

  private static Devlink devlink(NetlinkSocket socket) throws NetlinkException {
    return Devlink.over(GenericNetlink.over(socket));
  }
}
