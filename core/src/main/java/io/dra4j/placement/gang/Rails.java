package io.dra4j.placement.gang;

import java.util.Objects;

/**
 * The way to determine the rail of a NIC. NICs of the same rail of two servers are on the same
 * network switch, so that traffic between them crosses no other switch.
 */
public sealed interface Rails {

  /** The position of a NIC on its server, in the order of PCI addresses: the default. */
  record ByIndex() implements Rails {}

  /**
   * An attribute of the NIC whose value names the rail.
   *
   * @param attribute the name of the attribute, as {@code domain/id}
   */
  record ByAttribute(String attribute) implements Rails {
    /** Checks that the attribute is given. {@inheritDoc} */
    public ByAttribute {
      Objects.requireNonNull(attribute, "attribute");
    }
  }

  /**
   * The subnet of an address of the NIC.
   *
   * @param attribute the name of an attribute with an address and its prefix length, or with
   *     several of them, separated by commas, of which the first one counts; for example {@code
   *     dra.net/ipv4}
   */
  record BySubnet(String attribute) implements Rails {
    /** Checks that the attribute is given. {@inheritDoc} */
    public BySubnet {
      Objects.requireNonNull(attribute, "attribute");
    }
  }
}
