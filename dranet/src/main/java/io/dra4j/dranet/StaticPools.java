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
 * Profiles with address ranges. Each device gets the lowest free address of each range of its
 * profile, and the other settings of the profile. The addresses in use are stored in a file, so
 * that they outlive the process. Several processes may use the file, such as the old and the new
 * process of an update. Each change reads the file under a lock ({@code leases.json.lock} in the
 * same directory), and is on disk when the call returns. Only their owner can read the files (mode
 * 0600). Symbolic links in their place are refused. Thread-safe.
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
   * A range of addresses of one network.
   *
   * @param first the first address
   * @param last the last address, of the same family and not before the first
   * @param length the length of the network in bits
   */
  public record Range(IpAddress first, IpAddress last, int length) {

    /**
     * Checks the range. {@inheritDoc}
     *
     * @throws IllegalArgumentException if the addresses are of different families or in the wrong
     *     order, or the length is not valid for their family
     */
    public Range {
      if (first.isV6() != last.isV6() || first.compareTo(last) > 0) {
        throw new IllegalArgumentException(
            first + "-" + last + ": expected two addresses of one family, the lower one first");
      }
      if (length < 1 || length > first.bits()) {
        throw new IllegalArgumentException(
            first + "-" + last + "/" + length + ": expected a length from 1 to " + first.bits());
      }
    }

    /**
     * {@return the range in a text}
     *
     * @param text for example {@code 10.0.0.10-10.0.0.99/24}
     * @throws IllegalArgumentException if the text is not a valid range
     */
    public static Range parse(String text) {
      int dash = text.indexOf('-');
      IpPrefix end = dash < 0 ? null : IpPrefix.parse(text.substring(dash + 1));
      if (end == null) {
        throw new IllegalArgumentException(
            "'"
                + text
                + "' is not a range: expected FIRST-LAST/LENGTH, such as 10.0.0.10-10.0.0.99/24");
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
   * Opens the file of the addresses in use.
   *
   * @param file the file, which is created with the first address in use
   * @return the pools, without profiles yet
   * @throws IOException if an existing file is unreadable, a symbolic link, or not a file of leases
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
   * @param ranges a device gets one address from each; ranges of several profiles may overlap
   * @param config the other settings of devices
   * @return these pools
   * @throws IllegalArgumentException if there is a profile of that name
   */
  public synchronized StaticPools add(String profile, List<Range> ranges, NetworkConfig config) {
    if (pools.putIfAbsent(profile, new Pool(List.copyOf(ranges), config)) != null) {
      throw new IllegalArgumentException("profile " + profile + " exists already");
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
                  "profile '"
                      + request.profile()
                      + "' does not exist; profiles: "
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
