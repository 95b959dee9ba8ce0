package io.dra4j.examples;

import io.dra4j.testkit.SyntheticHost;
import java.io.IOException;
import java.nio.file.Path;

/** A server with two GPUs of class display and one accelerator. */
final class GpuHost {

  private GpuHost() {}

  static void layOut(Path root) throws IOException {
    SyntheticHost host = new SyntheticHost("gpus");
    host.numaNode(0, "0-7", 10);
    var bus = host.root("pci0000:10", 0);
    bus.function("0000:10:01.0", 0x030000, 0x1002, 0x744c)
        .driver("amdgpu")
        .drm(0)
        .attribute("power/control", "auto");
    bus.function("0000:10:02.0", 0x030000, 0x1002, 0x744c)
        .driver("amdgpu")
        .drm(1)
        .attribute("power/control", "auto");
    bus.function("0000:10:03.0", 0x120000, 0x1da3, 0x1020).attribute("power/control", "auto");
    bus.function("0000:10:04.0", 0x020000, 0x8086, 0x1572).driver("i40e");
    host.build().expandTo(root);
  }
}
