package io.dra4j.placement.gang;

import java.util.Objects;

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
      Objects.requireNonNull(attribute, "attribute");
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
      Objects.requireNonNull(attribute, "attribute");
    }
  }
}
