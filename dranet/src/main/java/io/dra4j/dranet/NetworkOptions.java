package io.dra4j.dranet;

import io.dra4j.dranet.config.ConfigPolicy;
import io.dra4j.dranet.discovery.AttributeGroup;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.spi.Host;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options and builder of a network driver, from {@link NetworkDriver#builder}. Not thread-safe.
 *
 * <pre>{@code
 * NetworkDriver driver = NetworkDriver.builder().keepIpoib().dhcpTime(Duration.ofSeconds(5)).build();
 * }</pre>
 */
public final class NetworkOptions {

  String name = NetworkDriver.NAME;
  private @Nullable NetworkNamespace namespace;
  Host host = Host.live();
  @Nullable CompiledSelector filter;
  boolean numaNodeLists;
  boolean movesIpoib = true;
  Set<AttributeGroup> groups = EnumSet.allOf(AttributeGroup.class);
  final List<AttributeProvider> attributes = new ArrayList<>();
  @Nullable ProfileProvider profiles;
  @Nullable ConfigProvider configurations;
  ConfigPolicy policy = ConfigPolicy.NONE;
  Duration dhcpTime = Duration.ofSeconds(10);

  NetworkOptions() {}

  /**
   * Sets the name of the driver. Two drivers on one node need different names.
   *
   * @param value a DNS subdomain of at most 63 bytes; {@link NetworkDriver#NAME} by default
   * @return this builder
   */
  public NetworkOptions name(String value) {
    this.name = value;
    return this;
  }

  /**
   * Sets the network namespace of the devices.
   *
   * @param value the namespace, which the caller closes; by default the namespace of this process
   * @return this builder
   */
  public NetworkOptions namespace(NetworkNamespace value) {
    this.namespace = value;
    return this;
  }

  /**
   * Sets the host whose files are read. For a captured host the kernel is not queried.
   *
   * @param value the host; this one by default
   * @return this builder
   */
  public NetworkOptions host(Host value) {
    this.host = value;
    return this;
  }

  /**
   * Sets the filter of the offered devices.
   *
   * @param value a condition on devices; devices for which it fails are left out; by default all
   *     devices are offered except ends of veth pairs
   * @return this builder
   */
  public NetworkOptions filter(CompiledSelector value) {
    this.filter = value;
    return this;
  }

  /**
   * Publishes NUMA nodes as lists, for clusters with the feature DRAListTypeAttributes.
   *
   * @return this builder
   */
  public NetworkOptions numaNodeLists() {
    this.numaNodeLists = true;
    return this;
  }

  /**
   * Leaves IPoIB interfaces on the host: only their RDMA devices are offered.
   *
   * @return this builder
   */
  public NetworkOptions keepIpoib() {
    this.movesIpoib = false;
    return this;
  }

  /**
   * Sets the groups of attributes that are published.
   *
   * @param values the groups; all groups by default
   * @return this builder
   */
  public NetworkOptions attributeGroups(Set<AttributeGroup> values) {
    this.groups = Set.copyOf(values);
    return this;
  }

  /**
   * Adds a provider of attributes of devices.
   *
   * @param value the provider
   * @return this builder
   */
  public NetworkOptions attributes(AttributeProvider value) {
    attributes.add(value);
    return this;
  }

  /**
   * Sets the provider of profiles.
   *
   * @param value the provider; by default configurations with a profile are refused
   * @return this builder
   */
  public NetworkOptions profiles(ProfileProvider value) {
    this.profiles = value;
    return this;
  }

  /**
   * Sets the provider of configurations. They apply where neither class nor claim sets a field.
   *
   * @param value the provider; none by default
   * @return this builder
   */
  public NetworkOptions configurations(ConfigProvider value) {
    this.configurations = value;
    return this;
  }

  /**
   * Sets the policy about the fields that only a DeviceClass may set.
   *
   * @param value the policy; {@link ConfigPolicy#NONE} by default
   * @return this builder
   */
  public NetworkOptions policy(ConfigPolicy value) {
    this.policy = value;
    return this;
  }

  /**
   * Sets the time limit for DHCP, for devices whose configuration requires it.
   *
   * @param value the time for all devices of a claim, which run DHCP in parallel; 10 seconds by
   *     default
   * @return this builder
   * @throws IllegalArgumentException if it is not positive
   */
  public NetworkOptions dhcpTime(Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("time for DHCP: expected more than 0, found " + value);
    }
    this.dhcpTime = value;
    return this;
  }

  /**
   * {@return a new driver, which the caller closes}
   *
   * @throws IOException if the namespace cannot be opened
   */
  public NetworkDriver build() throws IOException {
    NetworkNamespace given = namespace;
    return new NetworkDriver(this, given == null ? NetworkNamespace.current() : given.duplicate());
  }
}
