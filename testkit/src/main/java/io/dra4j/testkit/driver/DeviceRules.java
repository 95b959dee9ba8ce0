package io.dra4j.testkit.driver;

import io.dra4j.model.Device;
import io.dra4j.model.SliceLimits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The requirements of the API server for the devices of a driver. */
final class DeviceRules {

  private DeviceRules() {}

  /** Returns the problems that the API server would reject, one line each. */
  static List<String> problems(List<Device> devices) {
    List<String> problems = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Device device : devices) {
      if (!names.add(device.name())) {
        problems.add("two devices have the name " + device.name());
      }
      for (String problem : SliceLimits.problems(device)) {
        problems.add("device '%s' %s".formatted(device.name(), problem));
      }
    }
    return problems;
  }
}
