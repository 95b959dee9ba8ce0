package io.dra4j.rdma.health;

import io.dra4j.model.DeviceTaint;
import io.dra4j.rdma.health.RdmaObservation.PortCounters;
import io.dra4j.rdma.health.RdmaProblem.DeviceGone;
import io.dra4j.rdma.health.RdmaProblem.ErrorsRising;
import io.dra4j.rdma.health.RdmaProblem.PortDown;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The health of the RDMA devices of a host. It compares observations, reports the problems that
 * begin and end, and keeps the current problems. It does not read the host; {@link
 * RdmaHealthMonitor} does. Thread-safe.
 *
 * <pre>{@code
 * RdmaHealth health = RdmaHealth.by(ErrorLimits.ofLinks());
 * for (RdmaHealthEvent event : health.update(observation)) {
 *   System.out.println((event.begins() ? "" : "no longer: ") + event.problem().message());
 * }
 * List<DeviceTaint> taints = health.taints("mlx5_0", "dra.example.com");
 * }</pre>
 */
public final class RdmaHealth {

  /** The most devices that are remembered; those that disappeared first are forgotten. */
  private static final int MAX_DEVICES = 4_096;

  /** The identity of a problem, independent of its current details. */
  private record Key(String device, int port, String kind) {

    static Key of(RdmaProblem problem) {
      if (problem instanceof PortDown down) {
        return new Key(down.device(), down.port(), "");
      }
      if (problem instanceof ErrorsRising errors) {
        return new Key(errors.device(), errors.port(), errors.counter());
      }
      return new Key(problem.device(), 0, "");
    }
  }

  private final ErrorLimits limits;

  /** The ports of each device ever observed, the most recent one last. */
  private final Map<String, Set<Integer>> known = new LinkedHashMap<>();

  private final Set<String> ignored = new HashSet<>();
  private final Map<Key, ErrorHistory> histories = new HashMap<>();
  private Map<Key, RdmaProblem> problems = new LinkedHashMap<>();

  private RdmaHealth(ErrorLimits limits) {
    this.limits = limits;
  }

  /**
   * {@return the health without observations: without devices and problems}
   *
   * @param limits the number of errors from which a port has a problem
   */
  public static RdmaHealth by(ErrorLimits limits) {
    return new RdmaHealth(limits);
  }

  /** {@return the number of errors from which a port has a problem} */
  public ErrorLimits limits() {
    return limits;
  }

  /**
   * Takes an observation. The problem of a state or counter that is not in the observation stays,
   * and so does the problem of a counter at its largest value. A device of an earlier observation
   * that is missing now is a problem.
   *
   * @param seen all devices of the host, observed later than those of the call before, even if the
   *     clock was set back in between
   * @return the problems that began and ended, by device
   */
  public synchronized List<RdmaHealthEvent> update(RdmaObservation seen) {
    Map<Key, RdmaProblem> now = new LinkedHashMap<>();
    Set<String> present = new HashSet<>();
    for (RdmaDevice device : seen.devices()) {
      if (!ignored.contains(device.name())) {
        present.add(device.name());
        ports(device, now);
      }
    }
    forgetOldest(present);
    for (String device : known.keySet()) {
      if (!present.contains(device)) {
        put(new DeviceGone(device), now);
        histories.keySet().removeIf(key -> key.device().equals(device));
      }
    }
    errors(seen, present, now);
    List<RdmaHealthEvent> events = new ArrayList<>();
    events(problems, now, false, seen.at(), events);
    events(now, problems, true, seen.at(), events);
    problems = now;
    return List.copyOf(events);
  }

  private void ports(RdmaDevice device, Map<Key, RdmaProblem> now) {
    Set<Integer> before = known.remove(device.name());
    Set<Integer> ports = new HashSet<>();
    for (RdmaPort port : device.ports()) {
      ports.add(port.number());
      PortDown down =
          new PortDown(device.name(), port.number(), port.state(), port.physicalState());
      if (port.state().isEmpty()) {
        keep(Key.of(down), now);
      } else if (!port.isActive()) {
        put(down, now);
      }
    }
    if (before != null) {
      for (int port : before) {
        if (ports.add(port)) {
          put(new PortDown(device.name(), port, "", ""), now);
        }
      }
    }
    known.put(device.name(), ports);
  }

  private void errors(RdmaObservation seen, Set<String> present, Map<Key, RdmaProblem> now) {
    Set<Key> read = new HashSet<>();
    for (PortCounters port : seen.counters()) {
      if (present.contains(port.device())) {
        new TreeMap<>(limits.limits())
            .forEach(
                (counter, limit) -> {
                  Long value = port.values().get(counter);
                  if (value != null) {
                    read.add(errors(seen.at(), port, counter, value, limit, now));
                  }
                });
      }
    }
    for (Key key : problems.keySet()) {
      if (!key.kind().isEmpty() && !read.contains(key) && present.contains(key.device())) {
        keep(key, now);
      }
    }
  }

  private Key errors(
      Instant at,
      PortCounters port,
      String counter,
      long value,
      long limit,
      Map<Key, RdmaProblem> now) {
    Key key = new Key(port.device(), port.port(), counter);
    long rise =
        histories.computeIfAbsent(key, any -> new ErrorHistory(limits.window())).add(at, value);
    if (rise > limit) {
      put(new ErrorsRising(port.device(), port.port(), counter, rise, limits.window()), now);
    } else if (ErrorLimits.isFull(counter, value)) {
      keep(key, now);
    }
    return key;
  }

  private void keep(Key key, Map<Key, RdmaProblem> now) {
    @Nullable RdmaProblem problem = problems.get(key);
    if (problem != null) {
      now.put(key, problem);
    }
  }

  private static void put(RdmaProblem problem, Map<Key, RdmaProblem> problems) {
    problems.put(Key.of(problem), problem);
  }

  /** Forgets devices from the beginning of the map; the present ones are at its end. */
  private void forgetOldest(Set<String> present) {
    Iterator<String> oldest = known.keySet().iterator();
    for (int more = known.size() - MAX_DEVICES; more > 0; more--) {
      if (present.contains(oldest.next())) {
        return;
      }
      oldest.remove();
    }
  }

  /** Adds an event for each problem of the first map that the second one lacks. */
  private static void events(
      Map<Key, RdmaProblem> in,
      Map<Key, RdmaProblem> notIn,
      boolean begins,
      Instant at,
      List<RdmaHealthEvent> events) {
    in.forEach(
        (key, problem) -> {
          if (!notIn.containsKey(key)) {
            events.add(new RdmaHealthEvent(problem, begins, at));
          }
        });
  }

  /** {@return the current problems of all devices, as last observed} */
  public synchronized List<RdmaProblem> problems() {
    return List.copyOf(problems.values());
  }

  /**
   * {@return the current problems of a device; empty if it is healthy, or was never observed}
   *
   * @param device the name of the RDMA device
   */
  public synchronized List<RdmaProblem> problems(String device) {
    return problems.values().stream().filter(one -> one.device().equals(device)).toList();
  }

  /**
   * {@return the current taints of a device, without times; empty if healthy or never observed}
   * There is one for each kind of problem, at most 3; its value is the first problem.
   *
   * @param device the name of the RDMA device
   * @param driver the name of the driver that publishes it
   */
  public List<DeviceTaint> taints(String device, String driver) {
    Map<String, DeviceTaint> taints = new LinkedHashMap<>();
    for (RdmaProblem problem : problems(device)) {
      DeviceTaint taint = problem.taint(driver);
      taints.putIfAbsent(taint.key(), taint);
    }
    return List.copyOf(taints.values());
  }

  /**
   * {@return whether a device was observed and not ignored: without problems, it is then healthy}
   *
   * @param device the name of the RDMA device
   */
  public synchronized boolean knows(String device) {
    return known.containsKey(device);
  }

  /**
   * Forgets a device and ignores it in observations. Call this before the device moves into the
   * namespace of a pod, where it cannot be observed but still exists.
   *
   * @param device the name of the RDMA device
   */
  public synchronized void ignore(String device) {
    ignored.add(device);
    known.remove(device);
    histories.keySet().removeIf(key -> key.device().equals(device));
    problems.keySet().removeIf(key -> key.device().equals(device));
  }

  /**
   * Stops ignoring a device. Call this after the device came back to the host.
   *
   * @param device the name of the RDMA device
   */
  public synchronized void watch(String device) {
    ignored.remove(device);
  }
}
