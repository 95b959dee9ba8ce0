package io.dra4j.benchmarks;

import io.dra4j.cel.CelSelectors;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.Manifests;
import io.dra4j.manifest.validation.ManifestValidator;
import io.dra4j.model.ClusterSnapshot;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.events.Event;

/**
 * How long it takes to read clusters as {@code kubectl get -o json} and {@code -o yaml} print them.
 */
public final class ReadingTime {

  private ReadingTime() {}

  /**
   * Does one of four things.
   *
   * @param args {@code make FILE SLICES DEVICES} writes a cluster, as JSON or YAML as the name
   *     says; {@code read FILE} reads it once and prints what there is; {@code warm FILE} reads and
   *     validates it several times and prints the shortest times in milliseconds; {@code events
   *     FILE} does the same with the bare events of SnakeYAML beside reading
   * @throws Exception if a file cannot be read or written
   */
  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[1]);
    switch (args[0]) {
      case "make" -> make(file, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      case "read" -> {
        ClusterSnapshot cluster = Manifests.readSnapshot(file);
        System.out.println(cluster.resourceSlices().size());
      }
      case "warm" -> {
        double read = shortest(() -> read(file));
        double validated = shortest(() -> validate(file));
        print("{\"read\": %.0f, \"validate\": %.0f}", read, validated);
      }
      case "events" -> {
        double events = shortest(() -> events(file));
        double read = shortest(() -> read(file));
        print("{\"events\": %.0f, \"read\": %.0f}", events, read);
      }
      default ->
          throw new IllegalArgumentException("expected make, read, warm or events: " + args[0]);
    }
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  /** The shortest of seven times, of which the first warm up. */
  private static double shortest(Callable<Integer> work) throws Exception {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 7; i++) {
      long begin = System.nanoTime();
      if (work.call() <= 0) {
        throw new IllegalStateException("nothing was read");
      }
      best = Math.min(best, System.nanoTime() - begin);
    }
    return best / 1e6;
  }

  private static int read(Path file) throws ManifestException {
    return Manifests.readSnapshot(file).resourceSlices().size();
  }

  private static int validate(Path file) {
    var report = ManifestValidator.builder(CelSelectors.create()).build().validate(file);
    if (!report.isValid()) {
      throw new IllegalStateException("invalid: " + report.problems().get(0));
    }
    return report.objects();
  }

  private static int events(Path file) throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE);
    int count = 0;
    try (BufferedReader text = Files.newBufferedReader(file)) {
      Iterator<Event> events = new Yaml(options).parse(text).iterator();
      while (events.hasNext()) {
        events.next();
        count++;
      }
    }
    return count;
  }

  private static void make(Path file, int slices, int devices) throws IOException {
    boolean json = file.toString().endsWith(".json");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(
          json
              ? "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        "
              : "apiVersion: v1\nitems:\n");
      for (int i = 0; i < slices; i++) {
        for (Map<String, Object> object : List.of(node(i), slice(i, devices))) {
          if (json) {
            out.write("Node".equals(object.get("kind")) && i == 0 ? "" : ",\n        ");
            json(out, object, 2);
          } else {
            out.write("- ");
            yaml(out, object, 1);
          }
        }
      }
      out.write(json ? "\n    ],\n    \"kind\": \"List\"\n}\n" : "kind: List\n");
    }
  }

  private static Map<String, Object> node(int number) {
    return map(
        "apiVersion", "v1",
        "kind", "Node",
        "metadata",
            map(
                "creationTimestamp",
                "2026-01-31T12:00:00Z",
                "labels",
                map("kubernetes.io/hostname", "server-" + number, "zone", "z" + number % 8),
                "name",
                "server-" + number,
                "uid",
                uid(number, 0)));
  }

  private static Map<String, Object> slice(int number, int devices) {
    Object[] all = new Object[devices];
    for (int i = 0; i < devices; i++) {
      all[i] =
          map(
              "attributes",
                  map(
                      "architecture", map("string", "Hopper"),
                      "brand", map("string", "Nvidia"),
                      "cudaComputeCapability", map("version", "9.0.0"),
                      "cudaDriverVersion", map("version", "12.8.0"),
                      "driverVersion", map("version", "570.86.15"),
                      "minor", map("int", i),
                      "productName", map("string", "NVIDIA H100 80GB HBM3"),
                      "resource.kubernetes.io/pciBusID",
                          map("string", String.format(Locale.ROOT, "0000:%02x:00.0", 16 + i)),
                      "resource.kubernetes.io/pcieRoot", map("string", "pci0000:" + (10 + i / 4)),
                      "type", map("string", "gpu"),
                      "uuid", map("string", "GPU-" + uid(number, i))),
              "capacity", map("memory", map("value", "81559Mi")),
              "name", "gpu-" + i);
    }
    return map(
        "apiVersion",
        "resource.k8s.io/v1",
        "kind",
        "ResourceSlice",
        "metadata",
        map(
            "creationTimestamp",
            "2026-01-31T12:00:00Z",
            "generation",
            1,
            "name",
            "server-" + number + "-gpu.nvidia.com-x",
            "ownerReferences",
            List.of(
                map(
                    "apiVersion",
                    "v1",
                    "controller",
                    true,
                    "kind",
                    "Node",
                    "name",
                    "server-" + number,
                    "uid",
                    uid(number, 0))),
            "resourceVersion",
            String.valueOf(1_000 + number),
            "uid",
            uid(number, 1)),
        "spec",
        map(
            "devices",
            List.of(all),
            "driver",
            "gpu.nvidia.com",
            "nodeName",
            "server-" + number,
            "pool",
            map("generation", 1, "name", "server-" + number, "resourceSliceCount", 1)));
  }

  private static String uid(int number, int part) {
    return String.format(Locale.ROOT, "%08x-0000-4000-8000-%012x", number, part);
  }

  private static Map<String, Object> map(Object... entries) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < entries.length; i += 2) {
      map.put(entries[i].toString(), entries[i + 1]);
    }
    return map;
  }

  private static void json(BufferedWriter out, Object value, int depth) throws IOException {
    String indent = "\n" + "    ".repeat(depth + 1);
    String separator = "";
    if (value instanceof Map<?, ?> map) {
      out.write('{');
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.write(separator + indent + '"' + entry.getKey() + "\": ");
        json(out, entry.getValue(), depth + 1);
        separator = ",";
      }
      out.write("\n" + "    ".repeat(depth) + "}");
    } else if (value instanceof List<?> list) {
      out.write('[');
      for (Object element : list) {
        out.write(separator + indent);
        json(out, element, depth + 1);
        separator = ",";
      }
      out.write("\n" + "    ".repeat(depth) + "]");
    } else {
      out.write(value instanceof String ? "\"" + value + '"' : value.toString());
    }
  }

  /** Goes on in a line that is indented so far; kubectl does not indent lists. */
  private static void yaml(BufferedWriter out, Object value, int depth) throws IOException {
    String indent = "  ".repeat(depth);
    if (value instanceof Map<?, ?> map) {
      boolean first = true;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.write((first ? "" : indent) + entry.getKey() + ":");
        first = false;
        if (entry.getValue() instanceof Map<?, ?>) {
          out.write("\n" + indent + "  ");
          yaml(out, entry.getValue(), depth + 1);
        } else if (entry.getValue() instanceof List<?> list) {
          out.write("\n");
          for (Object element : list) {
            out.write(indent + "- ");
            yaml(out, element, depth + 1);
          }
        } else {
          out.write(" ");
          yaml(out, entry.getValue(), depth);
        }
      }
    } else {
      boolean quoted = value instanceof String text && !Character.isLetter(text.charAt(0));
      out.write((quoted ? "\"" + value + '"' : value.toString()) + "\n");
    }
  }
}
