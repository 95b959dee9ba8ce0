package io.dra4j.netlink.devlink;

/**
 * A device that devlink knows.
 *
 * @param bus its bus, for example {@code pci}
 * @param name its name on the bus, for example {@code 0000:8f:00.0}
 */
public record DevlinkDevice(String bus, String name) {

  /** As the command {@code devlink} writes it: bus, slash, name. */
  @Override
  public String toString() {
    return bus + "/" + name;
  }
}
