package io.dra4j.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.groups.Tuple.tuple;

import io.dra4j.kubelet.DraClaim;
import io.dra4j.kubelet.DraDevice;
import io.dra4j.kubelet.DraHandler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallMeterTest {

  private final List<NodeCall> calls = new ArrayList<>();

  private static DraHandler handler(boolean works) {
    return new DraHandler() {
      @Override
      public List<DraDevice> prepare(DraClaim claim) {
        if (!works) {
          throw new IllegalStateException("no device is left");
        }
        return List.of();
      }

      @Override
      public void unprepare(DraClaim claim) {}
    };
  }

  @Test
  void tellsOfClaimsThatAreDoneAndThatFail() throws Exception {
    CallMeter meter = new CallMeter(calls::add, id -> false);
    DraClaim claim = new DraClaim("default", "nic", "uid-1");

    meter.of(handler(true)).prepare(claim);
    meter.of(handler(true)).unprepare(claim);
    assertThatIllegalStateException()
        .isThrownBy(() -> meter.of(handler(false)).prepare(claim))
        .withMessage("no device is left");

    assertThat(calls)
        .extracting(NodeCall::kind, NodeCall::outcome)
        .containsExactly(
            tuple(NodeCall.Kind.PREPARE, NodeCall.Outcome.DONE),
            tuple(NodeCall.Kind.UNPREPARE, NodeCall.Outcome.DONE),
            tuple(NodeCall.Kind.PREPARE, NodeCall.Outcome.FAILED));
  }

  @Test
  void aListenerThatFailsFailsNoCall() throws Exception {
    CallMeter meter =
        new CallMeter(
            call -> {
              throw new IllegalStateException("full");
            },
            id -> false);

    assertThat(meter.of(handler(true)).prepare(new DraClaim("default", "nic", "uid-1"))).isEmpty();
  }
}
