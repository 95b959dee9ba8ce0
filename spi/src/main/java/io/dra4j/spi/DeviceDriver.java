package io.dra4j.spi;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import java.util.List;

/**
 * Makes devices for ResourceSlices of what readers found on a host. {@link PreparingDriver} makes
 * them ready for claims as well.
 */
public interface DeviceDriver {

  /**
   * Names the driver.
   *
   * @return a DNS subdomain of at most 63 bytes, for example {@code fpga.example.com}; always the
   *     same
   */
  String name();

  /**
   * Makes the devices that the driver offers on a host. The same inventory gives the same devices
   * in the same order, and a device keeps its name for as long as it is in the machine, over
   * restarts too. It changes nothing on the host.
   *
   * @param host what is on the host
   * @return devices with different names, each a DNS label
   */
  List<Device> discover(HostInventory host);

  /**
   * Makes the counters that devices of the same inventory draw on (KEP-4815).
   *
   * @param host what is on the host
   * @return the counter sets; empty by default
   */
  default List<CounterSet> sharedCounters(HostInventory host) {
    return List.of();
  }
}
