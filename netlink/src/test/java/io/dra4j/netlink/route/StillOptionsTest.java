package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is counted inside of options and encapsulations is no part of what was set. */
class StillOptionsTest {

  private static final Attributes NONE = Attributes.none(AttributeTable.NONE);

  /** A filter of kind matchall with one action, its options as an enum of linux/tc_act has them. */
  private static byte[] set(String kind, int parameters, int times, int counted, int action) {
    ByteBuffer common = ByteBuffer.allocate(20).order(ByteOrder.nativeOrder());
    common.putInt(8, action).putInt(12, counted).putInt(16, counted); // struct tc_gen
    byte[] clock = {(byte) counted, 2, 3, 4, 5, 6, 7, 8};
    Attributes options = NONE.with(parameters, common.array()).with(times, clock);
    Attributes one =
        NONE.with(1, (kind + "\0").getBytes(StandardCharsets.UTF_8)).with(2, options.toBytes());
    byte[] filter = NONE.with(2, NONE.with(1, one.toBytes()).toBytes()).toBytes();
    return TrafficOptions.set(ObjectKind.TRAFFIC_FILTER, "matchall", filter);
  }

  @ParameterizedTest
  @CsvSource({"gact, 2, 1", "connmark, 1, 2", "ife, 1, 2", "ctinfo, 3, 2", "csum, 1, 2"})
  void timesAndUsesOfActionsAreNotCompared(String kind, int parameters, int times) {
    byte[] before = set(kind, parameters, times, 1, 2);

    assertThat(set(kind, parameters, times, 9, 2)).isEqualTo(before);
    assertThat(set(kind, parameters, times, 1, 3)).as("another action").isNotEqualTo(before);
  }

  private static byte[] segments(long counted) {
    byte[] number = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(counted).array();
    Attributes counters = NONE.with(2, number).with(3, number).with(4, number);
    return NONE.with(1, new byte[] {1, 0, 0, 0}).with(10, counters.toBytes()).toBytes();
  }

  private static Route counting(long counted) {
    byte[] seg6local = {7, 0};
    return Route.to(IpPrefix.parse("2001:db8::1/128"))
        .withLink(2)
        .withAttribute(21, seg6local)
        .withAttribute(22, segments(counted));
  }

  @Test
  void packetsThatARouteHasCountedAreNoChangeOfIt() {
    assertThat(counting(5)).isNotEqualTo(counting(0));
    assertThat(counting(5).withoutState()).isEqualTo(counting(0).withoutState());
    assertThat(counting(5).withoutState()).isEqualTo(counting(0));
  }

  @Test
  void packetsThatOneOfSeveralWaysHasCountedAreNoChangeOfIt() {
    NextHop none = way(0);
    NextHop some = way(7);
    assertThat(some).isNotEqualTo(none);
    assertThat(some.withoutState()).isEqualTo(none.withoutState());
  }

  private static NextHop way(long counted) {
    Route one = Route.to(IpPrefix.parse("2001:db8::1/128"));
    byte[] attributes = NONE.with(21, new byte[] {7, 0}).with(22, segments(counted)).toBytes();
    ByteBuffer all = ByteBuffer.allocate(8 + attributes.length).order(ByteOrder.nativeOrder());
    all.putShort((short) all.capacity()).put((byte) 0).put((byte) 0).putInt(2).put(attributes);
    List<NextHop> ways = one.withAttribute(9, all.array()).nextHops();
    assertThat(ways).hasSize(1);
    return ways.get(0);
  }
}
