package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.cel.internal.library.StandardLibrary;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorReads;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class EvaluationTest {

  private static final CelSelectors SELECTORS = CelSelectors.create();
  private static final CelSelectors INTERPRETED =
      new CelSelectors(CelSelectors.builder(), new CelJavaEngine(StandardLibrary.create()));

  private static final Device DEVICE =
      Device.named("device-0")
          .attribute("d/s", "abc")
          .attribute("d/i", 3)
          .attribute("d/b", true)
          .attribute("d/v", DeviceAttribute.version("1.2.3-rc.1+b"))
          .attribute("d/ss", DeviceAttribute.strings("x", "y"))
          .attribute("d/ii", DeviceAttribute.ints(3L, 1L, 2L))
          .attribute("d/bb", new DeviceAttribute.BoolValues(List.of(true, false)))
          .attribute("d/vv", new DeviceAttribute.VersionValues(List.of("1.0.0", "2.0.0")))
          .attribute("own", "o")
          .attribute("d/in", 1)
          .attribute("other/z", 0)
          .capacity("mem", "80Gi")
          .capacity("d/n", "1500m")
          .capacity("d/big", "1E")
          .build();

  static Stream<Arguments> costs() throws Exception {
    try (InputStream table = EvaluationTest.class.getResourceAsStream("costs.txt")) {
      return new String(table.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> Arguments.of((Object[]) line.split(" ", 3)))
              .toList()
              .stream();
    }
  }

  @ParameterizedTest(name = "{2}: {1} for {0}")
  @MethodSource("costs")
  void anEvaluationCostsWhatItCostsKubernetes(String cost, String outcome, String expression)
      throws Exception {
    CelEvaluation evaluation = SELECTORS.compileSelector(expression).evaluate("drv", DEVICE);
    String actual = evaluation.failed() ? "error" : String.valueOf(evaluation.matches());
    assertThat(evaluation.actualCost().orElseThrow() + " " + actual)
        .isEqualTo(cost + " " + outcome);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "device.attributes['d'].zz == 1 | no such key: zz",
        "device.attributes['d'].i / 0 == 1 | division by zero",
        "device.attributes['d'].i % 0 == 1 | modulus by zero",
        "9223372036854775807 + device.attributes['d'].i == 1 | integer overflow",
        "1u - 2u == 1u | unsigned integer overflow",
        "device.attributes['d'].ii[7] == 1 | index out of bounds: 7",
        "device.attributes['d'].s < 1 | no such overload",
        "double('NaN') < 1.0 | NaN values cannot be ordered",
        "device.attributes['d'].i | CEL result of type int could not be converted to bool: unsupported type conversion from 'int' to bool",
        "device.attributes['d'].?zz.value() == 1 | optional.none() dereference",
        "device.attributes['d'].i.exists(x, x == 1) | got 'types.Int', expected iterable type",
        "[1, 2].transformMapEntry(i, v, {dyn(list): 1}).size() == 1 | insert failed: key list(dyn) already exists",
        "cel.bind(k, dyn([optional.of(1)]), [1, 2].transformMapEntry(i, v, {k: 1}).size() == 1) | insert failed: key [optional(1)] already exists",
        "[1][dyn(quantity('1').add(quantity('1Ki')))] == 1 | invalid qualifier type: *cel.Quantity",
        "[1][dyn(quantity('1'))] == 1 | invalid qualifier type: cel.Quantity",
        "url('http://[fe80::zz%25en0]/').getHost() == '' | URL parse error during conversion from string: parse \"http://[fe80::zz%25en0]/\": invalid host: ParseAddr(\"fe80::zz%en0\"): each colon-separated field must have at least one digit (at \"zz\")",
        "url('http://[1.2.3.4%25en0]/').getHost() == '' | URL parse error during conversion from string: parse \"http://[1.2.3.4%25en0]/\": invalid host: ParseAddr(\"1.2.3.4%en0\"): unexpected character (at \"%en0\")",
        "url('http://[::1%25]/').getHost() == '' | URL parse error during conversion from string: parse \"http://[::1%25]/\": invalid host: ParseAddr(\"::1%\"): zone must be a non-empty string",
        "[1, 2].transformMapEntry(i, v, {device.capacity['d'].n: 1}).size() == 1 | insert failed: key 1500m already exists",
        "[1][dyn([] + [1])] == 1 | invalid qualifier type: *types.baseList"
      })
  void anErrorSaysWhatWentWrong(String expression, String message) throws Exception {
    assertThat(SELECTORS.compileSelector(expression).evaluate("drv", DEVICE).error())
        .isEqualTo(message);
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> SELECTORS.compileSelector(expression).matches("drv", DEVICE))
        .withMessage(message);
  }

  @Test
  void anEvaluationEndsWhereItCostsTooMuch() throws Exception {
    CelEvaluation evaluation =
        SELECTORS
            .compileSelector("lists.range(2000).all(x, lists.range(2000).all(y, x + y >= 0))")
            .evaluate("drv", DEVICE);
    assertThat(evaluation.overLimit()).isTrue();
    assertThat(evaluation.actualCost()).hasValue(CelSelector.MAX_COST + 1);
    assertThat(evaluation.error()).contains("actual cost limit exceeded");
  }

  @Test
  void noOtherSideMakesUpForWhatCostsTooMuch() throws Exception {
    CelSelector selector =
        SELECTORS.compileSelector(
            "lists.range(2000).all(x, lists.range(2000).all(y, x + y >= 0)) || true");
    assertThat(selector.evaluate("drv", DEVICE).overLimit()).isTrue();
  }

  @Test
  void anEvaluationEndsWithItsTime() throws Exception {
    CelSelectors hasty = CelSelectors.builder().timeLimit(Duration.ofNanos(1)).build();
    CelSelector selector = hasty.compileSelector("lists.range(1000).all(x, x >= 0) || true");
    assertThat(selector.evaluate("drv", DEVICE).error())
        .isEqualTo("operation interrupted: deadline exceeded");
    assertThat(hasty.compileSelector("true").matches("drv", DEVICE)).isTrue();
  }

  @Test
  void aTimeLimitIsMoreThanNothing() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> CelSelectors.builder().timeLimit(Duration.ZERO));
  }

  @Test
  void aSelectorTellsWhatItReads() throws Exception {
    assertThat(
            SELECTORS
                .compileSelector(
                    "device.attributes['d'].s == 'abc' && has(device.attributes['e'].t)"
                        + " && device.attributes['d'].?u.orValue(1) == 1"
                        + " && device.capacity['d'].n.isInteger()"
                        + " && device.driver == 'drv'")
                .reads())
        .isEqualTo(new SelectorReads(Set.of("d/s", "e/t", "d/u"), Set.of("d/n"), false, false));
    assertThat(SELECTORS.compileSelector("device.allowMultipleAllocations").reads())
        .isEqualTo(new SelectorReads(Set.of(), Set.of(), true, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "device.attributes.exists(d, d == 'x')",
        "'s' in device.attributes['d']",
        "device.attributes[device.driver].s == 'abc'",
        "device == device",
        "[device].size() == 1",
        "device.attributes[?'d'].hasValue()",
        "cel.bind(a, device.attributes['d'], a.s == 'abc')"
      })
  void aSelectorThatMayReadAnythingSaysSo(String expression) throws Exception {
    assertThat(SELECTORS.compileSelector(expression).reads().everything()).isTrue();
  }

  @Test
  void aDeviceWithABrokenAttributeFailsEverySelector() throws Exception {
    Device broken = Device.named("b").attribute("v", DeviceAttribute.version("x.y")).build();
    Device unset = Device.named("u").attribute("v", new DeviceAttribute.NoValue()).build();
    for (CelSelectors selectors : List.of(SELECTORS, INTERPRETED)) {
      CelSelector selector = selectors.compileSelector("true");
      assertThat(selector.evaluate("drv", broken).error()).startsWith("attribute v: ");
      assertThat(selector.evaluate("drv", unset).error())
          .isEqualTo("attribute v: unsupported attribute value");
    }
  }

  @Test
  void threadsWaitForOneCompilation() throws Exception {
    CelSelectors selectors = CelSelectors.create();
    CountDownLatch start = new CountDownLatch(1);
    Set<CelSelector> made = java.util.concurrent.ConcurrentHashMap.newKeySet();
    AtomicInteger failures = new AtomicInteger();
    List<Thread> threads =
        Stream.generate(
                () ->
                    new Thread(
                        () -> {
                          try {
                            start.await();
                            made.add(selectors.compileSelector("device.driver == 'drv'"));
                          } catch (InterruptedException | SelectorException e) {
                            failures.incrementAndGet();
                          }
                        }))
            .limit(8)
            .toList();
    threads.forEach(Thread::start);
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).hasValue(0);
    assertThat(made).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "device.attributes['d'].s == 'abc' | true",
        "device.attributes['nodom'] == {} | true",
        "'nodom' in device.attributes | false",
        "device.capacity['d'].n.isLessThan(quantity('2')) | true",
        "device.attributes['d'].v.isGreaterThan(semver('1.0.0')) | true",
        "device.attributes['d'].ii.map(x, x + 1).filter(y, y > 2).size() == 2 | true",
        "device.attributes['d'].?zz.orValue(1) == 1 | true",
        "device.attributes['d'].ii.sum() == 6 | true",
        "'%s-%d'.format(['a', 1]) == 'a-1' | true",
        "cidr('10.0.0.0/8').containsIP('10.1.2.3') | true",
        "timestamp('2020-01-01T00:00:00Z').getFullYear() == 2020 | true",
        "google.protobuf.Int64Value{value: 1} + 1 == 2 | true",
        "google.protobuf.Struct{fields: {'a': 1}}.a == 2.0 | false",
        "google.protobuf.Value{list_value: [1, 2]}.exists(x, x == 2.0) | true",
        "google.protobuf.Value{null_value: google.protobuf.NullValue.NULL_VALUE} == null | true",
        "google.protobuf.Empty{} == google.protobuf.Empty{} | true",
        "'abc'.matches('^a') && url('http://h/').getHost() == 'h' | true"
      })
  void theRuntimeOfCelJavaAgrees(String expression, boolean match) throws Exception {
    assertThat(INTERPRETED.compileSelector(expression).matches("drv", DEVICE)).isEqualTo(match);
    assertThat(SELECTORS.compileSelector(expression).matches("drv", DEVICE)).isEqualTo(match);
  }

  @Test
  void theRuntimeOfCelJavaFailsOnTheSame() throws Exception {
    assertThat(
            INTERPRETED
                .compileSelector("device.attributes['d'].zz == 1")
                .evaluate("drv", DEVICE)
                .failed())
        .isTrue();
  }
}
