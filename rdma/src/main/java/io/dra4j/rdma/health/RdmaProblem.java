package io.dra4j.rdma.health;

import io.dra4j.model.DeviceTaint;
import io.dra4j.model.TaintEffect;
import java.time.Duration;

/**
 * A problem of an RDMA device. It can become a taint of the published device (KEP-5055), or the
 * reason and message of a condition.
 */
public sealed interface RdmaProblem {

  /** {@return the name of the RDMA device, for example {@code mlx5_0}} */
  String device();

  /** {@return the kind in one word, as a condition's reason, for example {@code RDMAPortDown}} */
  String reason();

  /** {@return a description, for people: a sentence without a full stop that names the device} */
  String message();

  /**
   * {@return a taint without time, for example {@code
   * dra.example.com/rdma-port-down=port-1:NoSchedule}} For a port that is down or has errors, it
   * keeps new claims away. For a device that is gone, it also evicts the pods that use the device.
   * {@link DeviceTaint#toBuilder()} can change the effect.
   *
   * @param driver the driver that publishes the device, for example {@code dra.example.com}
   */
  DeviceTaint taint(String driver);

  /**
   * The device no longer exists: it was unplugged, its driver was unloaded, its virtual function
   * was removed, or it was renamed. A renamed device counts as another device.
   *
   * @param device the name that it had
   */
  record DeviceGone(String device) implements RdmaProblem {

    @Override
    public String reason() {
      return "RDMADeviceGone";
    }

    @Override
    public String message() {
      return "RDMA device " + device + " has gone";
    }

    @Override
    public DeviceTaint taint(String driver) {
      return DeviceTaint.of(driver + "/rdma-device-gone", "", TaintEffect.NO_EXECUTE);
    }
  }

  /**
   * A port carries no traffic: its logical state is not {@code ACTIVE}.
   *
   * @param device the name of the device
   * @param port the number of the port, from 1
   * @param state its logical state as Linux names it, for example {@code DOWN}; empty if the port
   *     no longer exists
   * @param physicalState its physical state, for example {@code Polling}; empty if not known
   */
  record PortDown(String device, int port, String state, String physicalState)
      implements RdmaProblem {

    @Override
    public String reason() {
      return "RDMAPortDown";
    }

    @Override
    public String message() {
      return "port "
          + port
          + " of RDMA device "
          + device
          + (state.isEmpty() ? " has gone" : " is " + state)
          + (physicalState.isEmpty() ? "" : ", " + physicalState);
    }

    @Override
    public DeviceTaint taint(String driver) {
      return DeviceTaint.of(driver + "/rdma-port-down", "port-" + port, TaintEffect.NO_SCHEDULE);
    }
  }

  /**
   * A counter of errors rose by more than its limit.
   *
   * @param device the name of the device
   * @param port the number of the port, from 1
   * @param counter the name of the counter in {@code /sys}, for example {@code symbol_error}
   * @param count the rise of the counter
   * @param window the window in which the counter rose
   */
  record ErrorsRising(String device, int port, String counter, long count, Duration window)
      implements RdmaProblem {

    @Override
    public String reason() {
      return "RDMAPortErrors";
    }

    @Override
    public String message() {
      return "port "
          + port
          + " of RDMA device "
          + device
          + " had "
          + count
          + " of "
          + counter
          + " within "
          + window.toSeconds()
          + " s";
    }

    @Override
    public DeviceTaint taint(String driver) {
      return DeviceTaint.of(
          driver + "/rdma-port-errors", "port-" + port + "." + counter, TaintEffect.NO_SCHEDULE);
    }
  }
}
