package io.dra4j.netlink.devlink;

/**
 * A device of devlink.
 *
 * @param bus its bus, for example {@code pci}
 * @param name its name on the bus, for example {@code 0000:8f:00.0}
 */
public record DevlinkDevice(String bus, String name) {

  /** Returns the device in the format of the command {@code devlink}: bus, slash, name. */
  @Override
  public String toString() {
    return bus + "/" + name;
  }
}
