package io.dra4j.allocation.internal.rule;

import static io.dra4j.allocation.Bench.rooted;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Bench;
import io.dra4j.allocation.Compatibility;
import io.dra4j.common.Feature;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.Features;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MatchAttributeRuleTest {

  private static final String DIFFERS = "has another gpu/root";

  private static Bench bench(Set<Feature> features, Compatibility compatibility, Device... devices)
      throws Exception {
    DeviceConstraint constraint = DeviceConstraint.matchAttribute("gpu/root", "r");
    return Bench.ofConstraint(constraint, features, compatibility, devices);
  }

  private static Bench withLists(Device... devices) throws Exception {
    return bench(Feature.kubernetes(), Compatibility.REFERENCE, devices);
  }

  private static Bench withoutLists(Device... devices) throws Exception {
    return bench(Features.without(Feature.LIST_TYPE_ATTRIBUTES), Compatibility.REFERENCE, devices);
  }

  @Test
  void theFirstDeviceDecidesUntilItIsTakenBack() throws Exception {
    Device one = rooted("one", DeviceAttribute.of(1));
    Device two = rooted("two", DeviceAttribute.of(2));
    Device alsoTwo = rooted("also-two", DeviceAttribute.of(2));
    for (Bench bench :
        new Bench[] {withLists(one, two, alsoTwo), withoutLists(one, two, alsoTwo)}) {
      assertThat(bench.place("r", "one")).isEqualTo("placed");
      assertThat(bench.place("r", "two")).isEqualTo(DIFFERS);
      bench.undo("r", "one");
      assertThat(bench.place("r", "two")).isEqualTo("placed");
      assertThat(bench.place("r", "also-two")).isEqualTo("placed");
      assertThat(bench.place("r", "one")).isEqualTo(DIFFERS);
    }
  }

  @Test
  void aDeviceWithoutTheAttributeIsRefusedEvenAlone() throws Exception {
    Bench bench = withLists(Device.named("d").attribute("nic/root", 1).build());
    assertThat(bench.place("r", "d")).isEqualTo("has no attribute gpu/root");
  }

  @Test
  void devicesOfOtherRequestsDoNotCount() throws Exception {
    Bench bench =
        withLists(
            rooted("one", DeviceAttribute.of(1)),
            rooted("two", DeviceAttribute.of(2)),
            Device.named("none").build());
    assertThat(bench.place("other", "one")).isEqualTo("placed");
    assertThat(bench.place("other", "none")).isEqualTo("placed");
    assertThat(bench.place("r", "two")).isEqualTo("placed");
    assertThat(bench.place("r", "one")).isEqualTo(DIFFERS);
    bench.undo("other", "none");
    assertThat(bench.place("r", "one")).isEqualTo(DIFFERS);
  }

  @Test
  void valuesOfDifferentTypesNeverMatch() throws Exception {
    Bench bench =
        withLists(
            rooted("int", DeviceAttribute.of(1)),
            rooted("string", DeviceAttribute.of("1")),
            rooted("version", DeviceAttribute.version("1.0.0")),
            rooted("text", DeviceAttribute.of("1.0.0")),
            rooted("build", DeviceAttribute.version("1.0.0+b")));
    assertThat(bench.place("r", "int")).isEqualTo("placed");
    assertThat(bench.place("r", "string")).isEqualTo(DIFFERS);
    bench.undo("r", "int");
    assertThat(bench.place("r", "version")).isEqualTo("placed");
    assertThat(bench.place("r", "text")).isEqualTo(DIFFERS);
    assertThat(bench.place("r", "build")).isEqualTo(DIFFERS);
  }

  @Test
  void listsAreNarrowedToWhatAllHaveInCommon() throws Exception {
    Bench bench =
        withLists(
            rooted("01", DeviceAttribute.ints(0L, 1L)),
            rooted("12", DeviceAttribute.ints(2L, 1L, 1L)),
            rooted("02", DeviceAttribute.ints(0L, 2L)),
            rooted("0", DeviceAttribute.of(0)),
            rooted("1", DeviceAttribute.of(1)));
    assertThat(bench.place("r", "01")).isEqualTo("placed");
    assertThat(bench.place("r", "12")).isEqualTo("placed");
    assertThat(bench.place("r", "02")).isEqualTo(DIFFERS); // each two have one, all three none
    assertThat(bench.place("r", "0")).isEqualTo(DIFFERS);
    assertThat(bench.place("r", "1")).isEqualTo("placed");
    bench.undo("r", "1");
    bench.undo("r", "12");
    assertThat(bench.place("r", "0")).isEqualTo("placed");
  }

  @Test
  void anEmptyListIsNoValue() throws Exception {
    Bench bench = withLists(rooted("empty", DeviceAttribute.ints()));
    assertThat(bench.place("r", "empty")).isEqualTo("has no attribute gpu/root");
  }

  @Test
  void withoutListsAListMatchesOnlyAlone() throws Exception {
    Device list = rooted("list", DeviceAttribute.ints(1L));
    Device alsoList = rooted("also-list", DeviceAttribute.ints(1L));
    Device one = rooted("one", DeviceAttribute.of(1));
    Bench bench = withoutLists(list, alsoList, one);
    assertThat(bench.place("r", "list")).isEqualTo("placed");
    assertThat(bench.place("r", "also-list")).isEqualTo(DIFFERS);
    assertThat(bench.place("r", "one")).isEqualTo(DIFFERS);
    bench.undo("r", "list");
    assertThat(bench.place("r", "one")).isEqualTo("placed");
    assertThat(bench.place("r", "list")).isEqualTo(DIFFERS);

    Bench strict =
        bench(Features.without(Feature.LIST_TYPE_ATTRIBUTES), Compatibility.STRICT, list, one);
    assertThat(strict.place("r", "list")).isEqualTo("has no attribute gpu/root");
    assertThat(strict.place("r", "one")).isEqualTo("placed");
  }
}
