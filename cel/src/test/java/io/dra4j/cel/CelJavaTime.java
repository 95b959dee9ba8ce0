package io.dra4j.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.dra4j.cel.internal.library.StandardLibrary;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ResourceSlice;
import io.dra4j.selector.SelectorException;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the runtime of cel-java takes for the selectors and prepared devices of {@code
 * benchmarks/cel}, which starts this. It counts no costs. Prints nanoseconds of processor time and
 * bytes per evaluation, the least of some rounds, as one line of JSON.
 */
public final class CelJavaTime {

  private static final int ROUNDS = 12;
  private static final long ROUND_NANOS = 300_000_000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private CelJavaTime() {}

  /**
   * Measures.
   *
   * @param args the file with selectors and devices
   * @throws IOException if it cannot be read
   * @throws ManifestException if a device is none
   * @throws SelectorException if a selector does not compile
   */
  public static void main(String[] args) throws IOException, ManifestException, SelectorException {
    JsonNode file = JSON.readTree(new File(args[0]));
    CelSelectors selectors =
        new CelSelectors(CelSelectors.builder(), new CelJavaEngine(StandardLibrary.create()));
    List<CelDevice> devices = new ArrayList<>();
    for (JsonNode line : file.path("devices")) {
      ResourceSlice slice = slice(line);
      devices.add(selectors.prepare(slice.driver(), slice.devices().get(0)));
    }
    Map<String, List<String>> work = new LinkedHashMap<>();
    work.put("mixed", texts(file.path("mixed")));
    work.put("missing", List.of(file.path("missing").asText()));
    List<String> general = texts(file.path("general"));
    for (int i = 0; i < general.size(); i++) {
      work.put("general" + i, List.of(general.get(i)));
    }
    List<String> told = new ArrayList<>();
    for (Map.Entry<String, List<String>> part : work.entrySet()) {
      told.add('"' + part.getKey() + "\": " + time(selectors, part.getValue(), devices));
    }
    System.out.println('{' + String.join(", ", told) + '}');
  }

  private static String time(
      CelSelectors selectors, List<String> expressions, List<CelDevice> devices)
      throws SelectorException {
    List<CelSelector> compiled = new ArrayList<>();
    for (String expression : expressions) {
      compiled.add(selectors.compileSelector(expression));
    }
    double least = Double.MAX_VALUE;
    double bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long evaluations = 0;
      long matches = 0;
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      long start = SYSTEM.getProcessCpuTime();
      long taken = 0;
      while (taken < ROUND_NANOS) {
        for (CelSelector selector : compiled) {
          for (CelDevice device : devices) {
            matches += selector.test(device) == CelSelector.Answer.YES ? 1 : 0;
            evaluations++;
          }
        }
        taken = SYSTEM.getProcessCpuTime() - start;
      }
      if (matches > evaluations) {
        throw new IllegalStateException("more matches than evaluations");
      }
      if ((double) taken / evaluations < least) {
        least = (double) taken / evaluations;
        bytes = (double) (THREADS.getCurrentThreadAllocatedBytes() - allocated) / evaluations;
      }
    }
    return String.format(Locale.ROOT, "{\"ns\": %.1f, \"b\": %.0f}", least, bytes);
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static ResourceSlice slice(JsonNode line) throws IOException, ManifestException {
    String text =
        """
        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "s"},
         "spec": {"driver": %s, "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}}}
        """
            .formatted(line.path("driver"));
    JsonNode slice = JSON.readTree(text);
    ObjectNode spec = (ObjectNode) slice.path("spec");
    ObjectNode device = line.path("device").deepCopy();
    spec.putArray("devices").add(device.put("name", "device"));
    return (ResourceSlice)
        ManifestReader.builder()
            .build()
            .read("devices", new ByteArrayInputStream(JSON.writeValueAsBytes(slice)))
            .get(0)
            .object();
  }
}
