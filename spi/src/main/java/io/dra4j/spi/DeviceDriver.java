package io.dra4j.spi;

import io.dra4j.model.Device;
import java.util.List;

/** Makes devices for ResourceSlices of what readers found on a host. */
public interface DeviceDriver {

  /**
   * Its name.
   *
   * @return a DNS subdomain of at most 63 bytes, for example {@code fpga.example.com}
   */
  String name();

  /**
   * The devices it offers on a host. The same inventory gives the same devices in the same order.
   *
   * @param host what is on the host
   * @return devices with different names, each a DNS label
   */
  List<Device> discover(HostInventory host);
}
