package io.dra4j.runtime;

import io.dra4j.model.DeviceClass;
import io.dra4j.model.SliceLimits;
import io.dra4j.runtime.internal.store.BootId;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostWatcher;
import io.dra4j.spi.HostWatchers;
import io.dra4j.spi.TopologyReaders;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link DriverRuntime}. A driver and a store are required; every other option has
 * a default. Values are checked when they are set. Not thread-safe; several runtimes can be created
 * from the same options.
 */
public final class RuntimeOptions {

  final Map<String, DeviceDriver> drivers = new LinkedHashMap<>();
  final List<DeviceClass> deviceClasses = new ArrayList<>();
  Host host = Host.live();
  String node = "localhost";
  @Nullable TopologyReaders readers;
  @Nullable List<HostWatcher> watchers;
  @Nullable Path store;
  @Nullable SelectorCompiler selectors;
  @Nullable MeterRegistry metrics;
  @Nullable Duration standby;
  @Nullable String bootId;
  Duration callLimit = Duration.ofSeconds(30);
  Duration stopLimit = Duration.ofSeconds(30);
  Duration quiet = Duration.ofMillis(50);
  Duration pause = Duration.ofSeconds(1);
  Duration period = Duration.ofMinutes(1);
  Duration healthPeriod = Duration.ofSeconds(20); // the kubelet discards health after 30 s

  RuntimeOptions() {}

  /**
   * Adds a driver.
   *
   * @param value the driver; only a {@link io.dra4j.spi.PreparingDriver} needs to prepare claims
   * @return these options
   * @throws IllegalArgumentException if its name is taken or no DNS subdomain of at most 63 bytes
   */
  public RuntimeOptions driver(DeviceDriver value) {
    addDriver(Objects.requireNonNull(value, "driver"));
    return this;
  }

  /**
   * Sets the host to read; this host by default.
   *
   * @param value the host
   * @return these options
   */
  public RuntimeOptions host(Host value) {
    this.host = Objects.requireNonNull(value, "host");
    return this;
  }

  /**
   * Sets the name of the node; {@code localhost} by default.
   *
   * @param value a DNS subdomain
   * @return these options
   */
  public RuntimeOptions node(String value) {
    setNode(Objects.requireNonNull(value, "node"));
    return this;
  }

  /**
   * Sets the readers of the host; all installed readers by default.
   *
   * @param value the readers
   * @return these options
   */
  public RuntimeOptions readers(TopologyReaders value) {
    this.readers = Objects.requireNonNull(value, "readers");
    return this;
  }

  /**
   * Sets the watchers of the host; all installed watchers by default.
   *
   * @param values the watchers; empty if reading the host at regular intervals is enough
   * @return these options
   */
  public RuntimeOptions watchers(List<HostWatcher> values) {
    this.watchers = List.copyOf(values);
    return this;
  }

  /**
   * Sets the file that stores claims. It is created if it does not exist.
   *
   * @param file the file, in an existing directory
   * @return these options
   */
  public RuntimeOptions store(Path file) {
    this.store = Objects.requireNonNull(file, "store");
    return this;
  }

  /**
   * Enables the runtime to allocate claims itself.
   *
   * @param value compiles the selectors of requests and classes
   * @return these options
   */
  public RuntimeOptions selectors(SelectorCompiler value) {
    this.selectors = Objects.requireNonNull(value, "selectors");
    return this;
  }

  /**
   * Adds device classes for claims that are allocated here.
   *
   * @param values the classes
   * @return these options
   * @throws IllegalArgumentException if different classes have the same name; none is added then
   */
  public RuntimeOptions deviceClasses(List<DeviceClass> values) {
    addClasses(values);
    return this;
  }

  /**
   * Sets the registry of metrics, instead of {@code /metrics} of the runtime's own endpoint.
   *
   * @param value the registry, which the runtime does not close
   * @return these options
   */
  public RuntimeOptions metrics(MeterRegistry value) {
    this.metrics = Objects.requireNonNull(value, "metrics");
    return this;
  }

  /**
   * Sets the time after which a call of a driver is interrupted; 30 seconds by default.
   *
   * @param value the time, more than 0
   * @return these options
   */
  public RuntimeOptions callLimit(Duration value) {
    this.callLimit = positive("callLimit", value);
    return this;
  }

  /**
   * Sets how long {@link DriverRuntime#close} waits for calls; 30 seconds by default.
   *
   * @param value the time, more than 0
   * @return these options
   */
  public RuntimeOptions stopLimit(Duration value) {
    this.stopLimit = positive("stopLimit", value);
    return this;
  }

  /**
   * Sets the times at which the host is read.
   *
   * @param newQuiet the time without changes before a reading, so that a burst of changes causes
   *     one; 50 milliseconds by default. If changes go on, the host is read after ten times as
   *     long.
   * @param newPause the shortest pause between two readings; 1 second by default
   * @param newPeriod the longest pause between two readings; 1 minute by default
   * @return these options
   */
  public RuntimeOptions discovery(Duration newQuiet, Duration newPause, Duration newPeriod) {
    this.quiet = positive("quiet", newQuiet);
    this.pause = positive("pause", newPause);
    this.period = positive("period", newPeriod);
    return this;
  }

  /** Sets the longest interval between health checks of devices. */
  RuntimeOptions healthPeriod(Duration value) {
    this.healthPeriod = positive("healthPeriod", value);
    return this;
  }

  /**
   * Makes the runtime stand by while another process has the store, instead of failing. On standby,
   * it discovers the devices and is ready, and takes over the claims when the other process
   * releases the store. This way, a new release replaces the previous one without a gap.
   *
   * @param value the wait after which {@link DriverRuntime#health} is not live; more than 0
   * @return these options
   */
  public RuntimeOptions standby(Duration value) {
    this.standby = positive("standby", value);
    return this;
  }

  /**
   * Sets the ID of the host's current boot; {@code /proc/sys/kernel/random/boot_id} by default.
   * Claims that were prepared in another boot are undone and prepared again.
   *
   * @param value a string that differs after each boot
   * @return these options
   */
  public RuntimeOptions bootId(String value) {
    this.bootId = Objects.requireNonNull(value, "bootId");
    return this;
  }

  /**
   * Opens the store and creates the runtime, which does nothing until it is started.
   *
   * @return the runtime
   * @throws StoreException if the store cannot be opened, or is in use without {@link #standby}
   * @throws IllegalStateException if there is no driver or no store
   */
  public DriverRuntime build() throws StoreException {
    RuntimeOptions chosen = copy();
    ClaimStore opened;
    try {
      opened = ClaimStore.open(chosen.storeFile(), chosen.boot());
    } catch (StoreException e) {
      if (e.isInUse() && chosen.standby != null) {
        return new DriverRuntime(chosen, null, String.valueOf(e.getMessage()));
      }
      throw e;
    }
    try {
      return new DriverRuntime(chosen, opened, "");
    } catch (StoreException | RuntimeException e) {
      try {
        opened.close();
      } catch (StoreException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** Returns a copy of these options, which later changes do not affect. */
  private RuntimeOptions copy() {
    if (store == null || drivers.isEmpty()) {
      throw new IllegalStateException("a runtime needs at least one driver(…), and a store(…)");
    }
    RuntimeOptions copy = new RuntimeOptions();
    copy.drivers.putAll(drivers);
    copy.deviceClasses.addAll(deviceClasses);
    copy.host = host;
    copy.node = node;
    copy.readers = readers;
    copy.watchers = watchers;
    copy.store = store;
    copy.selectors = selectors;
    copy.metrics = metrics;
    copy.standby = standby;
    copy.bootId = bootId;
    copy.callLimit = callLimit;
    copy.stopLimit = stopLimit;
    copy.quiet = quiet;
    copy.pause = pause;
    copy.period = period;
    copy.healthPeriod = healthPeriod;
    return copy;
  }

  private void addDriver(DeviceDriver driver) {
    String name = driver.name();
    if (name == null || !SliceLimits.isDriverName(name)) {
      throw new IllegalArgumentException(
          "%s has a bug: expected a DNS subdomain of at most %d bytes as its name, found %s"
              .formatted(driver.getClass().getName(), SliceLimits.MAX_DOMAIN_BYTES, name));
    }
    if (drivers.putIfAbsent(name, driver) != null) {
      throw new IllegalArgumentException("two drivers are named " + name);
    }
  }

  /** Adds classes. Equal classes count once; different classes with one name are an error. */
  private void addClasses(List<DeviceClass> classes) {
    List<DeviceClass> all = new ArrayList<>(deviceClasses);
    all.addAll(classes);
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < all.size(); i++) {
      String name = all.get(i).metadata().name();
      Integer first = places.putIfAbsent(name, i);
      if (first != null && !all.get(first).equals(all.get(i))) {
        throw new IllegalArgumentException(
            "two device classes are named %s, number %d and number %d; expected each name once"
                .formatted(name, first + 1, i + 1));
      }
    }
    for (DeviceClass one : classes) {
      if (!deviceClasses.contains(one)) {
        deviceClasses.add(one);
      }
    }
  }

  private void setNode(String name) {
    if (name.length() > 253
        || !name.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")) {
      throw new IllegalArgumentException(
          "node: expected a DNS subdomain of at most 253 bytes, found '%s'".formatted(name));
    }
    node = name;
  }

  private static Duration positive(String name, Duration value) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(name + ": expected more than 0, found " + value);
    }
    return value;
  }

  Path storeFile() {
    Path file = store;
    if (file == null) {
      throw new IllegalStateException("a runtime needs a store(…)");
    }
    return file;
  }

  String boot() {
    String given = bootId;
    return given == null ? BootId.current() : given;
  }

  Duration standbyLimit() {
    Duration given = standby;
    return given == null ? Duration.ZERO : given;
  }

  TopologyReaders readers() {
    TopologyReaders given = readers;
    return given == null ? TopologyReaders.installed() : given;
  }

  List<HostWatcher> watchers() {
    List<HostWatcher> given = watchers;
    return given == null ? HostWatchers.installed() : given;
  }

  /** The time that a call waits for another call for the same claim. */
  Duration patience() {
    return callLimit.multipliedBy(2);
  }
}
