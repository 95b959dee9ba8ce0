package io.dra4j.dranet;

import io.dra4j.dranet.attach.AttachRequest;
import io.dra4j.dranet.attach.Attacher;
import io.dra4j.dranet.config.ConfigPolicy;
import io.dra4j.dranet.config.ConfigSelection;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.rdma.CharacterDevice;
import io.dra4j.rdma.CharacterDevices;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Host;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.Step;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prepares claims: merges configurations, acquires profiles and DHCP leases, and plans the
 * attachment without changes, so that errors show before the pod starts. Thread-safe.
 */
final class NetworkPreparation {

  private final Host host;
  private final @Nullable ProfileProvider profiles;
  private final @Nullable ConfigProvider configurations;
  private final ConfigPolicy policy;
  private final NetworkDiscovery discovery;
  private final Attacher attacher;
  private final DhcpSteps dhcp;
  private final Consumer<String> warnings;

  NetworkPreparation(
      NetworkOptions options,
      NetworkDiscovery discovery,
      Attacher attacher,
      DhcpSteps dhcp,
      Consumer<String> warnings) {
    this.host = options.host;
    this.profiles = options.profiles;
    this.configurations = options.configurations;
    this.policy = options.policy;
    this.discovery = discovery;
    this.attacher = attacher;
    this.dhcp = dhcp;
    this.warnings = warnings;
  }

  Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
    List<AttachRequest> requests = new ArrayList<>();
    List<ContainerEdits> edits = new ArrayList<>();
    for (ClaimedDevice one : claim.devices()) {
      if (Boolean.TRUE.equals(one.result().adminAccess())) {
        throw DriverException.invalid(
                "admin access is not supported: a network device can be in only one place,"
                    + " so it would be taken from its user")
            .forDevice(one.name());
      }
      NetworkDevice device = discovery.find(one.name());
      AttachRequest request =
          new AttachRequest(
              device.name(),
              device.link() == null ? null : device.interfaceName(),
              device.rdma() == null ? null : device.rdma().name(),
              NetworkConfig.EMPTY,
              one.index(),
              discovery.maxMtu(device),
              device.link() == null ? "" : AttachRequest.identityOf(device.link().link()),
              List.of());
      refuseSeveralPods(claim.reservedFor(), request);
      requests.add(request.withLease(configOf(one, device, claim, journal), List.of()));
      edits.add(edits(device));
    }
    attacher.forget(
        requests); // no other claim holds them, or the runtime would not prepare this one
    attacher.check(requests);
    requests = dhcp.lease(requests, claim.claim().uid(), journal);
    attacher.dryRun(requests, null); // reports errors before the pod starts
    List<PreparedDevice> devices = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      devices.add(
          PreparedDevice.of(claim.devices().get(i), edits.get(i), requests.get(i).toJson()));
    }
    return new Prepared(devices);
  }

  /** Refuses a claim for several pods: only one could run, and the others would wait forever. */
  void refuseSeveralPods(List<ResourceClaimConsumerReference> consumers, AttachRequest request)
      throws DriverException {
    if (consumers.size() > 1 && attacher.moves(request)) {
      String names =
          consumers.stream()
              .limit(3)
              .map(ResourceClaimConsumerReference::name)
              .collect(Collectors.joining(", "));
      throw DriverException.invalid(
              "the claim is reserved for %d consumers (%s%s), but %s can be in only one pod: use a"
                      .formatted(
                          consumers.size(),
                          names,
                          consumers.size() > 3 ? ", ..." : "",
                          request.link() == null ? request.rdmaDevice() : request.link())
                  + " ResourceClaimTemplate, which creates a claim for each pod")
          .forDevice(request.device());
    }
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
    NetworkConfig config = ConfigSelection.of(one.configurations(), one.request(), policy);
    ConfigProvider site = configurations;
    if (site != null) {
      config = NetworkConfig.parseMerged(site.configurationOf(device).under(config).toJson());
    }
    String profile = config.profile();
    if (profile == null || profile.isEmpty()) {
      return config;
    }
    ProfileProvider provider = profiles;
    if (provider == null) {
      throw new ConfigurationException(
          List.of(
              new ConfigurationProblem(
                  "/profile", "'" + profile + "': the driver has no profile provider")));
    }
    ProfileRequest request =
        new ProfileRequest(profile, claim.claim().uid(), one.name(), device.interfaceName());
    journal.record(ProfileStep.of(request));
    // Parsed as at attach time: a profile may set values that configurations must not.
    return NetworkConfig.parseMerged(provider.acquire(request).under(config).toJson());
  }

  /** Returns the edits for the containers that use the claim; the runtime applies them. */
  private ContainerEdits edits(NetworkDevice device) {
    return edits(device.name(), device.rdma());
  }

  /** Returns the edits for the current character devices of an RDMA device. */
  ContainerEdits edits(String device, @Nullable RdmaDevice rdma) {
    if (rdma == null) {
      return ContainerEdits.NONE;
    }
    CharacterDevices nodes = CharacterDevices.of(host, rdma);
    nodes.problems().forEach(problem -> warnings.accept("device " + device + ": " + problem));
    List<DeviceNode> files = new ArrayList<>();
    for (CharacterDevice node : nodes.list()) {
      if (node.mode().isPresent() || !host.isLive()) {
        files.add(
            new DeviceNode(node.path(), DeviceNode.Kind.CHARACTER, node.major(), node.minor()));
      }
    }
    return ContainerEdits.ofNodes(files);
  }

  /** Undoes a step of a preparation. */
  void undo(Step step, boolean otherBoot) throws DriverException {
    if (dhcp.undo(step, otherBoot)) {
      return;
    }
    ProfileProvider provider = profiles;
    ProfileRequest request = ProfileStep.read(step);
    if (provider == null) {
      throw DriverException.failed(
          "profile '" + request.profile() + "' cannot be released: the driver has no", null);
    }
    provider.release(request);
  }

  /**
   * Releases profiles, so that others can get their addresses. DHCP leases expire on the server.
   */
  void forget(List<Step> steps) throws DriverException {
    DriverException failure = null;
    for (Step one : steps) {
      if (ProfileStep.isOne(one)) {
        try {
          undo(one, false);
        } catch (DriverException e) {
          failure = NetworkAttachments.joined(failure, e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
