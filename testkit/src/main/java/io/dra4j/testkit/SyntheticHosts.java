package io.dra4j.testkit;

import java.util.List;

/**
 * Servers for which no captured {@code /sys} is available. The addresses, roots and NUMA nodes of
 * accelerators and NICs are taken from published output of drivers and tools on these machines;
 * bridges, processors and names are invented to fit.
 */
public final class SyntheticHosts {

  private static final int NVIDIA = 0x10de;
  private static final int MELLANOX = 0x15b3;
  private static final int AMAZON = 0x1d0f;
  private static final int PLX = 0x10b5;

  private static final int ETHERNET_CLASS = 0x020000;
  private static final int INFINIBAND_CLASS = 0x020700;
  private static final int ACCELERATOR_CLASS = 0x030200;
  private static final int NVME_CLASS = 0x010802;

  private static final String GEN3 = "8.0 GT/s PCIe";
  private static final String GEN4 = "16.0 GT/s PCIe";
  private static final String GEN5 = "32.0 GT/s PCIe";
  private static final String GEN6 = "64.0 GT/s PCIe";
  private static final String HDR = "200 Gb/sec (4X HDR)";
  private static final String NDR = "400 Gb/sec (4X NDR)";
  private static final String XDR = "800 Gb/sec (4X XDR)";

  private SyntheticHosts() {}

  /** {@return all servers, one of each} */
  public static List<CapturedHost> all() {
    return List.of(a4(), dgx16(), gb200(), gb300(), manyFunctions(), ndH100v5(), p4d(), vmd());
  }

  /**
   * {@return the host {@code a4}, Google A4: 8 B200 and 8 RDMA NICs on 4 roots, two of each NUMA
   * node; each root has one switch with 2 GPUs and 2 NICs}
   */
  public static CapturedHost a4() {
    SyntheticHost host = twoSockets("a4", "0-55,112-167", "56-111,168-223");
    int[] roots = {0x8a, 0x91, 0xbf, 0xc6};
    for (int root = 0; root < roots.length; root++) {
      int bus = roots[root];
      SyntheticBus fabric =
          host.root("pci0000:%02x".formatted(bus), root / 2).bridge(address(bus, 0));
      for (int port = 0; port < 2; port++) {
        int number = 2 * root + port;
        fabric
            .bridge(address(bus + 1, port))
            .function(address(bus + 2 + port, 0), ETHERNET_CLASS, MELLANOX, 0x1021)
            .driver("mlx5_core")
            .link(GEN5, 16)
            .ethernet("gpu%drdma0".formatted(number), 400_000)
            .rdma("mlx5_" + number, "Ethernet", NDR);
      }
      for (int port = 0; port < 2; port++) {
        fabric
            .bridge(address(bus + 1, 2 + port))
            .function(address(bus + 5 + port, 0), ACCELERATOR_CLASS, NVIDIA, 0x2901)
            .driver("nvidia")
            .link(GEN5, 16);
      }
    }
    return host.build();
  }

  /**
   * {@return the host {@code p4d}, Amazon p4d.24xlarge: 8 A100, 4 EFA and 3 ENA on 4 roots} All
   * devices of a root are on its bus: 2 GPUs and 1 EFA meet in the host bridge.
   */
  public static CapturedHost p4d() {
    SyntheticHost host = twoSockets("p4d", "0-23,48-71", "24-47,72-95");
    int[] buses = {0x10, 0x20, 0x90, 0xa0};
    String[] interfaces = {"", "ens65", "ens129", "ens161"};
    for (int root = 0; root < buses.length; root++) {
      int bus = buses[root];
      SyntheticBus place = host.root("pci0000:%02x".formatted(bus), root / 2);
      if (root > 0) {
        place
            .function(address(bus, 0x01), ETHERNET_CLASS, AMAZON, 0xec20)
            .driver("ena")
            .ethernet(interfaces[root], 100_000);
      }
      place
          .function(address(bus, 0x1b), ETHERNET_CLASS, AMAZON, 0xefa0)
          .driver("efa")
          .rdma("rdmap%ds27".formatted(bus), "Unspecified", "100 Gb/sec (4X EDR)");
      for (int gpu = 0; gpu < 2; gpu++) {
        place
            .function(address(bus, 0x1c + gpu), ACCELERATOR_CLASS, NVIDIA, 0x20b0)
            .driver("nvidia")
            .link(GEN4, 16);
      }
    }
    return host.build();
  }

  /**
   * {@return the host {@code nd-h100-v5}, Azure ND H100 v5: 8 H100 and 8 InfiniBand virtual
   * functions, each in its own PCI domain on the VMBus, so the tree only shows the NUMA node; and
   * an Ethernet interface that is not a PCI device}
   */
  public static CapturedHost ndH100v5() {
    SyntheticHost host = twoSockets("nd-h100-v5", "0-47", "48-95");
    int[] domains = {0x0001, 0x0002, 0x0003, 0x0008, 0x0009, 0x000a, 0x000b, 0x000c};
    for (int number = 0; number < domains.length; number++) {
      virtualBus(host, domains[number], number / 4)
          .function("%04x:00:00.0".formatted(domains[number]), ACCELERATOR_CLASS, NVIDIA, 0x2330)
          .driver("nvidia")
          .link(GEN5, 16);
      virtualBus(host, 0x0101 + number, number / 4)
          .function("%04x:00:00.0".formatted(0x0101 + number), INFINIBAND_CLASS, MELLANOX, 0x101e)
          .driver("mlx5_core")
          .link(GEN5, 16)
          .ipOverInfiniBand("ib" + number)
          .rdma("mlx5_" + number, "InfiniBand", NDR);
    }
    host.networkInterface(virtualDevice(0x0f00), "eth0", 80_000);
    return host.build();
  }

  /**
   * {@return the host {@code gb300}, Azure ND GB300 v6 (arm64): 4 GB300, each on its own root, and
   * 4 InfiniBand virtual functions on the VMBus} The two processors with memory are NUMA nodes 0
   * and 1, the GPUs' memory is 2 to 5.
   */
  public static CapturedHost gb300() {
    SyntheticHost host = grace("gb300", 64, 0x31c2);
    for (int number = 0; number < 4; number++) {
      virtualBus(host, 0x0101 + number, number / 2)
          .function("%04x:00:00.0".formatted(0x0101 + number), INFINIBAND_CLASS, MELLANOX, 0x101e)
          .driver("mlx5_core")
          .subsystem(MELLANOX, 0x0240)
          .link(GEN6, 16)
          .rdma("mlx5_" + number, "InfiniBand", XDR);
    }
    return host.build();
  }

  /**
   * {@return the host {@code gb200}, OCI BM.GPU.GB200 (arm64): 4 GB200 and 4 cards of 2 ConnectX-8
   * ports, each on its own root}
   */
  public static CapturedHost gb200() {
    SyntheticHost host = grace("gb200", 72, 0x2941);
    int[] domains = {0x0000, 0x0002, 0x0010, 0x0012};
    for (int card = 0; card < domains.length; card++) {
      int domain = domains[card];
      SyntheticBus slot =
          host.root("pci%04x:00".formatted(domain), card / 2)
              .bridge("%04x:00:00.0".formatted(domain))
              .bridge("%04x:01:00.0".formatted(domain))
              .bridge("%04x:02:00.0".formatted(domain));
      for (int port = 0; port < 2; port++) {
        slot.function("%04x:03:00.%d".formatted(domain, port), ETHERNET_CLASS, MELLANOX, 0x1023)
            .driver("mlx5_core")
            .link(GEN6, 16)
            .ethernet("rdma" + (2 * card + port), 400_000)
            .rdma("mlx5_" + (2 * card + port), "Ethernet", NDR);
      }
    }
    return host.build();
  }

  /**
   * {@return the host {@code dgx16}, a server like DGX-2: 16 V100 and 8 InfiniBand NICs on 4 roots;
   * below each root a switch with two more switches, each of which has 2 GPUs and 1 NIC}
   */
  public static CapturedHost dgx16() {
    SyntheticHost host = twoSockets("dgx16", "0-23,48-71", "24-47,72-95");
    int[] buses = {0x2b, 0x4e, 0xae, 0xd7};
    int nic = 0;
    for (int root = 0; root < buses.length; root++) {
      int bus = buses[root];
      SyntheticBus port =
          host.root("pci0000:%02x".formatted(bus), root / 2).bridge(address(bus, 0));
      SyntheticBus upper = switchPort(port, bus + 1, 0);
      for (int half = 0; half < 2; half++) {
        int below = bus + 3 + half * 5;
        SyntheticBus lower = switchPort(switchPort(upper, bus + 2, 4 + 8 * half), below, 0);
        switchPort(lower, below + 1, 0x08)
            .function(address(below + 3, 0), INFINIBAND_CLASS, MELLANOX, 0x101b)
            .driver("mlx5_core")
            .link(GEN3, 16)
            .ipOverInfiniBand("ib" + nic)
            .rdma("mlx5_" + nic, "InfiniBand", HDR);
        nic++;
        for (int gpu = 0; gpu < 2; gpu++) {
          switchPort(lower, below + 1, 0x10 * gpu)
              .function(address(below + 2 + 2 * gpu, 0), ACCELERATOR_CLASS, NVIDIA, 0x1db8)
              .driver("nvidia")
              .link(GEN3, 16);
        }
      }
    }
    return host.build();
  }

  /**
   * {@return the host {@code vmd}, a workstation with NVMe drives hidden behind Intel's Volume
   * Management Device: their root is below a function of another root, in a domain of five digits}
   */
  public static CapturedHost vmd() {
    SyntheticHost host = new SyntheticHost("vmd").numaNode(0, "0-15", 10).socket(0, "0-15");
    SyntheticBus root = host.root("pci0000:00", -1);
    root.function("0000:00:02.0", 0x030000, 0x8086, 0x46a6).driver("i915").drm(0);
    root.function("0000:00:1f.6", ETHERNET_CLASS, 0x8086, 0x1a1e)
        .driver("e1000e")
        .ethernet("eno1", 1_000);
    SyntheticBus hidden =
        root.function("0000:00:0e.0", 0x010400, 0x8086, 0x467f)
            .driver("vmd")
            .rootBehind("pci10000:e0");
    for (int drive = 0; drive < 2; drive++) {
      hidden
          .bridge("10000:e0:%02x.0".formatted(6 + drive))
          .function("10000:e%d:00.0".formatted(1 + drive), NVME_CLASS, 0x144d, 0xa80a)
          .link(GEN4, 4)
          .nvme(drive);
    }
    return host.build();
  }

  /**
   * {@return the host {@code many-functions}, SR-IOV as on a server: 2 NICs of 2 ports, 8 virtual
   * functions on each, in IOMMU groups; a software RDMA device and interfaces without a device}
   */
  public static CapturedHost manyFunctions() {
    SyntheticHost host = twoSockets("many-functions", "0-15", "16-31");
    int group = 0;
    for (int card = 0; card < 2; card++) {
      int bus = 0x17 + card * 0x80;
      SyntheticBus slot =
          host.root("pci0000:%02x".formatted(bus - 1), card).bridge(address(bus - 1, 2));
      for (int port = 0; port < 2; port++) {
        SyntheticFunction physical =
            slot.function("0000:%02x:00.%d".formatted(bus, port), ETHERNET_CLASS, MELLANOX, 0x101d)
                .driver("mlx5_core")
                .iommuGroup(group++)
                .link(GEN4, 16)
                .ethernet("ens%df%dnp%d".formatted(card, port, port), 100_000)
                .rdma("mlx5_" + (2 * card + port), "Ethernet", "100 Gb/sec (4X EDR)");
        for (int number = 0; number < 8; number++) {
          int routing = 2 + port * 8 + number; // the functions of a card are numbered consecutively
          physical
              .virtualFunction("0000:%02x:%02x.%d".formatted(bus, routing / 8, routing % 8), 0x101e)
              .driver("mlx5_core")
              .iommuGroup(group++)
              .ethernet("ens%df%dv%d".formatted(card, port, number), 100_000);
        }
      }
    }
    host.networkInterface("virtual", "br0", 100_000);
    host.softwareRdma("rxe0", "br0");
    return host.build();
  }

  private static SyntheticHost twoSockets(String name, String first, String second) {
    return new SyntheticHost(name)
        .numaNode(0, first, 10, 21)
        .numaNode(1, second, 21, 10)
        .socket(0, first)
        .socket(1, second);
  }

  /** {@return two Grace processors and 4 coherent GPUs: their memory is NUMA nodes without CPUs} */
  private static SyntheticHost grace(String name, int cores, int gpu) {
    String first = "0-" + (cores - 1);
    String second = cores + "-" + (2 * cores - 1);
    SyntheticHost host =
        new SyntheticHost(name)
            .numaNode(0, first, 10, 40, 80, 80, 120, 120)
            .numaNode(1, second, 40, 10, 120, 120, 80, 80)
            .numaNode(2, "", 80, 120, 10, 160, 160, 160)
            .numaNode(3, "", 80, 120, 160, 10, 160, 160)
            .numaNode(4, "", 120, 80, 160, 160, 10, 160)
            .numaNode(5, "", 120, 80, 160, 160, 160, 10)
            .socket(0, first)
            .socket(1, second);
    int[] domains = {0x0008, 0x0009, 0x0018, 0x0019};
    for (int number = 0; number < domains.length; number++) {
      int domain = domains[number];
      host.root("pci%04x:00".formatted(domain), number / 2)
          .bridge("%04x:00:00.0".formatted(domain))
          .bridge("%04x:01:00.0".formatted(domain))
          .bridge("%04x:02:00.0".formatted(domain))
          .function("%04x:06:00.0".formatted(domain), ACCELERATOR_CLASS, NVIDIA, gpu)
          .driver("nvidia")
          .link(GEN6, 16);
    }
    return host;
  }

  /** Adds a port of a PCIe switch of the third generation. */
  private static SyntheticBus switchPort(SyntheticBus place, int bus, int device) {
    return place
        .function(address(bus, device), 0x060400, PLX, 0x9797)
        .driver("pcieport")
        .link(GEN3, 16)
        .busBehind();
  }

  /** Adds a virtual PCI bus with one domain, as Hyper-V creates for each device passed through. */
  private static SyntheticBus virtualBus(SyntheticHost host, int domain, int numaNode) {
    return host.root("%s/pci%04x:00".formatted(virtualDevice(domain), domain), numaNode);
  }

  private static String virtualDevice(int number) {
    return "LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00/00000000-0000-0000-0000-%012x"
        .formatted(number);
  }

  private static String address(int bus, int device) {
    return "0000:%02x:%02x.0".formatted(bus, device);
  }
}
