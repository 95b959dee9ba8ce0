package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.RecordedTransport;
import io.dra4j.netlink.Recording;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The message that would be sent of an object is the one that is sent. */
class MessageOfTest {

  private static final IpPrefix NETWORK = IpPrefix.parse("192.0.2.0/24");

  /** The transport refuses to send what was not recorded. */
  private static <T extends RouteObject> void check(
      ObjectKind kind, Function<RouteNetlink, RouteObjects<T>> of, T object)
      throws NetlinkException {
    byte[] message;
    try (RouteNetlink nothing = RouteNetlink.over(NetlinkSocket.over(new Recording().play()))) {
      message = of.apply(nothing).messageOf(object);
    }
    RecordedTransport recorded =
        new Recording()
            .sent(
                kind.messageType(),
                MessageFlags.ACK | MessageFlags.CREATE | MessageFlags.EXCLUSIVE,
                message)
            .answered(0)
            .play();
    try (RouteNetlink netlink = RouteNetlink.over(NetlinkSocket.over(recorded))) {
      of.apply(netlink).add(object);
    }
    assertThat(recorded.isFinished()).isTrue();
  }

  @Test
  void ofARoute() throws NetlinkException {
    Route route = Route.to(NETWORK).withLink(3).withMetric(7).withTable(1_000);
    check(ObjectKind.ROUTE, RouteNetlink::routes, route);
  }

  @Test
  void ofAnAddress() throws NetlinkException {
    InterfaceAddress address = InterfaceAddress.of(3, IpPrefix.parse("2001:db8::1/64"));
    check(ObjectKind.ADDRESS, RouteNetlink::addresses, address);
  }
}
