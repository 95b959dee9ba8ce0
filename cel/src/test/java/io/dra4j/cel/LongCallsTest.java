package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls of one function that take longer than they cost look at the time: without, each of these
 * would be asked for its answer and nothing else, for minutes or for ever.
 */
@Tag("exhaustive")
class LongCallsTest {

  private static final String NESTED = nested("a") + nested("b");

  /** Variables a0 to a30, each of which has the one before twice. */
  private static String nested(String name) {
    StringBuilder text = new StringBuilder("cel.bind(" + name + "0, dyn([]), ");
    for (int i = 1; i <= 30; i++) {
      String before = name + (i - 1);
      text.append("cel.bind(%s%d, [%s, %s], ".formatted(name, i, before, before));
    }
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a30 == b30",
        "a30 != b30",
        "[a30].indexOf(b30) == 0",
        "[a30].lastIndexOf(b30) == 0",
        "dyn([b30]) == dyn([a30])",
        "a30 in [b30]",
        "sets.contains([a30], [b30])",
        "sets.intersects([a30], [b30])",
        "sets.equivalent([a30], [b30])",
        "[a30, b30].distinct().size() == 1",
        "a30.flatten(40).size() == 0",
        "{1: a30} == {1: b30}",
        "optional.of(a30) == optional.of(b30)",
      })
  void aCallEndsWithTheBudgetOfItsCaller(String call) throws Exception {
    String expression = NESTED + call + ")".repeat(62);
    AtomicInteger looks = new AtomicInteger();
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() > 5);
    CelSelector selector = CelSelectors.create().compileSelector(expression);
    assertThatExceptionOfType(BudgetExceededException.class)
        .isThrownBy(() -> selector.matches("drv", Device.named("d").build(), budget));
    assertThat(looks).hasValue(6);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list.distinct().size() == 2",
        "list.sort().size() == 300",
        "lists.range(300).sortBy(i, list[i]).size() == 300",
        "sets.contains(list, [y])",
        "list.indexOf(y) == 299",
        "y in list",
      })
  void comparisonsOfLongTextsLookAtTheTime(String call) throws Exception {
    String text = "a".repeat(20_000);
    AtomicInteger looks = new AtomicInteger();
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);
    CelSelector selector =
        CelSelectors.create()
            .compileSelector(
                "cel.bind(x, device.attributes['drv'].t + 'x', cel.bind(y, device.attributes['drv'].t + 'y',"
                    + " cel.bind(list, lists.range(300).map(i, i < 299 ? x : y), "
                    + call
                    + ")))");
    Device device = Device.named("d").attribute("t", text).build();
    selector.matches("drv", device, budget);
    assertThat(looks.get()).isGreaterThan(12); // the loops look six times
  }

  /** Texts of 140,000 characters, addresses, and lists of 131,072 elements that take no room. */
  private static final String LARGE =
      "cel.bind(x, device.attributes['drv'].t + 'é', cel.bind(y, x + 'é', cel.bind(b, bytes(x), "
          + "cel.bind(u, url('/' + device.attributes['drv'].p), "
          + "cel.bind(h, url('http://' + device.attributes['drv'].p + '/'), "
          + "cel.bind(q, url('/?' + device.attributes['drv'].q), ";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'%s'.format([m]) == ''",
        "'%s'.format([[x]]) == ''",
        "'%.9f %.9f %.9f %.9f %.9f %.9f %.9f %.9f %.9f %.9f'.format(reals) == ''",
        "q.getQuery().size() == 0",
        "u.getEscapedPath() == ''",
        "u != u",
        "h.getPort() != ''",
        "h.getHost() == ''",
        "[u].indexOf(u) != 0",
        "isURL('http://' + x)",
        "timestamp(0).getHours(x + ':0') == 1",
        "x.size() == 1",
        "x.charAt(1) == ''",
        "dyn(x) < dyn('')",
        "dyn(x) + dyn('a') == 1",
        "dyn(x) == dyn(y)",
        "dyn(b) + dyn(b'a') == b''",
        "x + 'a' in m",
        "dyn(u) in device.capacity['drv']",
        "dyn(quantity(digits)) in device.capacity['drv']",
        "dyn(semver(version)) in device.capacity['drv']",
        "m[x + 'a'] == 1",
        "dyn(x).contains('' + string(i) + 'a')",
        "optional.unwrap(none).size() == 1",
        "none.unwrapOpt().size() == 1",
        "l.max() == 'a'",
        "l.min() == 'a'",
        "!l.isSorted()",
        "l.join() == 'a'",
        "l.join('') == 'a'",
        "[l].flatten().size() == 1",
        "cel.bind(grown, [], grown + l).size() == 1",
        "dyn(l).sort().size() == 1",
        "[?dyn(l)].size() == 1",
        "[?dyn(reals)].size() == 1",
        "quantity(digits).compareTo(quantity(digits)) != 0",
        "semver(version).compareTo(semver(version)) != 0",
        "[string(reals[0]), string(reals[1]), string(reals[2]), string(reals[3]),"
            + " string(reals[4]), string(reals[5]), string(reals[6]), string(reals[7]),"
            + " string(reals[8]), string(reals[9]), string(reals[10])].size() == 0",
        "google.protobuf.StringValue{value: dyn(u)} == ''",
        "google.protobuf.BytesValue{value: dyn(octets)} == b''",
        "google.protobuf.ListValue{values: times}.size() == 1",
        "google.protobuf.ListValue{values: l}.size() == 1",
        "google.protobuf.Struct{fields: {'a': times}}.size() == 2",
        "google.protobuf.Value{list_value: [b, b]} == 1",
        "google.protobuf.Any{type_url: 'type.googleapis.com/google.protobuf.Empty', value: b} == 1",
      })
  void callsThatCostLittleLookAtTheTime(String call) throws Exception {
    AtomicInteger looks = new AtomicInteger();
    ofLarge("i < 0")
        .matches(
            "drv", LARGE_DEVICE, Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0));
    int before = looks.getAndSet(0);
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() > before + 3);
    CelSelector selector = ofLarge(call);
    assertThatExceptionOfType(BudgetExceededException.class)
        .isThrownBy(() -> selector.matches("drv", LARGE_DEVICE, budget));
  }

  private static final Device LARGE_DEVICE =
      Device.named("d")
          .attribute("t", "a".repeat(120_000) + "\u0001".repeat(20_000))
          .attribute("p", "%FF".repeat(60_000))
          .attribute("q", "a=b&".repeat(2_000))
          .attribute("d", "1" + "0".repeat(8_000))
          .attribute("v", "1.2.3-" + "a.".repeat(10_000) + "b")
          .capacity("n", "1")
          .build();

  private static CelSelector ofLarge(String call) throws Exception {
    String lists =
        doubled("l", "['']", 17)
            + doubled("none", "[optional.none()]", 17)
            + doubled("octets", "[1u]", 17)
            + doubled("reals", "[1e-310]", 17)
            + doubled("times", "[timestamp('2020-01-01T00:00:00.5+01:00')]", 17);
    String expression =
        "cel.bind(m, {dyn(1): dyn(l), dyn(2): dyn(1), dyn(1.5): dyn(x)}, "
            + "lists.range(40).exists(i, %s) || true)".formatted(call);
    return CelSelectors.create()
        .compileSelector(
            LARGE
                + "cel.bind(digits, device.attributes['drv'].d, "
                + "cel.bind(version, device.attributes['drv'].v, "
                + lists
                + expression
                + ")".repeat(6 + 2 + 5 * 18));
  }

  /** Binds a list, each time as long again as before. */
  private static String doubled(String name, String list, int times) {
    StringBuilder text = new StringBuilder("cel.bind(%s0, %s, ".formatted(name, list));
    for (int i = 1; i <= times; i++) {
      String bound = i == times ? name : name + i;
      text.append("cel.bind(%s, %s%d + %s%d, ".formatted(bound, name, i - 1, name, i - 1));
    }
    return text.toString();
  }
}
