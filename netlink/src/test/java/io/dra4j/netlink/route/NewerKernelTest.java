package io.dra4j.netlink.route;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.concat;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u16;
import static io.dra4j.netlink.Recording.u32;
import static io.dra4j.netlink.Recording.u8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.Recording;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What kernels to come will tell: attributes and messages that nobody here has a name for. */
class NewerKernelTest {

  private static final int UNKNOWN = 250;
  private static final byte[] VALUE = {1, 2, 3, 4, 5};

  /** One object of each kind, as its message. */
  private static byte[] message(ObjectKind kind) {
    IpPrefix network = IpPrefix.parse("192.0.2.5/24");
    IpAddress gateway = IpAddress.parse("192.0.2.1");
    return switch (kind) {
      case LINK ->
          concat(u8(0), u8(0), u16(1), u32(7), u32(0x1043), u32(0), attribute(3, text("eth0")));
      case ADDRESS -> bytes(InterfaceAddress.of(7, network).withLabel("eth0:x"));
      case ROUTE -> bytes(Route.to(network).withGateway(gateway).withTable(77).withMetric(5));
      case NEIGHBOUR ->
          bytes(Neighbour.permanent(7, gateway, HardwareAddress.parse("02:00:00:00:00:07")));
      case FORWARDING_ENTRY ->
          bytes(ForwardingEntry.ofPort(7, HardwareAddress.parse("02:00:00:00:00:07")));
      case PORT_VLANS -> bytes(PortVlans.of(7, List.of(new BridgeVlan(5, true, true))));
      case RULE -> bytes(Rule.lookup(false, 77).withSource(network).withPriority(5));
      case NEXT_HOP -> bytes(NextHopObject.via(9, gateway, 7));
      case QUEUE_DISCIPLINE, TRAFFIC_CLASS, TRAFFIC_FILTER -> bytes(TrafficControl.clsact(7));
    };
  }

  private static byte[] bytes(MessageView<?> object) {
    return object.payload.toBytes();
  }

  private static List<RouteEvent> told(Recording recording) throws NetlinkException {
    try (RouteMonitor monitor =
        RouteMonitor.over(NetlinkSocket.over(recording.play()), EnumSet.allOf(ObjectKind.class))) {
      return monitor.await(Duration.ZERO);
    }
  }

  @ParameterizedTest
  @EnumSource
  void attributesOfNewerKernelsAreKept(ObjectKind kind) throws NetlinkException {
    byte[] known = message(kind);
    byte[] newer = concat(known, attribute(UNKNOWN, VALUE));
    List<RouteEvent> events =
        told(
            new Recording()
                .received(kind.newType, 0, known)
                .received(kind.newType, 0, newer)
                .received(kind.deleteType, 0, newer));

    assertThat(events).extracting(RouteEvent::gone).containsExactly(false, false, true);
    RouteObject before = events.get(0).object();
    RouteObject after = events.get(1).object();
    assertThat(before.objectKind()).isEqualTo(kind);
    if (after instanceof Link link) {
      assertThat(link.otherAttributes().bytes(UNKNOWN)).hasValue(VALUE);
      assertThat(link.name()).isEqualTo("eth0");
      return;
    }
    MessageView<?> view = (MessageView<?>) after;
    assertThat(view.attributes().bytes(UNKNOWN)).hasValue(VALUE);
    assertThat(view.attributes().without(UNKNOWN))
        .isEqualTo(((MessageView<?>) before).attributes());
    assertThat(events.get(2).object()).isEqualTo(after);
  }

  @Test
  void messagesOfUnknownTypesAreNoEvents() throws NetlinkException {
    Set<Integer> types = new HashSet<>();
    for (ObjectKind kind : ObjectKind.values()) {
      types.addAll(List.of(kind.newType, kind.deleteType, kind.getType));
    }
    Recording recording = new Recording();
    for (int type = 16; type < 200; type++) {
      if (!types.contains(type)) {
        recording.received(type, 0, new byte[32]);
      }
    }
    recording.received(ObjectKind.RULE.newType, 0, message(ObjectKind.RULE));

    assertThat(told(recording)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void everyKindHasGroupsThatTellOfIt(ObjectKind kind) {
    assertThat(kind.groups).isNotEmpty();
    assertThat(Arrays.stream(RouteNetlink.class.getMethods()).map(m -> m.getReturnType()))
        .anyMatch(type -> RouteObjects.class.isAssignableFrom(type) || type == Links.class);
  }
}
