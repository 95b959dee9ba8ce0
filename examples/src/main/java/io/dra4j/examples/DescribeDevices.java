package io.dra4j.examples;

import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import java.util.List;

/** Builds a slice by hand, and its next generation. */
public final class DescribeDevices {

  private DescribeDevices() {}

  /**
   * Builds the slice, and its next generation.
   *
   * @return the next generation
   */
  public static ResourceSlice slice() {
    // README: begin
    Device gpu =
        Device.named("gpu-0")
            .attribute("model", "a100")
            .attribute(StandardAttributes.PCIE_ROOT, "pci0000:8c")
            .capacity("memory", "80Gi")
            .build();
    ResourceSlice first =
        ResourceSlice.onNode("node-1-gpus", "gpu.example.com", "node-1", List.of(gpu));
    ResourceSlice next = first.toBuilder().pool("node-1", 2, 1).build();
    // README: end
    return next;
  }
}
