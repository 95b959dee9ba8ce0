package io.dra4j.dranet.cloud;

import io.dra4j.dranet.AttributeProvider;
import io.dra4j.dranet.ConfigProvider;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.discovery.LinkFacts;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.spi.PciFunction;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that a cloud reports for a machine: attributes of the machine, which all its
 * devices get, and attributes of single interfaces, by their hardware addresses. Queried once.
 * Immutable and thread-safe.
 *
 * <pre>{@code
 * MetadataPort port = HttpMetadata.at(HttpMetadata.LINK_LOCAL);
 * NetworkDriver.builder().attributes(CloudAttributes.gce(port));
 * }</pre>
 */
public final class CloudAttributes implements AttributeProvider, ConfigProvider {

  private final Map<String, DeviceAttribute> machine;
  private final Map<String, Map<String, DeviceAttribute>> interfaces;
  private final Map<String, Routing> configurations;
  private final @Nullable RdmaMark rdma;
  private final NeuronGroups groups;

  /**
   * The attribute, with the value true, of devices whose RDMA device has a name with this prefix.
   */
  private record RdmaMark(String prefix, String attribute) {}

  private CloudAttributes(
      Map<String, DeviceAttribute> machine,
      Map<String, Map<String, DeviceAttribute>> interfaces,
      Map<String, Routing> configurations,
      @Nullable RdmaMark rdma,
      NeuronGroups groups) {
    this.machine = Map.copyOf(machine);
    this.interfaces = Map.copyOf(interfaces);
    this.configurations = Map.copyOf(configurations);
    this.rdma = rdma;
    this.groups = groups;
  }

  static CloudAttributes of(Facts machine, Map<String, Facts> interfaces) {
    Map<String, Map<String, DeviceAttribute>> all = new LinkedHashMap<>();
    interfaces.forEach(
        (address, facts) ->
            all.put(address.toLowerCase(Locale.ROOT), Map.copyOf(facts.attributes())));
    return new CloudAttributes(machine.attributes(), all, Map.of(), null, NeuronGroups.NONE);
  }

  /** Returns these attributes with configurations of interfaces, by lower-case hardware address. */
  CloudAttributes withConfigurations(Map<String, Routing> byAddress) {
    return new CloudAttributes(machine, interfaces, byAddress, rdma, groups);
  }

  CloudAttributes withRdma(String prefix, String attribute) {
    return new CloudAttributes(
        machine, interfaces, configurations, new RdmaMark(prefix, attribute), groups);
  }

  CloudAttributes withGroups(NeuronGroups newGroups) {
    return new CloudAttributes(machine, interfaces, configurations, rdma, newGroups);
  }

  /**
   * Queries the metadata server of Google Compute Engine.
   *
   * @param port the connection to the service
   * @return {@code gce.dra.net/machineType}, {@code block}, {@code subBlock}, {@code host} of the
   *     machine; {@code networkName}, {@code networkProjectNumber}, {@code ipAliases} of interfaces
   * @throws IOException if the service does not respond, or its response is not valid
   */
  public static CloudAttributes gce(MetadataPort port) throws IOException {
    return GceMetadata.read(port);
  }

  /**
   * Queries the instance metadata service of AWS, version 2.
   *
   * @param port the connection to the service
   * @return {@code aws.dra.net/instanceType} and {@code availabilityZone} of the machine, {@code
   *     interfaceId}, {@code subnetId}, {@code vpcId}, {@code deviceNumber} and {@code networkCard}
   *     of its interfaces; on a machine with Neuron accelerators also {@code
   *     resource.aws.com/devicegroup1_id}, {@code 4}, {@code 8} and {@code 16} of EFA interfaces
   * @throws IOException if the service does not respond, or its response is not valid
   */
  public static CloudAttributes aws(MetadataPort port) throws IOException {
    return AwsMetadata.read(port);
  }

  /**
   * Queries the instance metadata service of Azure.
   *
   * @param port the connection to the service
   * @return {@code azure.dra.net/vmSize}, {@code placementGroupId}, {@code interconnectGroupId} and
   *     {@code interconnectSubgroupId}, if the machine has them
   * @throws IOException if the service does not respond, or its response is not valid
   */
  public static CloudAttributes azure(MetadataPort port) throws IOException {
    return AzureMetadata.read(port);
  }

  /**
   * Queries the instance metadata service of Oracle Cloud, version 2.
   *
   * @param port the connection to the service
   * @return {@code oke.dra.net/hpcIslandId}, {@code networkBlockId}, {@code localBlockId}, {@code
   *     rackId} and {@code gpuMemoryFabricId}, if the machine has them
   * @throws IOException if the service does not respond, or its response is not valid
   */
  public static CloudAttributes oci(MetadataPort port) throws IOException {
    return OciMetadata.read(port);
  }

  /**
   * Queries the metadata service of Alibaba Cloud.
   *
   * @param port the connection to the service
   * @return {@code alibaba.dra.net/instanceType} of the machine, and {@code erdma}, which is true
   *     for devices with an elastic RDMA interface
   * @throws IOException if the service does not respond, or its response is not valid
   */
  public static CloudAttributes alibaba(MetadataPort port) throws IOException {
    return AlibabaMetadata.read(port);
  }

  @Override
  public Map<String, DeviceAttribute> attributesOf(NetworkDevice device) {
    Map<String, DeviceAttribute> all =
        device.link() == null
            ? new LinkedHashMap<>(machine)
            : byAddress(device.link().link().address().toString());
    if (rdma != null && device.rdma() != null && device.rdma().name().startsWith(rdma.prefix())) {
      all.put(rdma.attribute(), DeviceAttribute.of(true));
    }
    PciFunction function = device.function();
    if (function != null && "efa".equals(function.driver())) {
      all.putAll(groups.attributesOf(function.address().toString()));
    }
    return all;
  }

  @Override
  public NetworkConfig configurationOf(NetworkDevice device) {
    LinkFacts link = device.link();
    return link == null
        ? NetworkConfig.EMPTY
        : configurationOf(link.link().address().toString(), link.ipv6Gateway());
  }

  /** Returns the configuration of an interface. The gateway for IPv6 is empty if there is none. */
  NetworkConfig configurationOf(String address, String ipv6Gateway) {
    Routing routing = configurations.get(address);
    return routing == null ? NetworkConfig.EMPTY : routing.withGateway(ipv6Gateway);
  }

  /** Returns the attributes of the machine and of the interface with a hardware address. */
  Map<String, DeviceAttribute> byAddress(String address) {
    Map<String, DeviceAttribute> all = new LinkedHashMap<>(machine);
    all.putAll(interfaces.getOrDefault(address, Map.of()));
    return all;
  }
}
