package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.cel.internal.eval.AttributeName;
import io.dra4j.cel.internal.eval.DeviceView;
import io.dra4j.cel.internal.eval.DeviceViews;
import io.dra4j.model.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a compiler remembers, and how much. */
class MemoryTest {

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
      assertThat(views.of("d", devices.get(i))).isSameAs(views.of("d", devices.get(i)));
      assertThat(views.bytes()).isLessThan(110_000);
    }
    assertThat(views.bytes()).isGreaterThan(40_000);
  }

  @Test
  void aViewThatIsAskedForStaysOverGenerations() throws Exception {
    DeviceViews views = new DeviceViews(100_000);
    Device often = device(0);
    DeviceView view = views.of("d", often);
    for (int i = 1; i < 500; i++) {
      views.of("d", device(i));
      assertThat(views.of("d", often)).isSameAs(view);
    }
  }

  @Test
  void namesThatAreReadCountForTheView() throws Exception {
    DeviceViews views = new DeviceViews(1_000_000);
    DeviceView view = views.of("d", device(0));
    long before = views.bytes();
    assertThat(view.value(new AttributeName(AttributeName.Kind.ATTRIBUTE, "d", "a1", 500)))
        .isEqualTo(1L);
    assertThat(views.bytes() - before).isBetween(2_000L, 2_100L);
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
