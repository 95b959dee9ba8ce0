package io.dra4j.dranet.config;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The VRF (virtual routing and forwarding domain) that an interface belongs to in the pod.
 *
 * @param name the name of the VRF device, which the driver creates if the pod does not have it
 * @param table the number of its routing table, 1 to 4294967295 but not 253, 254 or 255; null for
 *     the table that {@link #tableOf} derives from the name
 */
public record VrfConfig(String name, @Nullable Long table) {

  /**
   * {@return the table, 1000 to 1999, that all links of a VRF without an explicit table use: 1000
   * plus the 32-bit FNV-1a hash of the name in UTF-8, modulo 1000}
   *
   * @param name the name of the VRF
   */
  public static long tableOf(String name) {
    int hash = 0x811c9dc5;
    for (byte one : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (one & 0xff)) * 0x01000193;
    }
    return 1000 + Integer.toUnsignedLong(hash) % 1000;
  }

  /** {@return the table of the VRF: the explicit one, or else the one derived from the name} */
  public long effectiveTable() {
    return table == null ? tableOf(name) : table;
  }
}
