package io.dra4j.placement.gang;

import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.QualifiedName;
import java.util.Optional;

/** Reads the rail of a NIC from its attributes. */
final class RailReader {

  private RailReader() {}

  /** {@return a NIC's rail, equal for NICs of one rail; empty if no attribute determines it} */
  static Optional<Object> railOf(NodeDevice nic, Rails rails) {
    if (rails instanceof Rails.ByAttribute by) {
      return value(nic, by.attribute()).map(value -> value);
    } else if (rails instanceof Rails.BySubnet by) {
      return value(nic, by.attribute())
          .filter(DeviceAttribute.StringValue.class::isInstance)
          .flatMap(value -> Subnet.of(((DeviceAttribute.StringValue) value).value()));
    }
    return Optional.empty();
  }

  private static Optional<DeviceAttribute> value(NodeDevice nic, String attribute) {
    return Optional.ofNullable(
        QualifiedName.of(attribute).in(nic.slice().driver(), nic.device().attributes()));
  }
}
