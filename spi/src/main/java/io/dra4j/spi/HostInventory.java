package io.dra4j.spi;

import io.dra4j.topology.CpuModel;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.HostTopologyBuilder;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The facts about a host that readers found. Immutable and thread-safe. */
public final class HostInventory {

  /** The maximum number of warnings; further warnings are only counted. */
  private static final int MAX_WARNINGS = 1_000;

  private final String name;
  private final List<PciFunction> pciFunctions;
  private final List<NumaNode> numaNodes;
  private final @Nullable CpuModel cpu;
  private final List<Netdev> netdevs;
  private final List<RdmaDevice> rdmaDevices;
  private final List<String> warnings;

  private HostInventory(Builder builder) {
    this.name = builder.name;
    this.pciFunctions = List.copyOf(builder.pciFunctions.values());
    this.numaNodes =
        builder.numaNodes.stream().sorted(Comparator.comparingInt(NumaNode::id)).toList();
    this.cpu = builder.cpu;
    this.netdevs = List.copyOf(builder.netdevs.values());
    this.rdmaDevices = List.copyOf(builder.rdmaDevices.values());
    List<String> all = new ArrayList<>(builder.warnings);
    if (builder.uncounted > 0) {
      all.add("and " + builder.uncounted + " more warnings");
    }
    this.warnings = List.copyOf(all);
  }

  /** {@return an empty builder of an inventory} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the host's name as its kernel reports it; empty if not known} */
  public String name() {
    return name;
  }

  /** {@return all PCI functions by address} */
  public List<PciFunction> pciFunctions() {
    return pciFunctions;
  }

  /** {@return the NUMA nodes by number; empty if the kernel reports none} */
  public List<NumaNode> numaNodes() {
    return numaNodes;
  }

  /** {@return the model of the processors, if known} */
  public Optional<CpuModel> cpu() {
    return Optional.ofNullable(cpu);
  }

  /** {@return the network devices of the namespace that was read, by name} */
  public List<Netdev> netdevs() {
    return netdevs;
  }

  /** {@return the RDMA devices by name} */
  public List<RdmaDevice> rdmaDevices() {
    return rdmaDevices;
  }

  /** {@return warnings about entries that could not be read or understood, each naming a file} */
  public List<String> warnings() {
    return warnings;
  }

  /**
   * {@return a builder of the host's topology with all functions and NUMA nodes, to which overlays
   * can be added} NICs have the rate of the fastest of their network devices and active RDMA ports.
   */
  public HostTopologyBuilder topology() {
    return HostTopology.builder().devices(topologyDevices()).numaNodes(numaNodes).cpu(cpu);
  }

  private List<TopologyDevice> topologyDevices() {
    Map<PciAddress, Long> rates = rates();
    List<TopologyDevice> devices = new ArrayList<>();
    for (PciFunction function : pciFunctions) {
      TopologyDevice device = function.toTopologyDevice();
      Long rate = rates.get(function.address());
      devices.add(rate == null ? device : device.withRates(device.link(), OptionalLong.of(rate)));
    }
    return devices;
  }

  /**
   * {@return the rate of the fastest network device or active RDMA port of each PCI function that
   * has one, in Mbit/s; a port that is down has none}
   */
  public Map<PciAddress, Long> rates() {
    Map<PciAddress, Long> rates = new TreeMap<>();
    for (Netdev netdev : netdevs) {
      PciAddress address = netdev.address();
      if (address != null && !netdev.virtual() && netdev.megabitsPerSecond().isPresent()) {
        rates.merge(address, netdev.megabitsPerSecond().getAsLong(), Math::max);
      }
    }
    for (RdmaDevice device : rdmaDevices) {
      PciAddress address = device.address();
      for (RdmaPort port : device.ports()) {
        long rate = Math.round(port.gigabitsPerSecond().orElse(0) * 1_000);
        if (address != null && device.parent() == null && port.isActive() && rate > 0) {
          rates.merge(address, rate, Math::max);
        }
      }
    }
    return Collections.unmodifiableMap(rates);
  }

  /** Collects the facts that readers find. Not thread-safe. */
  public static final class Builder {

    private final Map<PciAddress, PciFunction> pciFunctions = new TreeMap<>();
    private final List<NumaNode> numaNodes = new ArrayList<>();
    private final Map<String, Netdev> netdevs = new TreeMap<>();
    private final Map<String, RdmaDevice> rdmaDevices = new TreeMap<>();
    private final Set<String> warnings = new LinkedHashSet<>();
    private String name = "";
    private @Nullable CpuModel cpu;
    private int uncounted;

    private Builder() {}

    /**
     * Sets the name of the host.
     *
     * @param hostName the name that its kernel reports
     * @return this builder
     */
    public Builder name(String hostName) {
      this.name = hostName;
      return this;
    }

    /**
     * Adds a PCI function, or replaces the one with its address.
     *
     * @param function the function
     * @return this builder
     */
    public Builder pciFunction(PciFunction function) {
      pciFunctions.put(function.address(), function);
      return this;
    }

    /**
     * Adds a NUMA node.
     *
     * @param node the node
     * @return this builder
     */
    public Builder numaNode(NumaNode node) {
      numaNodes.add(node);
      return this;
    }

    /**
     * Sets the processors.
     *
     * @param model the processors
     * @return this builder
     */
    public Builder cpu(CpuModel model) {
      this.cpu = model;
      return this;
    }

    /**
     * Adds a network device, or replaces the one with its name.
     *
     * @param netdev the network device
     * @return this builder
     */
    public Builder netdev(Netdev netdev) {
      netdevs.put(netdev.name(), netdev);
      return this;
    }

    /**
     * Adds an RDMA device, or replaces the one with its name.
     *
     * @param device the RDMA device
     * @return this builder
     */
    public Builder rdmaDevice(RdmaDevice device) {
      rdmaDevices.put(device.name(), device);
      return this;
    }

    /**
     * Adds a warning about something that could not be read or understood. A warning that several
     * readers add is kept once.
     *
     * @param warning a sentence that names the file or system call and the problem
     * @return this builder
     */
    public Builder warn(String warning) {
      if (warnings.size() < MAX_WARNINGS) {
        warnings.add(warning);
      } else if (!warnings.contains(warning)) {
        uncounted++;
      }
      return this;
    }

    /** {@return the network devices that were added so far, by name} */
    public List<Netdev> netdevs() {
      return List.copyOf(netdevs.values());
    }

    /** {@return the RDMA devices that were added so far, by name} */
    public List<RdmaDevice> rdmaDevices() {
      return List.copyOf(rdmaDevices.values());
    }

    /** {@return the PCI functions that were added so far, by address} */
    public List<PciFunction> pciFunctions() {
      return List.copyOf(pciFunctions.values());
    }

    /** {@return an inventory of everything that was added} */
    public HostInventory build() {
      return new HostInventory(this);
    }
  }
}
