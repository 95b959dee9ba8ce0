package io.dra4j.rdma.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.model.DeviceTaint;
import io.dra4j.model.TaintEffect;
import io.dra4j.rdma.health.RdmaObservation.PortCounters;
import io.dra4j.rdma.health.RdmaProblem.DeviceGone;
import io.dra4j.rdma.health.RdmaProblem.ErrorsRising;
import io.dra4j.rdma.health.RdmaProblem.PortDown;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RdmaHealthTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String DRIVER = "dra.example.com";

  private final RdmaHealth health =
      RdmaHealth.by(ErrorLimits.within(MINUTE).limit("symbol_error", 10).limit("link_downed", 0));

  private Instant now = Instant.parse("2026-11-22T12:00:00Z");

  private static RdmaDevice device(String name, String... states) {
    List<RdmaPort> ports = new ArrayList<>();
    for (String state : states) {
      ports.add(
          RdmaPort.numbered(ports.size() + 1)
              .state(state)
              .physicalState(state.equals("DOWN") ? "Polling" : "")
              .build());
    }
    return RdmaDevice.named(name).ports(ports).build();
  }

  private List<RdmaHealthEvent> see(RdmaDevice... devices) {
    return see(List.of(), devices);
  }

  private List<RdmaHealthEvent> see(List<PortCounters> counters, RdmaDevice... devices) {
    return health.update(new RdmaObservation(now, List.of(devices), counters));
  }

  private RdmaHealthEvent begins(RdmaProblem problem) {
    return new RdmaHealthEvent(problem, true, now);
  }

  private RdmaHealthEvent ends(RdmaProblem problem) {
    return new RdmaHealthEvent(problem, false, now);
  }

  /** One second and so many symbol errors of the only port later. */
  private List<RdmaHealthEvent> seeErrors(long total) {
    now = now.plusSeconds(1);
    return see(
        List.of(new PortCounters("mlx5_0", 1, Map.of("symbol_error", total))),
        device("mlx5_0", "ACTIVE"));
  }

  @Test
  void aSoundDeviceIsNoEvent() {
    assertThat(health.knows("mlx5_0")).isFalse();
    assertThat(see(device("mlx5_0", "ACTIVE", "ACTIVE"))).isEmpty();
    assertThat(health.knows("mlx5_0")).isTrue();
    assertThat(health.problems()).isEmpty();
    assertThat(health.taints("mlx5_0", DRIVER)).isEmpty();
  }

  @Test
  void aPortThatGoesDownAndUpIsToldOnceEach() {
    PortDown down = new PortDown("mlx5_0", 2, "DOWN", "Polling");
    see(device("mlx5_0", "ACTIVE", "ACTIVE"));

    assertThat(see(device("mlx5_0", "ACTIVE", "DOWN"))).containsExactly(begins(down));
    assertThat(see(device("mlx5_0", "ACTIVE", "DOWN"))).isEmpty();
    assertThat(health.problems("mlx5_0")).containsExactly(down);
    assertThat(see(device("mlx5_0", "ACTIVE", "ACTIVE"))).containsExactly(ends(down));
    assertThat(health.problems()).isEmpty();
  }

  @Test
  void aPortThatIsDownAtFirstIsTold() {
    assertThat(see(device("mlx5_0", "DOWN")))
        .containsExactly(begins(new PortDown("mlx5_0", 1, "DOWN", "Polling")));
  }

  /** INIT and ARMED carry no traffic of programs either. */
  @ParameterizedTest
  @ValueSource(strings = {"DOWN", "INIT", "ARMED", "ACTIVE_DEFER", "NOP"})
  void everyStateButActiveIsDown(String state) {
    assertThat(see(device("mlx5_0", state))).hasSize(1);
  }

  @Test
  void anotherStateOfAPortThatIsDownIsNoEvent() {
    see(device("mlx5_0", "DOWN"));

    assertThat(see(device("mlx5_0", "INIT"))).isEmpty();
    assertThat(health.problems()).containsExactly(new PortDown("mlx5_0", 1, "INIT", ""));
  }

  @Test
  void aStateThatCouldNotBeReadChangesNothing() {
    see(device("mlx5_0", "ACTIVE"), device("mlx5_1", "DOWN"));

    assertThat(see(device("mlx5_0", ""), device("mlx5_1", ""))).isEmpty();
    assertThat(health.problems()).hasSize(1);
  }

  @Test
  void aPortThatIsNoLongerThereIsDown() {
    see(device("mlx5_0", "ACTIVE", "ACTIVE"));

    assertThat(see(device("mlx5_0", "ACTIVE")))
        .containsExactly(begins(new PortDown("mlx5_0", 2, "", "")));
    assertThat(see(device("mlx5_0", "ACTIVE"))).isEmpty();
    assertThat(see(device("mlx5_0", "ACTIVE", "ACTIVE")))
        .containsExactly(ends(new PortDown("mlx5_0", 2, "", "")));
  }

  @Test
  void aDeviceThatGoesTakesItsOtherProblemsWithIt() {
    PortDown down = new PortDown("mlx5_1", 1, "DOWN", "Polling");
    see(device("mlx5_0", "ACTIVE"), device("mlx5_1", "DOWN"));

    assertThat(see(device("mlx5_0", "ACTIVE")))
        .containsExactly(ends(down), begins(new DeviceGone("mlx5_1")));
    assertThat(see(device("mlx5_0", "ACTIVE"))).isEmpty();
    assertThat(see(device("mlx5_0", "ACTIVE"), device("mlx5_1", "ACTIVE")))
        .containsExactly(ends(new DeviceGone("mlx5_1")));
  }

  @Test
  void aDeviceInAPodIsNotGone() {
    see(device("mlx5_0", "DOWN"), device("mlx5_1", "ACTIVE"));
    health.ignore("mlx5_0");

    assertThat(health.problems()).isEmpty();
    assertThat(see(device("mlx5_0", "DOWN"), device("mlx5_1", "ACTIVE")))
        .as("on its way")
        .isEmpty();
    assertThat(see(device("mlx5_1", "ACTIVE"))).isEmpty();
    assertThat(health.knows("mlx5_0")).isFalse();
    health.watch("mlx5_0");
    assertThat(see(device("mlx5_1", "ACTIVE"))).as("on its way back").isEmpty();
    assertThat(see(device("mlx5_0", "DOWN"), device("mlx5_1", "ACTIVE"))).hasSize(1);
  }

  @Test
  void errorsOverTheLimitWithinTheWindowAreTold() {
    seeErrors(1_000); // since long ago
    assertThat(seeErrors(1_010)).isEmpty();

    assertThat(seeErrors(1_011))
        .containsExactly(begins(new ErrorsRising("mlx5_0", 1, "symbol_error", 11, MINUTE)));
    assertThat(seeErrors(1_020)).isEmpty();
    assertThat(health.problems())
        .containsExactly(new ErrorsRising("mlx5_0", 1, "symbol_error", 20, MINUTE));
  }

  @Test
  void errorsThatComeSlowlyAreNoProblem() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(seeErrors(i / 7)).as("%d s", i).isEmpty(); // 8 or 9 a minute
    }
  }

  @Test
  void errorsThatStopAreForgottenAfterTheWindow() {
    seeErrors(0);
    seeErrors(100);
    int seconds = 0;
    List<RdmaHealthEvent> events;
    do {
      events = seeErrors(100);
      seconds++;
    } while (events.isEmpty() && seconds < 1_000);

    assertThat(events).extracting(RdmaHealthEvent::begins).containsExactly(false);
    assertThat(seconds).isBetween(59, 70);
  }

  /** A read interval longer than the window must not hide what came meanwhile. */
  @Test
  void whatRoseBetweenTwoReadingsFarApartIsSeen() {
    seeErrors(0);
    now = now.plusSeconds(600);

    assertThat(seeErrors(11)).hasSize(1);
  }

  @Test
  void aCounterThatWasResetCountsFromZero() {
    seeErrors(65_535);

    assertThat(seeErrors(3)).isEmpty();
    assertThat(seeErrors(11)).hasSize(1);
  }

  /** Only some readings are kept as samples: a fall is told by all of them. */
  @Test
  void aResetIsSeenThoughTheReadingBeforeItWasNotKept() {
    seeErrors(50);
    seeErrors(60);

    assertThat(seeErrors(55))
        .containsExactly(begins(new ErrorsRising("mlx5_0", 1, "symbol_error", 65, MINUTE)));
  }

  @Test
  void whatCameBeforeAResetStillCountsWithinTheWindow() {
    seeErrors(0);
    seeErrors(1_000);

    assertThat(seeErrors(5)).isEmpty();
    assertThat(health.problems())
        .containsExactly(new ErrorsRising("mlx5_0", 1, "symbol_error", 1_005, MINUTE));
  }

  /** Counters have 64 bits without a sign. */
  @Test
  void aCounterOfMoreThan63BitsGoesOn() {
    seeErrors(Long.MAX_VALUE - 1);

    assertThat(seeErrors(Long.MIN_VALUE + 8)).isEmpty(); // 10 more
    assertThat(seeErrors(Long.MIN_VALUE + 9))
        .containsExactly(begins(new ErrorsRising("mlx5_0", 1, "symbol_error", 11, MINUTE)));
  }

  @Test
  void aCounterThatRisesByMoreThan63BitsIsAProblem() {
    seeErrors(0);

    assertThat(seeErrors(-1))
        .containsExactly(
            begins(new ErrorsRising("mlx5_0", 1, "symbol_error", Long.MAX_VALUE, MINUTE)));
  }

  /** One error in three minutes is no problem, whatever the clock says. */
  @Test
  void aClockThatIsSetBackDoesNotStretchTheWindow() {
    seeErrors(0);
    now = now.minus(Duration.ofHours(2));

    for (int seconds = 0; seconds < 7_000; seconds++) {
      assertThat(seeErrors(seconds / 180)).as("%d s", seconds).isEmpty();
    }
  }

  @Test
  void errorsAreForgottenInTimeAlsoAfterTheClockWasSetBack() {
    seeErrors(0);
    assertThat(seeErrors(100)).hasSize(1);
    now = now.minus(Duration.ofHours(2));
    for (int seconds = 0; seconds < 70; seconds++) {
      seeErrors(100);
    }

    assertThat(health.problems()).isEmpty();
  }

  private List<RdmaHealthEvent> seeLinkDowned(long total) {
    now = now.plusSeconds(30);
    return see(
        List.of(new PortCounters("mlx5_0", 1, Map.of("link_downed", total))),
        device("mlx5_0", "ACTIVE"));
  }

  /** It has 8 bits, and nobody can tell whether more came. */
  @Test
  void aFullCounterLeavesItsProblemAsItWas() {
    seeLinkDowned(200);
    assertThat(seeLinkDowned(255)).hasSize(1);
    for (int i = 0; i < 10; i++) {
      assertThat(seeLinkDowned(255)).as("look %d", i).isEmpty();
    }
    assertThat(health.problems()).hasSize(1);

    assertThat(seeLinkDowned(0)).extracting(RdmaHealthEvent::begins).containsExactly(false);
  }

  /** Counters of 4 bits: 15 at most. */
  @ParameterizedTest
  @ValueSource(strings = {"local_link_integrity_errors", "excessive_buffer_overrun_errors"})
  void limitsOfLinksFitIntoSmallCounters(String counter) {
    RdmaHealth links = RdmaHealth.by(ErrorLimits.ofLinks());
    List<RdmaHealthEvent> events = List.of();
    for (long value : new long[] {12, 15}) {
      now = now.plusSeconds(1);
      events =
          links.update(
              new RdmaObservation(
                  now,
                  List.of(device("mlx5_0", "ACTIVE")),
                  List.of(new PortCounters("mlx5_0", 1, Map.of(counter, value)))));
    }

    assertThat(events).hasSize(1);
  }

  @Test
  void aLimitOfZeroAllowsNone() {
    see(
        List.of(new PortCounters("mlx5_0", 1, Map.of("link_downed", 4L))),
        device("mlx5_0", "ACTIVE"));

    assertThat(
            see(
                List.of(new PortCounters("mlx5_0", 1, Map.of("link_downed", 5L))),
                device("mlx5_0", "ACTIVE")))
        .hasSize(1);
  }

  @Test
  void countersWithoutALimitAreNoProblem() {
    for (long value : new long[] {0, 1_000_000}) {
      assertThat(
              see(
                  List.of(new PortCounters("mlx5_0", 1, Map.of("port_xmit_data", value))),
                  device("mlx5_0", "ACTIVE")))
          .isEmpty();
    }
  }

  @Test
  void aCounterThatCouldNotBeReadChangesNothing() {
    seeErrors(0);
    seeErrors(100);

    assertThat(see(device("mlx5_0", "ACTIVE"))).isEmpty();
    assertThat(health.problems()).hasSize(1);
  }

  @Test
  void aDeviceHasOneTaintForEachKindOfProblem() {
    see(
        List.of(new PortCounters("mlx5_0", 1, Map.of("symbol_error", 0L))),
        device("mlx5_0", "DOWN", "DOWN"),
        device("mlx5_1", "ACTIVE"));
    now = now.plusSeconds(1);
    see(
        List.of(new PortCounters("mlx5_0", 1, Map.of("symbol_error", 11L))),
        device("mlx5_0", "DOWN", "DOWN"));

    assertThat(health.taints("mlx5_0", DRIVER))
        .containsExactly(
            DeviceTaint.of(DRIVER + "/rdma-port-down", "port-1", TaintEffect.NO_SCHEDULE),
            DeviceTaint.of(
                DRIVER + "/rdma-port-errors", "port-1.symbol_error", TaintEffect.NO_SCHEDULE));
    assertThat(health.taints("mlx5_1", DRIVER))
        .containsExactly(DeviceTaint.of(DRIVER + "/rdma-device-gone", "", TaintEffect.NO_EXECUTE));
  }

  @Test
  void problemsHaveAReasonAndASentence() {
    assertThat(new DeviceGone("mlx5_0").reason()).isEqualTo("RDMADeviceGone");
    assertThat(new DeviceGone("mlx5_0").message()).isEqualTo("RDMA device mlx5_0 has gone");
    assertThat(new PortDown("mlx5_0", 2, "DOWN", "Polling").reason()).isEqualTo("RDMAPortDown");
    assertThat(new PortDown("mlx5_0", 2, "DOWN", "Polling").message())
        .isEqualTo("port 2 of RDMA device mlx5_0 is DOWN, Polling");
    assertThat(new PortDown("mlx5_0", 2, "", "").message())
        .isEqualTo("port 2 of RDMA device mlx5_0 has gone");
    assertThat(new ErrorsRising("mlx5_0", 1, "symbol_error", 11, MINUTE).reason())
        .isEqualTo("RDMAPortErrors");
    assertThat(new ErrorsRising("mlx5_0", 1, "symbol_error", 11, MINUTE).message())
        .isEqualTo("port 1 of RDMA device mlx5_0 had 11 of symbol_error within 60 s");
  }

  @Test
  void devicesThatGoneLongestAreForgottenAtLast() {
    RdmaDevice[] functions = new RdmaDevice[5_000];
    for (int i = 0; i < functions.length; i++) {
      functions[i] = device("vf" + i, "ACTIVE");
    }
    see(functions);
    assertThat(health.knows("vf0")).as("all are there").isTrue();

    see(device("mlx5_0", "ACTIVE"));

    assertThat(health.problems()).hasSize(4_095);
    assertThat(health.knows("vf0")).isFalse();
    assertThat(health.knows("vf4999")).isTrue();
  }

  @Test
  void limitsThatCannotBeMeantAreRefused() {
    ErrorLimits limits = ErrorLimits.within(MINUTE);
    assertThatIllegalArgumentException().isThrownBy(() -> ErrorLimits.within(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ErrorLimits.within(Duration.ofSeconds(Long.MAX_VALUE)))
        .withMessageContaining("expected at most 10000 days");
    assertThatIllegalArgumentException().isThrownBy(() -> limits.limit("symbol_error", -1));
    for (String name : List.of("", "../state", "a b", "_a", "a_", "x".repeat(51))) {
      assertThatIllegalArgumentException().isThrownBy(() -> limits.limit(name, 1));
    }
    assertThat(ErrorLimits.ofLinks().limits()).containsEntry("symbol_error", 10L);
  }
}
