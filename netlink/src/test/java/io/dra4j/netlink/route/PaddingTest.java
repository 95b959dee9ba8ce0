package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.HandWritten;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Kernels of machines that read no 64-bit number across 8 bytes put an empty attribute before it.
 */
class PaddingTest {

  @Test
  void neighbourTablesAreReadAroundTheirPadding() throws Exception {
    Map<Integer, Map<String, Long>> all = new HashMap<>();

    NeighbourCodec.Parameters.read(
        HandWritten.attributes(
            "0e000100 6172705f 63616368 65000000" // NDTA_NAME arp_cache
                + "04000900" // NDTA_PAD
                + "0c000800 e8030000 00000000" // NDTA_GC_INTERVAL
                + "48000600" // NDTA_PARMS
                + "08000100 02000000" // NDTPA_IFINDEX 2
                + "04001200 0c000300 10270000 00000000" // NDTPA_PAD, NDTPA_REACHABLE_TIME
                + "04001200 0c000400 30750000 00000000" // NDTPA_PAD, NDTPA_BASE_REACHABLE_TIME
                + "08000900 03000000" // NDTPA_APP_PROBES
                + "04001200 0c001300 88130000 00000000" // NDTPA_PAD, NDTPA_INTERVAL_PROBE_TIME_MS
                + "04001200"),
        link -> all.computeIfAbsent(link, one -> new TreeMap<>()));

    assertThat(all)
        .isEqualTo(
            Map.of(
                2,
                Map.of(
                    "ipv4/neigh/base_reachable_time_ms", 30_000L,
                    "ipv4/neigh/app_solicit", 3L,
                    "ipv4/neigh/interval_probe_time_ms", 5_000L)));
  }
}
