package io.dra4j.inventory.internal;

import static io.dra4j.inventory.internal.World.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Few holdings of a device and many, each asked directly. */
class DeviceHoldingsTest {

  private static ClaimKey claim(int number) {
    return new ClaimKey("default", "c%02d".formatted(number));
  }

  private static Holding share(int claim, String shareId, String capacity) {
    return new Holding(claim(claim), id("s"), shareId, Map.of(capacity, Quantity.of(1)));
  }

  private static Holding whole(int claim) {
    return new Holding(claim(claim), id("s"), null, Map.of());
  }

  private static List<Holding> shares(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> share(i, "id" + i, "bw")).toList();
  }

  private static DeviceHoldings without(DeviceHoldings holdings, int claim) {
    return Objects.requireNonNull(holdings.without(claim(claim)));
  }

  @Test
  void sixteenAreFew() {
    DeviceHoldings few = DeviceHoldings.of(shares(0, 16));
    assertThat(few).isInstanceOf(FewHoldings.class);
    DeviceHoldings many = few.with(shares(16, 17));
    assertThat(many).isInstanceOf(ManyHoldings.class);
    assertThat(many.with(shares(17, 18)).without(claim(0))).isInstanceOf(ManyHoldings.class);
    assertThat(many.without(claim(3))).isInstanceOf(FewHoldings.class);
    assertThat(without(many, 3).parts()).hasSize(16).doesNotContain(share(3, "id3", "bw"));
  }

  @Test
  void aShareIsThereForAsLongAsSomebodyHasIt() {
    for (int claims : new int[] {4, 40}) {
      DeviceHoldings holdings =
          DeviceHoldings.of(shares(0, claims)).with(List.of(share(90, "id1", "bw")));
      assertThat(holdings.hasShare("id1")).isTrue();
      assertThat(holdings.hasShare("id99")).isFalse();
      assertThat(without(holdings, 1).hasShare("id1")).isTrue();
      assertThat(without(without(holdings, 1), 90).hasShare("id1")).isFalse();
      assertThat(without(without(holdings, 90), 1).hasShare("id1")).isFalse();
      assertThat(without(holdings, 2).hasShare("id2")).isFalse();
    }
  }

  @Test
  void aCapacityIsConsumedForAsLongAsAShareSaysSo() {
    for (int claims : new int[] {4, 40}) {
      DeviceHoldings holdings =
          DeviceHoldings.of(shares(0, claims))
              .with(List.of(share(90, "x", "mem")))
              .with(List.of(share(91, "y", "mem")));
      assertThat(holdings.consumed("bw")).isEqualTo(QuantitySum.of(Quantity.of(claims)));
      assertThat(holdings.consumed("mem")).isEqualTo(QuantitySum.of(Quantity.of(2)));
      DeviceHoldings one = without(holdings, 90);
      assertThat(one.consumed("mem")).isEqualTo(QuantitySum.of(Quantity.of(1)));
      assertThat(without(one, 91).consumed("mem")).isNull();
      assertThat(without(one, 0).consumed("bw"))
          .isEqualTo(QuantitySum.of(Quantity.of(claims - 1L)));
    }
  }

  @Test
  void aCapacityOfTheDriverHasTwoNames() {
    QualifiedName name = QualifiedName.of("gpu/bw");
    for (int claims : new int[] {4, 40}) {
      DeviceHoldings plain = DeviceHoldings.of(shares(0, claims));
      assertThat(plain.consumed(name, "gpu")).isEqualTo(QuantitySum.of(Quantity.of(claims)));
      assertThat(plain.consumed(name, "nic")).isNull();
      assertThat(plain.consumed(QualifiedName.of("gpu/mem"), "gpu")).isNull();

      List<Holding> named = new ArrayList<>();
      IntStream.range(0, claims).forEach(i -> named.add(share(i, "id" + i, "gpu/bw")));
      assertThat(DeviceHoldings.of(named).consumed(name, "gpu"))
          .isEqualTo(QuantitySum.of(Quantity.of(claims)));
      assertThat(DeviceHoldings.of(named).consumed(name, "nic"))
          .isEqualTo(QuantitySum.of(Quantity.of(claims)));

      DeviceHoldings both =
          plain
              .with(List.of(share(90, "x", "gpu/bw")))
              .with(List.of(share(91, "y", "mem")))
              .with(
                  List.of(
                      new Holding(
                          claim(92),
                          id("s"),
                          "z",
                          Map.of("bw", Quantity.of(100), "gpu/bw", Quantity.of(10)))));
      assertThat(both.consumed(name, "gpu"))
          .as("the name with the domain counts where a share has both")
          .isEqualTo(QuantitySum.of(Quantity.of(claims + 11L)));
      assertThat(both.consumed(name, "nic")).isEqualTo(QuantitySum.of(Quantity.of(11)));
    }
  }

  @Test
  void wholeDevicesAreNoShares() {
    for (int claims : new int[] {4, 40}) {
      List<Holding> parts = new ArrayList<>();
      IntStream.range(0, claims).forEach(i -> parts.add(whole(i)));
      DeviceHoldings holdings = DeviceHoldings.of(parts);
      assertThat(holdings.isWhole()).isTrue();
      assertThat(holdings.isShared()).isFalse();
      DeviceHoldings both = holdings.with(List.of(share(90, "x", "bw")));
      assertThat(both.isShared()).isTrue();
      assertThat(without(both, 90).isShared()).isFalse();
      DeviceHoldings shared = DeviceHoldings.of(shares(0, claims));
      assertThat(shared.isWhole()).isFalse();
      assertThat(without(shared.with(List.of(whole(90))), 90).isWhole()).isFalse();
    }
  }

  @Test
  void whoHoldsNothingTakesNothingAway() {
    for (int claims : new int[] {4, 40}) {
      DeviceHoldings holdings = DeviceHoldings.of(shares(0, claims));
      assertThat(without(holdings, 99).parts()).isEqualTo(holdings.parts());
    }
    List<Holding> all = new ArrayList<>();
    IntStream.range(0, 40).forEach(i -> all.add(share(7, "id" + i, "bw")));
    assertThat(DeviceHoldings.of(all).without(claim(7))).isNull();
    assertThat(DeviceHoldings.of(shares(0, 1)).without(claim(0))).isNull();
  }
}
