package io.dra4j.rdma.verbs;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The limits of an RDMA device, as {@code libibverbs.so.1} reports them: how many queue pairs,
 * memory regions and so on it supports. Neither {@code /sys} nor RDMA netlink reports them.
 *
 * <pre>{@code
 * for (RdmaLimits limits : RdmaLimits.read(System.err::println)) {
 *   System.out.println(limits.device() + " " + limits.get(DeviceField.MAX_QP) + " queue pairs");
 * }
 * }</pre>
 *
 * <p>The first call of {@link #read} loads the library, together with the user-space drivers of the
 * devices. The library opens {@code /dev/infiniband/uverbsN}, which requires permission to read and
 * write that file.
 *
 * <p>Some of the output of {@code ibv_devinfo -v} is not available from the exported functions:
 * {@code device_cap_flags_ex}, the capabilities of paging on demand, segmentation, RSS, pacing and
 * raw work queues ({@code ..._odp_caps}, {@code tso_caps}, {@code max_tso}, {@code rss_caps},
 * {@code rx_hash_...}, {@code max_rwq_...}, {@code max_wq_type_rq}, {@code packet_pacing_caps},
 * {@code qp_rate_limit_...}), {@code num_comp_vectors} and {@code port_cap_flags2}.
 *
 * @param device the name of the device, for example {@code mlx5_0}
 * @param firmwareVersion the version of the firmware; empty if the driver reports none
 * @param nodeGuid the GUID of the node as Linux writes it, for example {@code 506b:4b03:00f6:a3c2}
 * @param sysImageGuid the GUID of the system that the device is in, in the same form
 * @param values the numbers of {@code struct ibv_device_attr}
 * @param ports the ports by number, without ports that could not be queried
 */
public record RdmaLimits(
    String device,
    String firmwareVersion,
    String nodeGuid,
    String sysImageGuid,
    Map<DeviceField, Long> values,
    List<PortLimits> ports) {

  /** Copies the collections. {@inheritDoc} */
  public RdmaLimits {
    Map<DeviceField, Long> copy = new EnumMap<>(DeviceField.class);
    copy.putAll(values);
    values = Collections.unmodifiableMap(copy);
    ports = List.copyOf(ports);
  }

  /** Loads the library when it is first needed. */
  private static final class Installed {
    static final VerbsLibrary.Loading LIBRARY = VerbsLibrary.load(VerbsLibrary.NAME);
  }

  /**
   * {@return the limits of all devices of this host, sorted by name; empty if the library is not
   * installed, or the kernel does not support RDMA}
   *
   * @param warnings takes a sentence for each failed query, which names the device and the function
   */
  public static List<RdmaLimits> read(Consumer<String> warnings) {
    return read(Installed.LIBRARY, warnings);
  }

  static List<RdmaLimits> read(VerbsLibrary.Loading loading, Consumer<String> warnings) {
    VerbsLibrary library = loading.library();
    if (library == null) {
      if (!loading.failure().isEmpty()) {
        warnings.accept(loading.failure());
      }
      return List.of();
    }
    return library.limits(warnings);
  }

  /**
   * {@return one number; those of 64 bits are unsigned ({@link Long#toUnsignedString(long)})}
   *
   * @param field the field of the number
   * @throws IllegalArgumentException if there is no such number; libibverbs reports all of them
   */
  public long get(DeviceField field) {
    Long value = values.get(field);
    if (value == null) {
      throw new IllegalArgumentException("no " + field + " of RDMA device " + device);
    }
    return value;
  }
}
