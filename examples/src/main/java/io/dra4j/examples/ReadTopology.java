package io.dra4j.examples;

import io.dra4j.spi.Host;
import io.dra4j.sysfs.SysfsReader;
import io.dra4j.sysfs.overlay.NcclXml;
import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathType;
import io.dra4j.topology.TopologyDevice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Finds the GPUs and NICs of a host that share a PCIe switch. */
public final class ReadTopology {

  private ReadTopology() {}

  /**
   * Finds devices that share a switch, with a recorded file for a host that hides its switches.
   *
   * @param host this machine ({@link Host#live()}) or a captured one
   * @param overlay a topology file of NCCL
   * @return the groups
   * @throws IOException if the overlay cannot be read
   * @throws OverlayException if it is not a topology file
   */
  public static List<List<TopologyDevice>> onOneSwitch(Host host, Path overlay)
      throws IOException, OverlayException {
    // README: begin
    HostTopology topology =
        SysfsReader.read(host)
            .topology()
            .overlay(NcclXml.read(overlay, System.err::println))
            .build();
    return topology.groups(PathType.SWITCH);
    // README: end
  }
}
