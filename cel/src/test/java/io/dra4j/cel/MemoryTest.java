package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.cel.internal.eval.AttributeName;
import io.dra4j.cel.internal.eval.DeviceView;
import io.dra4j.cel.internal.eval.DeviceViews;
import io.dra4j.cel.internal.eval.EvaluationLimit;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.cel.internal.text.Patterns;
import io.dra4j.cel.internal.text.Unicode;
import io.dra4j.common.Budget;
import io.dra4j.model.Device;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a compiler remembers, and how much. */
class MemoryTest {

  private static final Frame FRAME = new Frame(EvaluationLimit.STANDARD, new Patterns(Unicode.V15));

  private static Device device(int number) {
    Device.Builder device = Device.named("device-" + number);
    for (int i = 0; i < 12; i++) {
      device.attribute("a" + i, number + i);
    }
    return device.build();
  }

  @Test
  void viewsOfDevicesAreForgottenWhenTheyTakeTooMuch() throws Exception {
    DeviceViews views = new DeviceViews(100_000);
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      devices.add(device(i));
      assertThat(views.of("d", devices.get(i), Budget.unlimited()))
          .isSameAs(views.of("d", devices.get(i), Budget.unlimited()));
      assertThat(views.bytes()).isLessThan(110_000);
    }
    assertThat(views.bytes()).isGreaterThan(40_000);
  }

  @Test
  void aViewThatIsAskedForStaysOverGenerations() throws Exception {
    DeviceViews views = new DeviceViews(1_000_000); // large enough that places do not collide
    Device often = device(0);
    DeviceView view = views.of("d", often, Budget.unlimited());
    for (int i = 1; i < 5_000; i++) {
      views.of("d", device(i), Budget.unlimited());
      assertThat(views.of("d", often, Budget.unlimited())).isSameAs(view);
    }
  }

  @Test
  void namesThatAreReadCountForTheView() throws Exception {
    DeviceViews views = new DeviceViews(1_000_000);
    DeviceView view = views.of("d", device(0), Budget.unlimited());
    long before = views.bytes();
    AttributeName name = new AttributeName(AttributeName.Kind.ATTRIBUTE, "d", "a1", 500);
    for (int i = 0; i < 8; i++) {
      assertThat(view.value(name)).isEqualTo(1L);
      assertThat(views.bytes()).as("the first are not kept").isEqualTo(before);
    }
    assertThat(view.value(name)).isEqualTo(1L);
    assertThat(views.bytes() - before).isBetween(2_000L, 2_200L);
    assertThat(view.value(name)).isEqualTo(1L);
    assertThat(views.bytes() - before).isBetween(2_000L, 2_200L);
  }

  @Test
  void mapsOfADeviceCountForTheViewOnceTheyAreMade() throws Exception {
    DeviceViews views = new DeviceViews(1_000_000);
    DeviceView view = views.of("d", device(0), Budget.unlimited());
    long before = views.bytes();
    assertThat(view.all(FRAME)).isSameAs(view.all(FRAME));
    assertThat(views.bytes() - before).isBetween(1_000L, 1_500L);
  }

  @Test
  void aViewGoesWithItsDevice() throws Exception {
    DeviceViews views = new DeviceViews(1_000_000);
    WeakReference<DeviceView> view =
        new WeakReference<>(views.of("d", device(0), Budget.unlimited()));
    for (int i = 1; i < 200 && !view.refersTo(null); i++) {
      System.gc();
      Thread.sleep(10); // until the collector has told
      views.of("d", device(i), Budget.unlimited());
    }
    assertThat(view.refersTo(null)).isTrue();
  }

  @Test
  void equalDevicesAndOtherDriversHaveViewsOfTheirOwn() throws Exception {
    DeviceViews views = new DeviceViews(1_000_000);
    Device device = device(0);
    DeviceView view = views.of("d", device, Budget.unlimited());
    assertThat(views.of("d", device(0), Budget.unlimited())).isNotSameAs(view);
    assertThat(views.of("d", device, Budget.unlimited())).isSameAs(view);
    DeviceView ofOther = views.of("e", device, Budget.unlimited());
    assertThat(ofOther.all(FRAME).get("driver")).isEqualTo("e");
    assertThat(views.of("e", device, Budget.unlimited())).isSameAs(ofOther);
    assertThat(views.of("d", device, Budget.unlimited()).all(FRAME).get("driver")).isEqualTo("d");
  }

  @Test
  void manyThreadsGetTheViewsOfTheirDevices() throws Exception {
    DeviceViews views = new DeviceViews(200_000);
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      devices.add(device(i));
    }
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> rounds = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int first = thread * 700;
        rounds.add(
            () -> {
              for (int i = 0; i < 6_000; i++) {
                int number = (first + i) % 3_000;
                DeviceView view = views.of("d", devices.get(number), Budget.unlimited());
                AttributeName name =
                    new AttributeName(AttributeName.Kind.ATTRIBUTE, "d", "a3", i % 5);
                assertThat(view.value(name)).isEqualTo(number + 3L);
              }
              return null;
            });
      }
      for (Future<Void> round : threads.invokeAll(rounds)) {
        round.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void aNameThatIsWrittenTwiceHasTheValueThatComesLast() throws Exception {
    CelSelectors selectors = CelSelectors.create();
    Device first = Device.named("a").attribute("n", 1).attribute("d/n", 2).build();
    Device second = Device.named("b").attribute("d/n", 1).attribute("n", 2).build();
    for (String read : List.of("['d'].n", "['d'][?'n'].value()")) {
      CelSelector selector = selectors.compileSelector("device.attributes" + read + " == 2");
      for (int i = 0; i < 20; i++) { // kept ones, too
        assertThat(selector.matches("d", first)).isTrue();
        assertThat(selector.matches("d", second)).isTrue();
      }
    }
    assertThat(
            selectors
                .compileSelector("device.attributes.all(k, device.attributes[k].n == 2)")
                .matches("d", first))
        .isTrue();
  }

  @Test
  void aNameEndsItsDomainAtItsFirstSlash() throws Exception {
    CelSelectors selectors = CelSelectors.create();
    Device device = Device.named("a").attribute("a/b/c", 1).attribute("n", 2).build();
    for (int i = 0; i < 20; i++) { // kept ones, too
      for (String holds :
          List.of(
              "device.attributes['a']['b/c'] == 1",
              "'a' in device.attributes",
              "!('a/b' in device.attributes)",
              "!device.attributes['a/b'][?'c'].hasValue()",
              "device.attributes['x/y'].n == 2",
              "!device.attributes['x'][?'y/n'].hasValue()",
              "'x/y' in device.attributes",
              "!('x' in device.attributes)",
              "!('x/y' in device.capacity)")) {
        assertThat(selectors.compileSelector(holds).matches("x/y", device)).as(holds).isTrue();
      }
    }
  }

  @Test
  void expressionsAreForgottenByTheirWeight() throws Exception {
    CelSelectors few = CelSelectors.builder().expressionBytes(20_000).build();
    CelSelector first = few.compileSelector("device.driver == 'd'");
    assertThat(few.compileSelector("device.driver == 'd'")).isSameAs(first);
    for (int i = 0; i < 20; i++) {
      assertThat(few.compileSelector("device.driver != 'x" + i + "'").weight())
          .isBetween(1_000, 3_000);
    }
    assertThat(few.compileSelector("device.driver == 'd'")).isNotSameAs(first);
  }

  @Test
  void selectorsKeepSoManyRegularExpressionsAndStillAnswerWithTheOthers() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      text.append("!'x")
          .append(i)
          .append("'.matches('^a{500}[a-z]{400}x")
          .append(i)
          .append("$') && ");
    }
    CelSelector selector =
        CelSelectors.create()
            .compileSelector(
                text.substring(0, 10_000 / 40 * 40 - 40).replaceAll("&&[^&]*$", "&& true"));
    assertThat(selector.weight()).isLessThan(1_000 + 72 * 10_240 + (256 << 10));
    assertThat(selector.matches("d", device(1))).isTrue();
  }

  @Test
  void namesPastThoseWithANumberAreReadAsWell() throws Exception {
    CelSelectors selectors = CelSelectors.create();
    Device.Builder wide = Device.named("wide");
    for (int i = 0; i < 1_200; i++) {
      wide.attribute("n" + i, i);
    }
    wide.attribute("x".repeat(40), 7); // longer than the API allows
    Device device = wide.build();
    for (int i = 0; i < 1_200; i++) {
      assertThat(
              selectors
                  .compileSelector("device.attributes['d'].n" + i + " == " + i)
                  .matches("d", device))
          .isTrue();
    }
    assertThat(
            selectors
                .compileSelector("device.attributes['d']." + "x".repeat(40) + " == 7")
                .matches("d", device))
        .isTrue();
  }

  @Test
  void aDeviceThatAnotherCompilerPreparedIsReadAnew() throws Exception {
    CelSelectors one = CelSelectors.create();
    CelSelectors other = CelSelectors.create();
    CelDevice device = one.prepare("d", device(5));
    CelSelector first = one.compileSelector("device.attributes['d'].a1 == 6");
    CelSelector second = other.compileSelector("device.attributes['d'].a2 == 7");
    assertThat(first.test(device)).isEqualTo(CelSelector.Answer.YES);
    assertThat(second.test(device)).isEqualTo(CelSelector.Answer.YES);
    assertThat(first.test(device)).isEqualTo(CelSelector.Answer.YES);
  }

  @Test
  void limitsMustBePositive() {
    CelSelectors.Builder builder = CelSelectors.builder();
    assertThatIllegalArgumentException().isThrownBy(() -> builder.maxCost(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.expressionBytes(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.patternBytes(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.deviceBytes(0));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.timeLimit(Duration.ZERO));
  }

  @Test
  void theCostIsThatOfTheBuilder() throws Exception {
    CelSelector selector =
        CelSelectors.builder()
            .maxCost(50)
            .build()
            .compileSelector("lists.range(30).all(x, x >= 0)");
    assertThat(selector.evaluate("d", device(1)).overLimit()).isTrue();
    assertThat(
            CelSelectors.create()
                .compileSelector("lists.range(30).all(x, x >= 0)")
                .matches("d", device(1)))
        .isTrue();
  }
}
