package io.dra4j.netlink.state;

import java.util.Objects;

/**
 * A fact of a link that differs from its earlier value.
 *
 * @param fact the name of the fact, for example {@code mtu}, {@code sysctl ipv4/conf/arp_ignore} or
 *     {@code route 192.0.2.0/24 link 7 table 254}
 * @param wanted the earlier value; empty if there was none
 * @param found the present value; empty if there is none
 * @param errno the reason why the kernel refused to restore it, a number of {@link
 *     io.dra4j.linux.Errno}; 0 if the kernel was not requested to, or reported success
 * @param message the text of the kernel, or the reason why it was not requested; empty for none
 */
public record Difference(String fact, String wanted, String found, int errno, String message) {

  private static final int ENETDOWN = 100;

  /** Checks that nothing is null. {@inheritDoc} */
  public Difference {
    Objects.requireNonNull(fact, "fact");
    Objects.requireNonNull(wanted, "wanted");
    Objects.requireNonNull(found, "found");
    Objects.requireNonNull(message, "message");
  }

  Difference because(int newErrno, String newMessage) {
    return new Difference(fact, wanted, found, newErrno, newMessage);
  }

  /**
   * {@return whether to restore the link again once it has a carrier, because the kernel refused
   * the fact without one ({@code ENETDOWN}), as it does with next-hop objects}
   */
  public boolean waitsForCarrier() {
    return errno == ENETDOWN;
  }

  /** Returns the difference for people, in one line. */
  @Override
  public String toString() {
    return fact
        + (wanted.isEmpty() ? " was not there" : " was " + wanted)
        + (found.isEmpty() ? ", is gone" : ", is " + found)
        + (message.isEmpty() ? "" : ": " + message);
  }
}
