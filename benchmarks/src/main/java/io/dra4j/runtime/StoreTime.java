package io.dra4j.runtime;

import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Step;
import io.dra4j.spi.publish.AttributeBuilder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Measures writes to a store, each of a claim with a step of 2 KiB. Prints one line of JSON. */
public final class StoreTime {

  private StoreTime() {}

  /**
   * Runs the measurement.
   *
   * @param args how many writes, and the file
   * @throws StoreException if the store cannot be written
   */
  public static void main(String[] args) throws StoreException {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected WRITES FILE");
    }
    int writes = Integer.parseInt(args[0]);
    List<Step> steps = List.of(new Step("move nic0 into the pod", "x".repeat(2_048)));
    ClaimedDevice device =
        new ClaimedDevice(
            DeviceRequestAllocationResult.of("nic", new DeviceId("dra.net", "node", "nic0"))
                .build(),
            AttributeBuilder.forDriver("dra.net").text("ifName", "nic0").build("nic0"),
            0,
            List.of());
    long[] nanos = new long[writes];
    try (ClaimStore store = ClaimStore.open(Path.of(args[1]))) {
      for (int i = -writes; i < writes; i++) { // as many again to warm up
        PreparedClaim claim =
            new PreparedClaim(
                new ClaimedDevices(
                    new ClaimReference("default", "rail", "uid-" + i), List.of(), List.of(device)),
                Prepared.NOTHING);
        long from = System.nanoTime();
        store.putClaim("dra.net", ClaimState.DONE, claim, steps);
        nanos[Math.floorMod(i, writes)] = System.nanoTime() - from;
      }
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "{\"writes\":%d,\"p50Nanos\":%d,\"p99Nanos\":%d}%n",
        writes,
        nanos[writes / 2],
        nanos[writes * 99 / 100]);
  }
}
