package io.dra4j.benchmarks;

import com.sun.management.ThreadMXBean;
import io.dra4j.cel.CelDevice;
import io.dra4j.cel.CelSelector;
import io.dra4j.cel.CelSelectors;
import io.dra4j.manifest.ManifestException;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.SelectorException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the first evaluation of a selector on 100,000 devices takes: prepared ones, which no
 * selector has been asked about, and ones as they come, of which a view is made and remembered.
 * Beside it the floor: one look-up in each device's own map of attributes. Prints processor time of
 * the thread and bytes per device, the mean of the selectors, each at its best of some rounds, as
 * one line of JSON. Time of the process would include the collection of garbage, but is measured in
 * steps of 10 ms: 100 ns per device.
 */
public final class FirstEvaluations {

  private static final int DEVICES = 100_000;
  private static final int ROUNDS = 6;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** A device with the driver that publishes it. */
  private record Published(String driver, Device device) {}

  private FirstEvaluations() {}

  /**
   * Measures.
   *
   * @param args the file that {@link SelectorsAndDevices} reads
   * @throws IOException if the file cannot be read
   * @throws ManifestException if a device is none
   * @throws SelectorException if a selector does not compile
   */
  public static void main(String[] args) throws IOException, ManifestException, SelectorException {
    SelectorsAndDevices input = SelectorsAndDevices.read(args[0]);
    System.out.printf(
        Locale.ROOT,
        "{\"prepared\": %s, \"new\": %s, \"floor\": %s}%n",
        measure(input, true),
        measure(input, false),
        floor(input));
  }

  private static String measure(SelectorsAndDevices input, boolean prepared)
      throws SelectorException {
    double time = 0;
    double bytes = 0;
    for (String expression : input.mixed()) {
      long best = Long.MAX_VALUE;
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) {
        CelSelectors selectors = CelSelectors.create();
        CelSelector selector = selectors.compileSelector(expression);
        List<Published> devices = newDevices(input.slices());
        List<CelDevice> known = new ArrayList<>();
        for (Published published : prepared ? devices : List.<Published>of()) {
          known.add(selectors.prepare(published.driver(), published.device()));
        }
        System.gc();
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long start = THREADS.getCurrentThreadCpuTime();
        int answers = prepared ? test(selector, known) : ask(selector, devices);
        best = Math.min(best, THREADS.getCurrentThreadCpuTime() - start);
        least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - allocated);
        if (answers < 0) {
          throw new IllegalStateException("fewer than no answers");
        }
      }
      time += (double) best / DEVICES;
      bytes += (double) least / DEVICES;
    }
    int count = input.mixed().size();
    return String.format(Locale.ROOT, "{\"ns\": %.1f, \"b\": %.0f}", time / count, bytes / count);
  }

  private static String floor(SelectorsAndDevices input) {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      List<Published> devices = newDevices(input.slices());
      System.gc();
      long start = THREADS.getCurrentThreadCpuTime();
      int found = 0;
      for (Published published : devices) {
        found += published.device().attributes().get("dra.net/rdma") == null ? 0 : 1;
      }
      best = Math.min(best, THREADS.getCurrentThreadCpuTime() - start);
      if (found != DEVICES) {
        throw new IllegalStateException("a device without attribute");
      }
    }
    return String.format(Locale.ROOT, "{\"ns\": %.1f, \"b\": 0}", (double) best / DEVICES);
  }

  private static int test(CelSelector selector, List<CelDevice> devices) {
    int matches = 0;
    for (CelDevice device : devices) {
      matches += selector.test(device) == CelSelector.Answer.YES ? 1 : 0;
    }
    return matches;
  }

  private static int ask(CelSelector selector, List<Published> devices) {
    int answers = 0;
    for (Published published : devices) {
      try {
        answers += selector.matches(published.driver(), published.device()) ? 2 : 1;
      } catch (SelectorException e) {
        answers++; // is one, too
      }
    }
    return answers;
  }

  private static List<Published> newDevices(List<ResourceSlice> slices) {
    List<Published> devices = new ArrayList<>(DEVICES);
    while (devices.size() < DEVICES) {
      for (ResourceSlice slice : slices) {
        for (Device device : slice.devices()) {
          if (devices.size() < DEVICES) {
            devices.add(new Published(slice.driver(), device.toBuilder().build()));
          }
        }
      }
    }
    return devices;
  }
}
