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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a runtime is made of, with the defaults, and checked where it is set. */
final class RuntimeOptions {

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

  /** The same options, so that a builder can be used again. */
  RuntimeOptions copy() {
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
    return copy;
  }

  void addDriver(DeviceDriver driver) {
    String name = driver.name();
    if (name == null || !SliceLimits.isDriverName(name)) {
      throw new IllegalArgumentException(
          "%s has a bug: want as its name a DNS subdomain of at most %d bytes, got %s"
              .formatted(driver.getClass().getName(), SliceLimits.MAX_DOMAIN_BYTES, name));
    }
    if (drivers.putIfAbsent(name, driver) != null) {
      throw new IllegalArgumentException("two drivers are called " + name);
    }
  }

  /** The same class twice is one; two of one name are a mistake, whichever is meant. */
  void addClasses(List<DeviceClass> classes) {
    for (DeviceClass one : classes) {
      String name = one.metadata().name();
      for (DeviceClass known : deviceClasses) {
        if (known.metadata().name().equals(name) && !known.equals(one)) {
          throw new IllegalArgumentException("two device classes are called " + name);
        }
      }
      if (!deviceClasses.contains(one)) {
        deviceClasses.add(one);
      }
    }
  }

  void setNode(String name) {
    if (name.length() > 253
        || !name.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")) {
      throw new IllegalArgumentException(
          "node: want a DNS subdomain of at most 253 bytes, got '%s'".formatted(name));
    }
    node = name;
  }

  static Duration positive(String name, Duration value) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(name + ": want more than 0, got " + value);
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

  /** How long a call waits for another one of the same claim. */
  Duration patience() {
    return callLimit.multipliedBy(2);
  }
}
