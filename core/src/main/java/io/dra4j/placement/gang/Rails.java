package io.dra4j.placement.gang;

import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.QualifiedName;
import java.util.Objects;
import java.util.Optional;

/**
 * How the rail of a NIC is known: NICs of the same rail of two servers are on the same switch of
 * the network, so that what they send each other crosses no other one.
 */
public sealed interface Rails {

  /** The place of a NIC among those of its server, by PCI address: the default. */
  record ByIndex() implements Rails {}

  /**
   * An attribute of the NIC whose value names the rail.
   *
   * @param attribute the name of the attribute, as {@code domain/id}
   */
  record ByAttribute(String attribute) implements Rails {
    /** Checks that it is there. {@inheritDoc} */
    public ByAttribute {
      Objects.requireNonNull(attribute, "attribute: want a name, got null");
    }
  }

  /**
   * The subnet of an address of the NIC.
   *
   * @param attribute the name of an attribute with an address and the length of its prefix, or
   *     several with commas between them, of which the first counts, for example {@code
   *     dra.net/ipv4}
   */
  record BySubnet(String attribute) implements Rails {
    /** Checks that it is there. {@inheritDoc} */
    public BySubnet {
      Objects.requireNonNull(attribute, "attribute: want a name, got null");
    }
  }

  /**
   * Returns the rail of a NIC, where an attribute tells it.
   *
   * @param nic the NIC
   * @return a value that is equal for NICs of one rail; empty if it has none
   */
  default Optional<Object> of(NodeDevice nic) {
    if (this instanceof ByAttribute by) {
      return value(nic, by.attribute).map(value -> value);
    } else if (this instanceof BySubnet by) {
      return value(nic, by.attribute)
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
