package io.dra4j.netlink.route;

/**
 * A VLAN of a port of a bridge ({@code bridge vlan}, {@code struct bridge_vlan_info}); {@link
 * BridgeVlans} lists and sets them.
 *
 * @param id the number of the VLAN, 1 to 4094
 * @param primary whether packets without a tag enter it ({@code BRIDGE_VLAN_INFO_PVID})
 * @param untagged whether its packets leave without a tag ({@code BRIDGE_VLAN_INFO_UNTAGGED})
 */
public record BridgeVlan(int id, boolean primary, boolean untagged) {

  static final int MOST = 4_094;

  /**
   * Checks the number. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the number is out of range
   */
  public BridgeVlan {
    Numbers.check("vlan id", id, 1, MOST);
  }
}
