package io.dra4j.rdma.health;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * How many errors a port may have in a while before that is a problem, counter by counter. A
 * counter that is full stays as it is: one of 4 bits rises by 15 at most until it is reset, so its
 * limit has to be far less.
 *
 * <pre>{@code
 * ErrorLimits.within(Duration.ofMinutes(1)).limit("symbol_error", 100).limit("out_of_buffer", 1_000)
 * }</pre>
 *
 * @param window how long the while is
 * @param limits by how much each counter may rise in it, by its name in {@code counters} or {@code
 *     hw_counters} of {@code /sys}; others are not read
 */
public record ErrorLimits(Duration window, Map<String, Long> limits) {

  /** Names fit into the value of a taint, which has at most 63 characters of these. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_]{0,49}");

  /** More than that is no window. */
  private static final Duration LONGEST = Duration.ofDays(10_000);

  /**
   * How many bits the errors of {@code PortCounters} have (IBTA 16.1.3.5; {@code PORT_PMA_ATTR} of
   * Linux' {@code drivers/infiniband/core/sysfs.c}).
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
   *     negative, or a name could not be that of a counter
   */
  public ErrorLimits {
    if (window.isNegative() || window.isZero()) {
      throw new IllegalArgumentException("window of errors: expected more than 0, got " + window);
    }
    if (window.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "window of errors: expected at most " + LONGEST.toDays() + " days, got " + window);
    }
    limits = Map.copyOf(new TreeMap<>(limits));
    limits.forEach(
        (name, limit) -> {
          if (!NAME.matcher(name).matches() || name.endsWith("_")) {
            throw new IllegalArgumentException("no name of a counter: " + name);
          }
          if (limit < 0) {
            throw new IllegalArgumentException(
                "limit of " + name + ": expected 0 or more, got " + limit);
          }
        });
  }

  /**
   * Starts with no limit.
   *
   * @param window how long the while is in which errors are counted
   * @return limits that no counter has
   * @throws IllegalArgumentException if the window is not positive or over 10,000 days
   */
  public static ErrorLimits within(Duration window) {
    return new ErrorLimits(window, Map.of());
  }

  /**
   * Returns limits for what a sound link does not have, whatever the traffic: 10 a minute of each
   * counter of InfiniBand's {@code PortCounters} (IBTA 16.1.3.5) that is about the link itself, and
   * 1 of those that have 4 bits, of which each count stands for many errors. Lost packets are not
   * among them, since congestion loses some.
   *
   * @return limits for links
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

  /** Whether a counter is full, so that errors that come no longer count. */
  static boolean isFull(String counter, long value) {
    Integer bits = BITS.get(counter);
    return bits != null && value == (1L << bits) - 1;
  }

  /**
   * Adds or changes the limit of a counter.
   *
   * @param counter the name of the counter in {@code /sys}
   * @param most by how much it may rise in the window
   * @return other limits
   * @throws IllegalArgumentException if the limit is negative, or the name could not be that of a
   *     counter
   */
  public ErrorLimits limit(String counter, long most) {
    Map<String, Long> more = new TreeMap<>(limits);
    more.put(counter, most);
    return new ErrorLimits(window, more);
  }
}
