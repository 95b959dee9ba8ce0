package io.dra4j.runtime.internal.device;

import io.dra4j.common.PrintableText;
import io.dra4j.model.DeviceId;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The health of a driver's devices as the driver reported it last, and the problems with its
 * reports. One thread asks; any thread may read.
 */
public final class ReportedHealth {

  /** A call of the driver for the health of its devices. */
  public interface Question {
    List<DeviceHealth> ask() throws DriverException;
  }

  /** The answer to one question. */
  private record Answer(List<DeviceHealth> devices, List<String> problems) {}

  private static final int SHOWN = 8;

  private final String driver;
  private final String node;
  private volatile Answer answer;
  private volatile Set<DeviceId> unhealthy = Set.of();

  public ReportedHealth(String driver, String node) {
    this.driver = driver;
    this.node = node;
    this.answer =
        new Answer(
            List.of(),
            List.of("driver %s has not reported the health of its devices yet".formatted(driver)));
  }

  /**
   * Asks for the health of all devices; drops those not offered, which the kubelet does not know.
   *
   * @param isOffered whether the driver offers a device
   * @return whether the set of unhealthy devices has changed; false if the driver fails to answer
   */
  public boolean ask(Question question, Predicate<DeviceId> isOffered) {
    List<DeviceHealth> reported;
    try {
      reported = question.ask();
    } catch (DriverException e) { // the taints stay until the driver reports otherwise
      String problem =
          "driver %s could not report the health of its devices: %s"
              .formatted(driver, e.getMessage());
      answer = new Answer(List.of(), List.of(problem));
      return false;
    }
    Instant now = Instant.now();
    List<DeviceHealth> devices = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    Set<DeviceId> broken =
        new HashSet<>(); // devices that are not offered get the taint when they are
    for (DeviceHealth one : reported) {
      DeviceHealth here = resolved(one, now);
      if (isOffered.test(idOf(here))) {
        devices.add(here);
      } else {
        unknown.add(here.pool().equals(node) ? here.device() : here.pool() + "/" + here.device());
      }
      if (here.status() == DeviceHealth.Status.UNHEALTHY) {
        broken.add(idOf(here));
      }
    }
    answer = new Answer(List.copyOf(devices), notOffered(unknown));
    boolean isChanged = !broken.equals(unhealthy);
    unhealthy = Set.copyOf(broken);
    return isChanged;
  }

  private DeviceHealth resolved(DeviceHealth one, Instant now) {
    DeviceHealth here = one.pool().equals(DeviceDriver.NODE_POOL) ? one.inPool(node) : one;
    return here.lastUpdated() == null ? here.asOf(now) : here;
  }

  private DeviceId idOf(DeviceHealth one) {
    return new DeviceId(driver, one.pool(), one.device());
  }

  private List<String> notOffered(List<String> devices) {
    if (devices.isEmpty()) {
      return List.of();
    }
    return List.of(
        "driver %s reports the health of devices that it does not offer: %s"
            .formatted(driver, PrintableText.some(new TreeSet<>(devices), SHOWN)));
  }

  /** Returns the devices of the last answer, with pool and time; empty after a failure. */
  public List<DeviceHealth> devices() {
    return answer.devices();
  }

  /** Returns the number of unhealthy devices in the last answer. */
  public long unhealthy() {
    return devices().stream()
        .filter(one -> one.status() == DeviceHealth.Status.UNHEALTHY)
        .map(this::idOf)
        .distinct()
        .count();
  }

  /** Returns whether a device was unhealthy in the last answer. */
  public boolean isUnhealthy(DeviceId device) {
    return unhealthy.contains(device);
  }

  /** Returns the problems with the reports: sentences that name the driver. */
  public List<String> problems() {
    return answer.problems();
  }
}
