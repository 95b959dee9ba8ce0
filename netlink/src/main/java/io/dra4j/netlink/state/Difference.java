package io.dra4j.netlink.state;

import java.util.Objects;

/**
 * A fact of a link that is not as it was.
 *
 * @param fact which, for example {@code mtu}, {@code sysctl ipv4/conf/arp_ignore} or {@code route
 *     192.0.2.0/24 link 7 table 254}
 * @param wanted what it was; empty if it was not there
 * @param found what it is; empty if it is not there
 * @param errno why the kernel refused to make it what it was, a number of {@link
 *     io.dra4j.linux.Errno}; 0 if it was not asked to, or said that it would
 * @param message what the kernel said, or why it was not asked to; empty if nothing
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
   * Says whether the kernel refused to make it what it was because the link has no carrier ({@code
   * ENETDOWN}), as it does with next-hop objects.
   *
   * @return whether to restore the link again once it has a carrier
   */
  public boolean waitsForCarrier() {
    return errno == ENETDOWN;
  }

  /** For people, in one line. */
  @Override
  public String toString() {
    return fact
        + (wanted.isEmpty() ? " was not there" : " was " + wanted)
        + (found.isEmpty() ? ", is gone" : ", is " + found)
        + (message.isEmpty() ? "" : ": " + message);
  }
}
