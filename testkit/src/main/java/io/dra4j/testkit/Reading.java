package io.dra4j.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * What another program said about a captured host, on the machine itself and at the same moment:
 * the expected values of a test that reads the record.
 */
public enum Reading {
  /**
   * hwloc's {@code lstopo --of xml}: NUMA nodes, bridges, PCI functions and their operating-system
   * devices.
   */
  LSTOPO_XML("lstopo.xml"),
  /** iproute2's {@code ip -d -j link}: an array of network interfaces. */
  LINK_JSON("link.json"),
  /**
   * iproute2's {@code rdma -d -j dev} and {@code link} as {@code dev} and {@code link}, {@code rdma
   * system} as {@code system}.
   */
  RDMA_JSON("rdma.json"),
  /**
   * pciutils' {@code lspci -tvnn} (a tree), an empty line, and {@code lspci -Dnn} (one function per
   * line).
   */
  LSPCI_TXT("lspci.txt");

  private final String suffix;

  Reading(String suffix) {
    this.suffix = suffix;
  }

  /**
   * The program's output.
   *
   * @param name a built-in host ({@link CapturedHost#names})
   * @return the text as it was printed
   * @throws IllegalArgumentException if there is no host of that name
   */
  public String of(String name) {
    try (InputStream in = CapturedHost.resource(name, suffix)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
