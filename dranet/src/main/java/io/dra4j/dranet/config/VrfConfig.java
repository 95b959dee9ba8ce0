package io.dra4j.dranet.config;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The VRF (virtual routing and forwarding domain) that an interface belongs to in the pod.
 *
 * @param name the name of the VRF device, made if the pod has none
 * @param table the number of its routing table, 1 to 4294967295 but not 253, 254 or 255; null for
 *     {@link #tableOf} the name
 */
public record VrfConfig(String name, @Nullable Long table) {

  /**
   * Works out the table of a VRF of which only the name is given, so that all links of one VRF
   * agree on it: 1000 and the FNV-1a hash of 32 bits of the name's UTF-8 bytes modulo 1000.
   *
   * @param name the name of the VRF
   * @return a number from 1000 to 1999
   */
  public static long tableOf(String name) {
    int hash = 0x811c9dc5;
    for (byte one : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (one & 0xff)) * 0x01000193;
    }
    return 1000 + Integer.toUnsignedLong(hash) % 1000;
  }

  /**
   * Returns the table that the VRF has.
   *
   * @return the table that is given, else that of the name
   */
  public long effectiveTable() {
    return table == null ? tableOf(name) : table;
  }
}
