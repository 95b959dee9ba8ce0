package io.dra4j.sysfs;

import io.dra4j.sysfs.text.KernelText;
import io.dra4j.topology.CpuModel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads the first processor of {@code /proc/cpuinfo}; the others are not needed. */
final class ProcessorFile {

  private static final String PATH = "proc/cpuinfo";

  private ProcessorFile() {}

  static Optional<CpuModel> read(SysfsTree tree) {
    return tree.text(PATH).flatMap(ProcessorFile::parse);
  }

  /** {@return the model, with architecture and vendor as in NCCL's {@code src/graph/topo.cc}} */
  static Optional<CpuModel> parse(String text) {
    Map<String, String> fields = new HashMap<>();
    for (String line : text.split("\n", 200)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        fields.putIfAbsent(line.substring(0, colon).trim(), line.substring(colon + 1).trim());
      }
    }
    String vendor = fields.getOrDefault("vendor_id", "");
    if (!vendor.isEmpty()) {
      int family = KernelText.decimal(fields.getOrDefault("cpu family", ""), 0xffff).orElse(0);
      int model = KernelText.decimal(fields.getOrDefault("model", ""), 0xffff).orElse(0);
      return Optional.of(new CpuModel("x86_64", vendor, family, model));
    }
    if (fields.containsKey("CPU implementer")) {
      return Optional.of(new CpuModel("arm64", "", 0, 0));
    }
    if (fields.getOrDefault("cpu", "").startsWith("POWER")) {
      return Optional.of(new CpuModel("ppc64", "", 0, 0));
    }
    return Optional.empty();
  }
}
