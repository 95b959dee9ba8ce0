package io.dra4j.netlink.route;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An address of a link.
 *
 * @param index the index of the link
 * @param address the address and the length of its network
 * @param peer the address at the other end; null unless it is another one
 * @param broadcast the address that reaches everyone; null if there is none
 * @param label the name that IPv4 gives it; empty for none
 * @param scope 0 everywhere, 253 on the link, 254 in the host; see {@link Scope}
 * @param flags {@code IFA_F_...} of {@code linux/if_addr.h}
 * @param validSeconds how long it is valid; -1 for ever
 * @param preferredSeconds how long it is preferred; -1 for ever
 * @param metric the metric of the route to its network; 0 for the kernel's own
 * @param protocol who set it, {@code IFAPROT_...}; 0 if not known
 */
public record InterfaceAddress(
    int index,
    IpPrefix address,
    @Nullable IpAddress peer,
    @Nullable IpAddress broadcast,
    String label,
    int scope,
    int flags,
    int validSeconds,
    int preferredSeconds,
    int metric,
    int protocol) {

  /** {@code IFA_F_PERMANENT}: set by somebody, for ever. */
  public static final int PERMANENT = 0x80;

  /** {@code IFA_F_TENTATIVE}: not yet in use. */
  public static final int TENTATIVE = 0x40;

  /** {@code IFA_F_NODAD}: used without asking whether others have it. */
  public static final int NO_DUPLICATE_CHECK = 2;

  /** Checks that label and address are there. {@inheritDoc} */
  public InterfaceAddress {
    Objects.requireNonNull(address);
    Objects.requireNonNull(label);
  }

  /**
   * An address for ever.
   *
   * @param index the index of the link
   * @param address the address and the length of its network
   * @return the address
   */
  public static InterfaceAddress of(int index, IpPrefix address) {
    return new InterfaceAddress(index, address, null, null, "", 0, 0, -1, -1, 0, 0);
  }

  /**
   * The address with other flags.
   *
   * @param newFlags {@code IFA_F_...} of {@code linux/if_addr.h}
   * @return the address
   */
  public InterfaceAddress withFlags(int newFlags) {
    return new InterfaceAddress(
        index,
        address,
        peer,
        broadcast,
        label,
        scope,
        newFlags,
        validSeconds,
        preferredSeconds,
        metric,
        protocol);
  }

  /**
   * The address on another link, or on the same link after it came back under another number.
   *
   * @param newIndex the index of the link
   * @return the address
   */
  public InterfaceAddress onLink(int newIndex) {
    return new InterfaceAddress(
        newIndex,
        address,
        peer,
        broadcast,
        label,
        scope,
        flags,
        validSeconds,
        preferredSeconds,
        metric,
        protocol);
  }

  /**
   * Whether somebody set it for ever, so that it would have to be set again.
   *
   * @return false for addresses that the kernel makes itself
   */
  public boolean isPermanent() {
    return (flags & PERMANENT) != 0;
  }
}
