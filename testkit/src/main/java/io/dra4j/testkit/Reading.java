package io.dra4j.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The output of another program about a captured host, on the machine itself and at the same
 * moment: the expected values of a test that reads the record.
 */
public enum Reading {
  /** hwloc's {@code lstopo --of xml}: NUMA nodes, bridges, PCI functions and their OS devices. */
  LSTOPO_XML("lstopo.xml"),
  /** iproute2's {@code ip -d -j link}: an array of network interfaces. */
  LINK_JSON("link.json"),
  /**
   * iproute2's {@code rdma -d -j dev} and {@code link} as {@code dev} and {@code link}, {@code rdma
   * system} as {@code system}.
   */
  RDMA_JSON("rdma.json"),
  /** pciutils' {@code lspci -tvnn} (a tree), an empty line, {@code lspci -Dnn} (functions). */
  LSPCI_TXT("lspci.txt"),
  /** NVIDIA's {@code nvidia-smi topo -m}, with the escapes that it writes for terminals. */
  NVIDIA_SMI_TXT("nvidia-smi.txt"),
  /** NCCL's topology file ({@code NCCL_TOPO_DUMP_FILE}), without the hash of the host. */
  NCCL_XML("nccl.xml"),
  /** NCCL's file after it read {@code dra4j topology -o nccl-xml} as {@code NCCL_TOPO_FILE}. */
  NCCL_GIVEN_OURS_XML("nccl-given-ours.xml");

  private final String suffix;

  Reading(String suffix) {
    this.suffix = suffix;
  }

  /** {@return the names of the built-in hosts on which the program was run, sorted} */
  public List<String> hosts() {
    return CapturedHost.names().stream()
        .filter(name -> CapturedHost.hasResource(name, suffix))
        .toList();
  }

  /**
   * {@return the program's output, as it was printed}
   *
   * @param name one of {@link #hosts}
   * @throws IllegalArgumentException if the host does not exist or the program was not run there
   */
  public String of(String name) {
    try (InputStream in = CapturedHost.resource(name, suffix)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (FileNotFoundException e) {
      throw new IllegalArgumentException(
          "no %s of the host %s; available hosts are %s".formatted(this, name, hosts()), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
