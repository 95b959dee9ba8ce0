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
 * Makes claims ready: configurations, profiles, addresses of DHCP servers, and a trial of the plan,
 * so that what cannot be is refused while there is time. Thread-safe.
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
                "admin access: a network device is in one place only, and would be taken from"
                    + " others")
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
    attacher.forget(requests); // no other claim has them, or this one would not be prepared
    attacher.check(requests);
    requests = dhcp.lease(requests, claim.claim().uid(), journal);
    attacher.dryRun(requests, null); // says what cannot be carried out while there is time
    List<PreparedDevice> devices = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      devices.add(
          PreparedDevice.of(claim.devices().get(i), edits.get(i), requests.get(i).toJson()));
    }
    return new Prepared(devices);
  }

  /** The first pod would run, and the others would wait for ever. */
  void refuseSeveralPods(List<ResourceClaimConsumerReference> consumers, AttachRequest request)
      throws DriverException {
    if (consumers.size() > 1 && attacher.moves(request)) {
      String names =
          consumers.stream()
              .limit(3)
              .map(ResourceClaimConsumerReference::name)
              .collect(Collectors.joining(", "));
      throw DriverException.invalid(
              "the claim is reserved for %d consumers (%s%s), and %s can be in one pod only: a"
                      .formatted(
                          consumers.size(),
                          names,
                          consumers.size() > 3 ? ", ..." : "",
                          request.link() == null ? request.rdmaDevice() : request.link())
                  + " ResourceClaimTemplate makes a claim for each pod")
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
                  "/profile", "'" + profile + "': this driver runs without profiles")));
    }
    ProfileRequest request =
        new ProfileRequest(profile, claim.claim().uid(), one.name(), device.interfaceName());
    journal.record(ProfileStep.of(request));
    // Read as it will be when it is attached: a profile may say what no configuration may.
    return NetworkConfig.parseMerged(provider.acquire(request).under(config).toJson());
  }

  /** Only the containers that use the claim get them: the runtime sees to that. */
  private ContainerEdits edits(NetworkDevice device) {
    return edits(device.name(), device.rdma());
  }

  /** The character devices of an RDMA device as they are now. */
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

  /** Takes a step of a preparation back. */
  void undo(Step step, boolean otherBoot) throws DriverException {
    if (dhcp.undo(step, otherBoot)) {
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

  /** Gives profiles back, of which others have addresses then; leases of DHCP servers end. */
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
