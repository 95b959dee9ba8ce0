package io.dra4j.rdma.verbs;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What an RDMA device allows, as {@code libibverbs.so.1} reports it: how many queue pairs, memory
 * regions and so on there may be. Neither {@code /sys} nor RDMA netlink reports that.
 *
 * <pre>{@code
 * for (RdmaLimits limits : RdmaLimits.read(System.err::println)) {
 *   System.out.println(limits.device() + " " + limits.get(DeviceField.MAX_QP) + " queue pairs");
 * }
 * }</pre>
 *
 * <p>The library is loaded when it is first asked for, with the user-space drivers of the devices
 * that there are; nothing is loaded on account of this class otherwise. It opens {@code
 * /dev/infiniband/uverbsN}, which needs the right to read and write that file.
 *
 * <p>Of what {@code ibv_devinfo -v} prints, the exported functions do not give {@code
 * device_cap_flags_ex}, the capabilities of paging on demand, segmentation, RSS, pacing and raw
 * work queues ({@code ..._odp_caps}, {@code tso_caps}, {@code max_tso}, {@code rss_caps}, {@code
 * rx_hash_...}, {@code max_rwq_...}, {@code max_wq_type_rq}, {@code packet_pacing_caps}, {@code
 * qp_rate_limit_...}), {@code num_comp_vectors} and {@code port_cap_flags2}.
 *
 * @param device the name of the device, for example {@code mlx5_0}
 * @param firmwareVersion the version of the firmware; empty if the driver reports none
 * @param nodeGuid the GUID of the node as Linux writes it, for example {@code 506b:4b03:00f6:a3c2}
 * @param sysImageGuid the GUID of the system that the device is in, in the same form
 * @param values the numbers of {@code struct ibv_device_attr}
 * @param ports the ports by number; those that could not be asked are left out
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
   * Asks libibverbs about all devices of this host.
   *
   * @param warnings takes sentences about what could not be asked, each naming the device and the
   *     function
   * @return the limits by name of the device; none if the library is not installed, or the kernel
   *     has no RDMA
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
   * Returns one number of the device.
   *
   * @param field which one
   * @return the number; those of 64 bits have no sign ({@link Long#toUnsignedString(long)})
   * @throws IllegalArgumentException if there is no such number, which libibverbs always reports
   */
  public long get(DeviceField field) {
    Long value = values.get(field);
    if (value == null) {
      throw new IllegalArgumentException("no " + field + " of RDMA device " + device);
    }
    return value;
  }
}
