package io.dra4j.dranet;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Profiles with addresses of their own: each device gets one address of each range of its profile,
 * the lowest that is free, and what else the profile says. Who has which address is in a file, so
 * that it outlives the process. Thread-safe. Several processes may use the file, such as the old
 * and the new one of an update: each change reads the file under a lock ({@code leases.json.lock}
 * beside it), and is on disk when it is answered. Files are readable by their owner alone (mode
 * 0600), and symbolic links in their places are refused.
 *
 * <pre>{@code
 * StaticPools pools = StaticPools.open(Path.of("leases.json"));
 * pools.add("rail0", List.of(StaticPools.Range.parse("10.0.0.10-10.0.0.99/24")), NetworkConfig.EMPTY);
 * NetworkDriver.builder().profiles(pools);
 * }</pre>
 */
public final class StaticPools implements ProfileProvider {

  private static final int MAX_SCAN = 1 << 20;

  /**
   * Addresses of one network.
   *
   * @param first the first address
   * @param last the last address, of the same family and not before the first
   * @param length the length of the network in bits
   */
  public record Range(IpAddress first, IpAddress last, int length) {

    /**
     * Checks the order. {@inheritDoc}
     *
     * @throws IllegalArgumentException if the addresses are of two families or in the wrong order,
     *     or the length is none of theirs
     */
    public Range {
      if (first.isV6() != last.isV6() || first.compareTo(last) > 0) {
        throw new IllegalArgumentException(
            first + "-" + last + ": two addresses of one family, the lower one first");
      }
      if (length < 1 || length > first.bits()) {
        throw new IllegalArgumentException(
            first + "-" + last + "/" + length + ": a length from 1 to " + first.bits());
      }
    }

    /**
     * Reads a range.
     *
     * @param text for example {@code 10.0.0.10-10.0.0.99/24}
     * @return the range
     * @throws IllegalArgumentException if it is something else
     */
    public static Range parse(String text) {
      int dash = text.indexOf('-');
      IpPrefix end = dash < 0 ? null : IpPrefix.parse(text.substring(dash + 1));
      if (end == null) {
        throw new IllegalArgumentException(
            "'" + text + "' is no range, such as 10.0.0.10-10.0.0.99/24");
      }
      return new Range(IpAddress.parse(text.substring(0, dash)), end.address(), end.length());
    }

    private @Nullable IpAddress free(Set<IpAddress> taken) {
      BigInteger at = new BigInteger(1, first.toBytes());
      BigInteger end = new BigInteger(1, last.toBytes());
      for (int i = 0; i < MAX_SCAN && at.compareTo(end) <= 0; i++, at = at.add(BigInteger.ONE)) {
        IpAddress address = address(at);
        if (!taken.contains(address)) {
          return address;
        }
      }
      return null;
    }

    private IpAddress address(BigInteger value) {
      byte[] bytes = new byte[first.bits() / 8];
      byte[] digits = value.toByteArray();
      int count = Math.min(digits.length, bytes.length);
      System.arraycopy(digits, digits.length - count, bytes, bytes.length - count, count);
      return IpAddress.of(bytes);
    }

    @Override
    public String toString() {
      return first + "-" + last + "/" + length;
    }
  }

  private record Pool(List<Range> ranges, NetworkConfig config) {}

  private final LeaseFile file;
  private final Map<String, Pool> pools = new LinkedHashMap<>();

  private StaticPools(LeaseFile file) {
    this.file = file;
  }

  /**
   * Reads who has which address.
   *
   * @param file where it is kept; made when the first address is given
   * @return the pools, of which there are none yet
   * @throws IOException if the file is there and cannot be read, is a symbolic link, or is
   *     something else
   */
  public static StaticPools open(Path file) throws IOException {
    LeaseFile leases = new LeaseFile(file);
    leases.read();
    return new StaticPools(leases);
  }

  /**
   * Adds a profile.
   *
   * @param profile its name
   * @param ranges where addresses come from, one from each; ranges of several profiles may overlap
   * @param config what else devices are to be like
   * @return these pools
   * @throws IllegalArgumentException if there is a profile of that name
   */
  public synchronized StaticPools add(String profile, List<Range> ranges, NetworkConfig config) {
    if (pools.putIfAbsent(profile, new Pool(List.copyOf(ranges), config)) != null) {
      throw new IllegalArgumentException("profile " + profile + " is there twice");
    }
    return this;
  }

  @Override
  public synchronized NetworkConfig acquire(ProfileRequest request) throws DriverException {
    Pool pool = pools.get(request.profile());
    if (pool == null) {
      throw new ConfigurationException(
          List.of(
              new ConfigurationProblem(
                  "/profile",
                  "no profile '"
                      + request.profile()
                      + "', only "
                      + String.join(", ", pools.keySet()))));
    }
    try {
      return with(pool, file.change(leases -> acquire(pool, request, leases)));
    } catch (IOException e) {
      throw DriverException.failed("write " + file + ": " + e.getMessage(), e);
    }
  }

  private static List<IpPrefix> acquire(
      Pool pool, ProfileRequest request, List<LeaseFile.Lease> leases) throws DriverException {
    for (LeaseFile.Lease one : leases) {
      if (one.isOf(request)) {
        return one.addresses();
      }
    }
    Set<IpAddress> taken = new HashSet<>();
    leases.forEach(one -> one.addresses().forEach(address -> taken.add(address.address())));
    List<IpPrefix> addresses = new ArrayList<>();
    for (Range range : pool.ranges) {
      IpAddress free = range.free(taken);
      if (free == null) {
        throw DriverException.unavailable(
            "profile " + request.profile() + ": all addresses of " + range + " are in use");
      }
      taken.add(free);
      addresses.add(new IpPrefix(free, range.length()));
    }
    leases.add(
        new LeaseFile.Lease(request.profile(), request.claimUid(), request.device(), addresses));
    return addresses;
  }

  private static NetworkConfig with(Pool pool, List<IpPrefix> addresses) {
    return addresses.isEmpty()
        ? pool.config
        : pool.config.withLink(pool.config.link().withAddresses(addresses));
  }

  @Override
  public synchronized void release(ProfileRequest request) throws DriverException {
    try {
      file.change(leases -> leases.removeIf(one -> one.isOf(request)));
    } catch (IOException e) {
      throw DriverException.failed("write " + file + ": " + e.getMessage(), e);
    }
  }
}
