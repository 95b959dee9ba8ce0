package io.dra4j.dranet;

import io.dra4j.dranet.attach.AttachRequest;
import io.dra4j.dranet.attach.AttachedLink;
import io.dra4j.dranet.attach.Attacher;
import io.dra4j.dranet.config.ConfigSelection;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.discovery.AttributeGroup;
import io.dra4j.dranet.discovery.DeviceAttributes;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.dranet.discovery.NetworkDevices;
import io.dra4j.dranet.discovery.NetworkFacts;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.netlink.route.Link;
import io.dra4j.rdma.CharacterDevice;
import io.dra4j.rdma.CharacterDevices;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorException;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Netdev;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import io.dra4j.topology.PciAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers the network devices of a host and brings them into pods and back: names, attributes and
 * configuration are those of the manifests in use for {@code dra.net}.
 *
 * <pre>{@code
 * try (NetworkDriver driver = NetworkDriver.builder().build();
 *     DriverRuntime runtime = DriverRuntime.builder().driver(driver).store(path).build()) {
 *   runtime.start();
 * }
 * }</pre>
 *
 * <p>The network namespace of a pod stays open from attach to detach, so that a late stop finds it.
 * Thread-safe.
 */
public final class NetworkDriver implements PreparingDriver, AutoCloseable {

  /** The name that manifests in use expect. */
  public static final String NAME = "dra.net";

  private static final Logger LOG = LoggerFactory.getLogger(NetworkDriver.class);

  /** What is on the host, as of one discovery. */
  private record Seen(HostInventory host, Map<String, NetworkDevice> devices) {}

  private final String name;
  private final NetworkNamespace namespace;
  private final Host host;
  private final @Nullable CompiledSelector filter;
  private final boolean numaNodeLists;
  private final boolean movesIpoib;
  private final Set<AttributeGroup> groups;
  private final List<AttributeProvider> attributes;
  private final @Nullable ProfileProvider profiles;
  private final Attacher attacher;
  private final DhcpSteps dhcp;
  private final Map<String, NetworkNamespace> pods = new ConcurrentHashMap<>();
  private final Set<String> said = ConcurrentHashMap.newKeySet();
  private volatile NetworkFacts facts = NetworkFacts.NONE;
  private volatile @Nullable Seen seen;

  private NetworkDriver(Builder builder, NetworkNamespace namespace) {
    this.name = builder.name;
    this.namespace = namespace;
    this.host = builder.host;
    this.filter = builder.filter;
    this.numaNodeLists = builder.numaNodeLists;
    this.movesIpoib = builder.movesIpoib;
    this.groups = Set.copyOf(builder.groups);
    this.attributes = List.copyOf(builder.attributes);
    this.profiles = builder.profiles;
    this.attacher = Attacher.in(namespace, notice -> LOG.warn("{}: {}", name, notice));
    this.dhcp =
        new DhcpSteps(namespace, builder.dhcpTime, notice -> LOG.warn("{}: {}", name, notice));
  }

  /**
   * Starts a driver of the network namespace of this process.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Device> discover(HostInventory inventory) {
    List<NetworkDevice> found = look(inventory);
    DeviceAttributes told = new DeviceAttributes(name, inventory, numaNodeLists, groups);
    List<Device> devices = new ArrayList<>();
    for (NetworkDevice one : found) {
      Device device =
          told.of(one, provided(one), (of, cut) -> sayOnce("device " + of + ": " + cut));
      if (isOffered(device)) {
        devices.add(device);
      }
    }
    return devices;
  }

  /**
   * Reads the host anew.
   *
   * @throws UncheckedIOException if the kernel does not tell its links
   */
  private List<NetworkDevice> look(HostInventory inventory) {
    if (host.isLive()) {
      try {
        facts = NetworkFacts.read(namespace, this::sayOnce);
      } catch (IOException e) { // without them everything would be offered, uplinks too
        throw new UncheckedIOException("the links of the host cannot be read", e);
      }
    }
    List<NetworkDevice> found = NetworkDevices.of(inventory, facts, movesIpoib);
    Map<String, NetworkDevice> byName = new HashMap<>();
    found.forEach(one -> byName.put(one.name(), one));
    seen = new Seen(inventory, Map.copyOf(byName));
    return found;
  }

  private Map<String, DeviceAttribute> provided(NetworkDevice device) {
    Map<String, DeviceAttribute> all = new TreeMap<>();
    for (AttributeProvider one : attributes) {
      try {
        all.putAll(one.attributesOf(device));
      } catch (RuntimeException e) { // devices are offered without what it knows
        sayOnce("device " + device.name() + ": a provider of attributes failed: " + e);
      }
    }
    return all;
  }

  /** Without a filter of their own, users get no ends of veth pairs: those belong to pods. */
  private boolean isOffered(Device device) {
    CompiledSelector selector = filter;
    if (selector == null) {
      return !DeviceAttribute.of("veth").equals(device.attributes().get("type"));
    }
    try {
      return selector.matches(name, device);
    } catch (SelectorException e) {
      sayOnce("device " + device.name() + " is left out, the filter fails: " + e.getMessage());
      return false;
    }
  }

  private void sayOnce(String text) {
    if (said.size() < 1_000 && said.add(text)) {
      LOG.warn("{}: {}", name, text);
    }
  }

  @Override
  public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
    List<AttachRequest> requests = new ArrayList<>();
    List<PreparedDevice> devices = new ArrayList<>();
    for (ClaimedDevice one : claim.devices()) {
      if (Boolean.TRUE.equals(one.result().adminAccess())) {
        throw DriverException.invalid(
                "admin access: a network device is in one place only, and would be taken from"
                    + " others")
            .forDevice(one.name());
      }
      NetworkDevice device = find(one.name());
      AttachRequest request =
          new AttachRequest(
              device.name(),
              device.link() == null ? null : device.interfaceName(),
              device.rdma() == null ? null : device.rdma().name(),
              configOf(one, device, claim, journal),
              one.index(),
              maxMtu(device),
              device.link() == null ? "" : AttachRequest.identityOf(device.link().link()),
              List.of());
      requests.add(request);
      devices.add(PreparedDevice.of(one, edits(device), request.toJson()));
    }
    attacher.check(requests);
    for (int i = 0; i < requests.size(); i++) {
      AttachRequest request = requests.get(i);
      if (request.link() != null && request.config().link().asksDhcp()) {
        AttachRequest leased = leased(request, claim, journal);
        requests.set(i, leased);
        PreparedDevice before = devices.get(i);
        devices.set(i, PreparedDevice.of(claim.devices().get(i), before.edits(), leased.toJson()));
      }
    }
    attacher.dryRun(requests, null); // says what cannot be carried out while there is time
    return new Prepared(devices);
  }

  private AttachRequest leased(AttachRequest request, ClaimedDevices claim, Journal journal)
      throws DriverException {
    List<ConfigurationProblem> problems = request.config().problems();
    if (!problems.isEmpty()) { // before any server is asked
      throw new ConfigurationException(problems).forDevice(request.device());
    }
    try {
      return dhcp.lease(request, claim.claim().uid(), journal);
    } catch (DriverException e) {
      throw e.device() == null ? e.forDevice(request.device()) : e;
    }
  }

  private NetworkDevice find(String device) throws DriverException {
    Seen now = seen;
    NetworkDevice found = now == null ? null : now.devices.get(device);
    if (now != null && (found == null || found.link() == null)) { // it may have come back since
      try {
        look(now.host);
      } catch (UncheckedIOException e) {
        throw DriverException.failed(e.getMessage() + ": " + e.getCause(), e).forDevice(device);
      }
      now = seen;
      found = now == null ? null : now.devices.get(device);
    }
    if (found == null) {
      throw DriverException.unavailable("it is not on the host").forDevice(device);
    }
    if (found.link() == null && found.rdma() == null) {
      throw DriverException.unavailable(
              "it has no network interface on the host now: that is in another namespace, or gone")
          .forDevice(device);
    }
    return found;
  }

  private NetworkConfig configOf(
      ClaimedDevice one, NetworkDevice device, ClaimedDevices claim, Journal journal)
      throws DriverException {
    try {
      return config(one, device, claim, journal);
    } catch (DriverException e) {
      throw e.device() == null ? e.forDevice(one.name()) : e;
    }
  }

  private NetworkConfig config(
      ClaimedDevice one, NetworkDevice device, ClaimedDevices claim, Journal journal)
      throws DriverException {
    NetworkConfig config = ConfigSelection.of(one.configurations(), one.request());
    String profile = config.profile();
    if (profile == null || profile.isEmpty()) {
      return config;
    }
    ProfileProvider provider = profiles;
    if (provider == null) {
      throw new ConfigurationException(
          List.of(
              new ConfigurationProblem(
                  "/profile", "'" + profile + "': this driver runs without profiles")));
    }
    ProfileRequest request =
        new ProfileRequest(profile, claim.claim().uid(), one.name(), device.interfaceName());
    journal.record(ProfileStep.of(request));
    // Read as it will be when it is attached: a profile may say what no configuration may.
    return NetworkConfig.parseMerged(provider.acquire(request).under(config).toJson());
  }

  /** Of a virtual function: no more than its physical function lets through. */
  private OptionalInt maxMtu(NetworkDevice device) {
    PciFunction function = device.function();
    PciAddress physical = function == null ? null : function.physicalFunction();
    Seen now = seen;
    if (physical == null || now == null) {
      return OptionalInt.empty();
    }
    for (Netdev netdev : now.host.netdevs()) {
      if (physical.equals(netdev.address())) {
        return netdev.mtu();
      }
    }
    return OptionalInt.empty();
  }

  /** Only the containers that use the claim get them: the runtime sees to that. */
  private ContainerEdits edits(NetworkDevice device) {
    RdmaDevice rdma = device.rdma();
    if (rdma == null) {
      return ContainerEdits.NONE;
    }
    CharacterDevices nodes = CharacterDevices.of(host, rdma);
    nodes.problems().forEach(problem -> sayOnce("device " + device.name() + ": " + problem));
    List<DeviceNode> files = new ArrayList<>();
    for (CharacterDevice node : nodes.list()) {
      if (node.mode().isPresent() || !host.isLive()) {
        files.add(
            new DeviceNode(node.path(), DeviceNode.Kind.CHARACTER, node.major(), node.minor()));
      }
    }
    return ContainerEdits.ofNodes(files);
  }

  @Override
  public List<AllocatedDeviceStatus> attach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    NetworkNamespace pod = open(sandbox);
    if (pod.id().equals(namespace.id())) {
      pod.close();
      throw DriverException.invalid(
          "sandbox " + sandbox + " is in the network namespace of the host: nothing can be moved");
    }
    keep(claim, sandbox, pod);
    List<AttachRequest> requests = new ArrayList<>();
    for (PreparedDevice one : claim.prepared().devices()) {
      try {
        requests.add(AttachRequest.parse(one.state()));
      } catch (IllegalArgumentException e) {
        throw DriverException.failed(String.valueOf(e.getMessage()), e)
            .forDevice(one.device().device());
      }
    }
    List<AttachedLink> attached = attacher.attach(requests, pod, journal);
    List<AllocatedDeviceStatus> statuses = new ArrayList<>();
    for (int i = 0; i < attached.size(); i++) {
      statuses.add(
          DeviceStatus.of(
              claim.prepared().devices().get(i).device(),
              attached.get(i),
              requests.get(i).rdmaDevice() != null,
              host.clock().instant()));
    }
    return statuses;
  }

  private static NetworkNamespace open(Sandbox sandbox) throws DriverException {
    Path path = sandbox.networkNamespace();
    if (path == null) {
      throw DriverException.invalid(
          "sandbox "
              + sandbox
              + " has no network namespace of its own: a pod of the host network cannot have"
              + " network devices");
    }
    try {
      return NetworkNamespace.open(path);
    } catch (LinuxException e) {
      throw DriverException.unavailable(
          "network namespace " + path + " of sandbox " + sandbox + ": " + e.getMessage());
    }
  }

  private static String key(PreparedClaim claim, Sandbox sandbox) {
    return claim.claim().uid() + " " + sandbox.id();
  }

  private void keep(PreparedClaim claim, Sandbox sandbox, NetworkNamespace pod) {
    NetworkNamespace before = pods.put(key(claim, sandbox), pod);
    if (before != null) {
      before.close();
    }
  }

  @Override
  public void detach(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    String key = key(claim, sandbox);
    NetworkNamespace pod = pods.get(key);
    Path path = sandbox.networkNamespace();
    if (pod == null && path != null) {
      try {
        pod = NetworkNamespace.open(path);
        pods.put(key, pod);
      } catch (LinuxException e) {
        LOG.info("{}: network namespace {} of sandbox {} is gone", name, path, sandbox);
      }
    }
    NetworkNamespace from = pod;
    journal.undo(step -> attacher.undo(step, from));
    NetworkNamespace kept = pods.remove(key);
    if (kept != null) {
      kept.close();
    }
  }

  @Override
  public void undo(Step step) throws DriverException {
    if (dhcp.undo(step)) {
      return;
    }
    ProfileProvider provider = profiles;
    ProfileRequest request = ProfileStep.read(step);
    if (provider == null) {
      throw DriverException.failed(
          "profile '" + request.profile() + "' cannot be given back: the driver runs without",
          null);
    }
    provider.release(request);
  }

  @Override
  public void resume(PreparedClaim claim, Sandbox sandbox) throws DriverException {
    keep(claim, sandbox, open(sandbox));
  }

  /**
   * A link that is on and has no signal does not work; nor does an RDMA port that is not active.
   */
  @Override
  public List<DeviceHealth> health(HostInventory inventory) {
    Seen now = seen;
    List<DeviceHealth> health = new ArrayList<>();
    Set<String> told = new HashSet<>();
    if (now != null) {
      for (NetworkDevice one : now.devices.values()) {
        Link link = one.link() == null ? null : one.link().link();
        String dead = link == null ? deadPorts(one.rdma()) : deadLink(link);
        if (dead != null && told.add(one.name())) {
          health.add(
              new DeviceHealth(
                  one.name(),
                  dead.isEmpty() ? DeviceHealth.Status.HEALTHY : DeviceHealth.Status.UNHEALTHY,
                  dead));
        }
      }
    }
    return health;
  }

  private static String deadLink(Link link) {
    return link.isUp() && !link.hasCarrier() ? link.name() + " is up and has no carrier" : "";
  }

  /** Of a device without interface; null if nothing is known of its ports. */
  private static @Nullable String deadPorts(@Nullable RdmaDevice rdma) {
    if (rdma == null || rdma.ports().isEmpty()) {
      return null;
    }
    for (RdmaPort port : rdma.ports()) {
      if (port.isActive()) {
        return "";
      }
    }
    RdmaPort first = rdma.ports().get(0);
    return "no port of "
        + rdma.name()
        + " is active: port "
        + first.number()
        + " is "
        + first.state();
  }

  /**
   * Lists what the driver knows of the devices of the last discovery.
   *
   * @return the devices by name, also those that the filter leaves out; empty before the first
   */
  public Map<String, NetworkDevice> devices() {
    Seen now = seen;
    return now == null ? Map.of() : now.devices;
  }

  /** Lets the namespaces go. What is attached stays so. */
  @Override
  public void close() {
    pods.values().forEach(NetworkNamespace::close);
    pods.clear();
    namespace.close();
  }

  /** Puts a driver together. Not thread-safe. */
  public static final class Builder {

    private String name = NAME;
    private @Nullable NetworkNamespace namespace;
    private Host host = Host.live();
    private @Nullable CompiledSelector filter;
    private boolean numaNodeLists;
    private boolean movesIpoib = true;
    private Set<AttributeGroup> groups = EnumSet.allOf(AttributeGroup.class);
    private final List<AttributeProvider> attributes = new ArrayList<>();
    private @Nullable ProfileProvider profiles;
    private Duration dhcpTime = Duration.ofSeconds(10);

    private Builder() {}

    /**
     * Sets the name of the driver, so that it can live beside another one.
     *
     * @param value a DNS subdomain of at most 63 bytes; {@link NetworkDriver#NAME} by default
     * @return this builder
     */
    public Builder name(String value) {
      this.name = value;
      return this;
    }

    /**
     * Sets the namespace that the devices are in.
     *
     * @param value the namespace, which stays with the caller; that of this process by default
     * @return this builder
     */
    public Builder namespace(NetworkNamespace value) {
      this.namespace = value;
      return this;
    }

    /**
     * Sets the host whose files are looked at; of a captured one the kernel tells nothing.
     *
     * @param value the host; this one by default
     * @return this builder
     */
    public Builder host(Host value) {
      this.host = value;
      return this;
    }

    /**
     * Sets which devices are offered.
     *
     * @param value a condition on devices; those on which it fails are left out; by default
     *     everything is offered but ends of veth pairs
     * @return this builder
     */
    public Builder filter(CompiledSelector value) {
      this.filter = value;
      return this;
    }

    /**
     * Tells NUMA nodes as lists, for clusters with the feature DRAListTypeAttributes.
     *
     * @return this builder
     */
    public Builder numaNodeLists() {
      this.numaNodeLists = true;
      return this;
    }

    /**
     * Leaves IPoIB interfaces on the host: only their RDMA devices are offered.
     *
     * @return this builder
     */
    public Builder keepIpoib() {
      this.movesIpoib = false;
      return this;
    }

    /**
     * Sets which attributes are told.
     *
     * @param values the groups; all by default
     * @return this builder
     */
    public Builder attributeGroups(Set<AttributeGroup> values) {
      this.groups = Set.copyOf(values);
      return this;
    }

    /**
     * Adds somebody who knows more of devices.
     *
     * @param value tells attributes
     * @return this builder
     */
    public Builder attributes(AttributeProvider value) {
      attributes.add(value);
      return this;
    }

    /**
     * Sets who knows profiles.
     *
     * @param value knows them; by default a configuration with a profile is refused
     * @return this builder
     */
    public Builder profiles(ProfileProvider value) {
      this.profiles = value;
      return this;
    }

    /**
     * Sets how long a DHCP server may take to give an address to a device whose configuration asks
     * for one.
     *
     * @param value the time for one device, in all; 10 seconds by default
     * @return this builder
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder dhcpTime(Duration value) {
      if (value.isNegative() || value.isZero()) {
        throw new IllegalArgumentException("a time of " + value + " for DHCP");
      }
      this.dhcpTime = value;
      return this;
    }

    /**
     * Makes the driver.
     *
     * @return the driver, to be closed
     * @throws IOException if the namespace cannot be opened
     */
    public NetworkDriver build() throws IOException {
      NetworkNamespace given = namespace;
      return new NetworkDriver(
          this, given == null ? NetworkNamespace.current() : given.duplicate());
    }
  }
}
