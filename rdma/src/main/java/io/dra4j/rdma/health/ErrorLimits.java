package io.dra4j.rdma.health;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The number of errors that a port may have within a window before they are a problem, for each
 * counter. A counter stops at its largest value: a counter of 4 bits rises by 15 at most until it
 * is reset, so its limit must be far lower.
 *
 * <pre>{@code
 * ErrorLimits.within(Duration.ofMinutes(1)).limit("symbol_error", 100).limit("out_of_buffer", 1_000)
 * }</pre>
 *
 * @param window the length of the window
 * @param limits the largest permitted rise of each counter in the window, by the name of the
 *     counter in {@code counters} or {@code hw_counters} of {@code /sys}; other counters are not
 *     read
 */
public record ErrorLimits(Duration window, Map<String, Long> limits) {

  /** Names must fit into the value of a taint, which has at most 63 of these characters. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_]{0,49}");

  /** The longest window. */
  private static final Duration LONGEST = Duration.ofDays(10_000);

  /**
   * The number of bits of the error counters of {@code PortCounters} (IBTA 16.1.3.5; {@code
   * PORT_PMA_ATTR} of Linux' {@code drivers/infiniband/core/sysfs.c}).
   */
  private static final Map<String, Integer> BITS =
      Map.ofEntries(
          Map.entry("symbol_error", 16),
          Map.entry("link_error_recovery", 8),
          Map.entry("link_downed", 8),
          Map.entry("port_rcv_errors", 16),
          Map.entry("port_rcv_remote_physical_errors", 16),
          Map.entry("port_rcv_switch_relay_errors", 16),
          Map.entry("port_xmit_discards", 16),
          Map.entry("port_xmit_constraint_errors", 8),
          Map.entry("port_rcv_constraint_errors", 8),
          Map.entry("local_link_integrity_errors", 4),
          Map.entry("excessive_buffer_overrun_errors", 4),
          Map.entry("VL15_dropped", 16));

  /**
   * Copies the limits. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the window is not positive or over 10,000 days, a limit is
   *     negative, or a name is not valid for a counter
   */
  public ErrorLimits {
    if (window.isNegative() || window.isZero()) {
      throw new IllegalArgumentException("window of errors: expected more than 0, found " + window);
    }
    if (window.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "window of errors: expected at most " + LONGEST.toDays() + " days, found " + window);
    }
    limits = Map.copyOf(new TreeMap<>(limits));
    limits.forEach(
        (name, limit) -> {
          if (!NAME.matcher(name).matches() || name.endsWith("_")) {
            throw new IllegalArgumentException(
                "limit of '"
                    + name
                    + "': expected the name of a counter in /sys, such as symbol_error");
          }
          if (limit < 0) {
            throw new IllegalArgumentException(
                "limit of " + name + ": expected 0 or more, found " + limit);
          }
        });
  }

  /**
   * {@return limits without counters, to start with}
   *
   * @param window the length of the window in which errors are counted
   * @throws IllegalArgumentException if the window is not positive or over 10,000 days
   */
  public static ErrorLimits within(Duration window) {
    return new ErrorLimits(window, Map.of());
  }

  /**
   * {@return limits that a healthy link does not exceed, whatever the traffic} They cover the
   * counters of InfiniBand's {@code PortCounters} (IBTA 16.1.3.5) that concern the link itself: 10
   * errors a minute, and 1 for counters of 4 bits, where each count stands for many errors. Lost
   * packets are not covered, since congestion loses some.
   */
  public static ErrorLimits ofLinks() {
    return within(Duration.ofMinutes(1))
        .limit("symbol_error", 10)
        .limit("link_error_recovery", 10)
        .limit("link_downed", 10)
        .limit("port_rcv_errors", 10)
        .limit("local_link_integrity_errors", 1)
        .limit("excessive_buffer_overrun_errors", 1);
  }

  /** Whether a counter has its largest value, so that it cannot count further errors. */
  static boolean isFull(String counter, long value) {
    Integer bits = BITS.get(counter);
    return bits != null && value == (1L << bits) - 1;
  }

  /**
   * {@return new limits with an added or changed limit of a counter}
   *
   * @param counter the name of the counter in {@code /sys}
   * @param most the largest permitted rise in the window
   * @throws IllegalArgumentException if the limit is negative, or the name is not valid
   */
  public ErrorLimits limit(String counter, long most) {
    Map<String, Long> more = new TreeMap<>(limits);
    more.put(counter, most);
    return new ErrorLimits(window, more);
  }
}
