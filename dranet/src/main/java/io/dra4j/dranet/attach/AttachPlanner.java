package io.dra4j.dranet.attach;

import io.dra4j.dranet.discovery.MoveObstacle;
import io.dra4j.dranet.discovery.Uplinks;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaDevice;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.Rule;
import io.dra4j.netlink.state.LinkStates;
import io.dra4j.netlink.state.Obstacle;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plans all steps for the devices of one claim, and refuses impossible requests before anything
 * changes. An instance serves one call: it caches the state of the namespaces.
 */
final class AttachPlanner {

  private final NamespaceSession from;
  private final @Nullable NamespaceSession to;
  private final boolean takesUplinks;
  private final Function<String, Undo.@Nullable Restore> pending;
  private final Consumer<String> notices;
  private final Taken taken = new Taken();
  private final List<Rule> rules = new ArrayList<>(); // of the pod, once needed
  private @Nullable Map<String, MoveObstacle> obstacles;
  private @Nullable PodRoutes podRoutes;

  /**
   * Creates a planner.
   *
   * @param to the namespace of the pod; null to skip everything that depends on it
   * @param takesUplinks whether links with a default route of the host may be moved
   * @param pending finds the saved state to which a link must still be restored
   * @param notices receives notices about settings that are left out
   */
  AttachPlanner(
      NamespaceSession from,
      @Nullable NamespaceSession to,
      boolean takesUplinks,
      Function<String, Undo.@Nullable Restore> pending,
      Consumer<String> notices) {
    this.from = from;
    this.to = to;
    this.takesUplinks = takesUplinks;
    this.pending = pending;
    this.notices = notices;
  }

  /** Returns the plans for devices, in the order of the requests. */
  List<DevicePlan> plan(List<AttachRequest> requests) throws IOException, DriverException {
    List<DevicePlan> plans = new ArrayList<>();
    try (LinkStates open = LinkStates.open(from.namespace())) {
      LinkStates.Snapshot states = open.snapshot();
      for (AttachRequest request : requests) {
        try {
          plans.add(plan(request, states));
        } catch (IOException e) {
          throw Attacher.failure("plan", e).forDevice(request.device());
        }
      }
    }
    return plans;
  }

  /** Refuses links that no longer exist, were replaced, or cannot be moved. */
  void check(List<AttachRequest> requests) throws IOException, DriverException {
    for (AttachRequest one : requests) {
      if (one.link() != null) {
        try {
          check(one, from.route().links().get(one.link()), this::hostLinks);
        } catch (NetlinkException.NotFound e) {
          throw gone(one);
        }
      }
    }
  }

  private static DriverException gone(AttachRequest request) {
    return DriverException.unavailable(
            "network interface " + request.link() + " does not exist on the host")
        .forDevice(request.device());
  }

  private List<Link> hostLinks() throws IOException {
    return from.route().links().list(LinkQuery.lean().amidChanges());
  }

  private interface HostLinks {
    List<Link> list() throws IOException;
  }

  /** Refuses a link that was replaced or cannot be moved; {@code all} lists the host's links. */
  private void check(AttachRequest request, Link there, HostLinks all)
      throws IOException, DriverException {
    refuse(request, obstacle(there, all));
    String found = AttachRequest.identityOf(there);
    if (!request.identity().isEmpty() && !request.identity().equals(found)) {
      throw DriverException.unavailable(
              "network interface "
                  + request.link()
                  + " on the host was replaced since it was allocated: expected "
                  + request.identity()
                  + ", found "
                  + found)
          .forDevice(request.device());
    }
  }

  private DevicePlan plan(AttachRequest request, LinkStates.Snapshot states)
      throws IOException, DriverException {
    List<PlannedStep> steps = new ArrayList<>();
    LinkPlan plan = null;
    if (request.link() == null) {
      refuse(request, request.config().problemsWithoutInterface());
    } else {
      plan = linkPlan(request, request.link(), states);
      if (to != null) {
        checkFree(request, plan, to);
        plan = withFreeRoutes(request, plan, to);
        if (!plan.rules().isEmpty() && rules.isEmpty()) {
          rules.addAll(to.route().rules().list());
        }
      }
      List<Rule> missing = Rules.missing(plan.rules(), rules);
      rules.addAll(missing);
      steps.addAll(AttachSteps.of(plan, missing, sysctls(plan, to)));
    }
    RdmaDevice rdma = rdma(request);
    if (rdma != null) {
      steps.add(AttachSteps.rdma(rdma));
    }
    PlannedStep keep = plan == null ? null : AttachSteps.keep(plan);
    if (to != null) {
      NamespaceMark mark = NamespaceMark.of(to);
      steps.replaceAll(one -> one.in(mark));
      keep = keep == null ? null : keep.in(mark);
    }
    if (keep != null) {
      checkLength(request, keep.step().undo().length());
    }
    return new DevicePlan(request, plan, rdma, keep, steps);
  }

  /** Refuses a link whose state is too long to be recorded. */
  private static void checkLength(AttachRequest request, int length) throws DriverException {
    if (length > Undo.MAX_TEXT) {
      throw DriverException.failed(
              "network interface "
                  + request.link()
                  + " has too many routes and addresses to record: "
                  + length
                  + " bytes, at most "
                  + Undo.MAX_TEXT,
              null)
          .forDevice(request.device());
    }
  }

  private LinkPlan linkPlan(AttachRequest request, String link, LinkStates.Snapshot states)
      throws IOException, DriverException {
    HostLink read;
    try {
      read = HostLink.read(from, states, request, link, pending.apply(link));
    } catch (NetlinkException.NotFound e) {
      throw gone(request);
    }
    check(request, read.link(), states::links);
    List<Obstacle> shared = read.state().obstacles(); // for routes, which links do not show
    if (!shared.isEmpty()) {
      throw DriverException.invalid(
              link
                  + " cannot be moved: "
                  + shared.stream().map(Obstacle::text).collect(Collectors.joining(". ")))
          .forDevice(request.device());
    }
    List<ConfigurationProblem> problems = new ArrayList<>();
    LinkPlan plan = new LinkPlanner(request, read, problems, text -> notice(request, text)).plan();
    taken.check(plan, request.config(), problems);
    refuse(request, problems);
    return plan;
  }

  private Optional<MoveObstacle> obstacle(Link link, HostLinks links) throws IOException {
    Map<String, MoveObstacle> all = obstacles;
    if (all == null) {
      all = MoveObstacle.of(Uplinks.mainRoutes(from.route()), links.list());
      obstacles = all;
    }
    return Optional.ofNullable(all.get(link.name()));
  }

  private void refuse(AttachRequest request, Optional<MoveObstacle> found) throws DriverException {
    if (found.isEmpty() || (takesUplinks && found.get().isUplink())) {
      return;
    }
    String reason = found.get().reason();
    throw (found.get().isUplink()
            ? DriverException.unavailable(reason)
            : DriverException.invalid(reason))
        .forDevice(request.device());
  }

  private static void refuse(AttachRequest request, List<ConfigurationProblem> problems)
      throws DriverException {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems).forDevice(request.device());
    }
  }

  private LinkPlan withFreeRoutes(AttachRequest request, LinkPlan plan, NamespaceSession pod)
      throws IOException, DriverException {
    if (plan.routes().isEmpty()) {
      return plan;
    }
    PodRoutes all = podRoutes;
    if (all == null) {
      all = PodRoutes.of(pod.route());
      podRoutes = all;
    }
    List<ConfigurationProblem> problems = new ArrayList<>();
    List<PlannedRoute> free =
        all.add(plan.routes(), plan.podName(), problems, text -> notice(request, text));
    refuse(request, problems);
    return plan.withRoutes(free);
  }

  private void notice(AttachRequest request, String text) {
    notices.accept(request.device() + ": " + text);
  }

  private static void checkFree(AttachRequest request, LinkPlan plan, NamespaceSession to)
      throws IOException, DriverException {
    // The kernel checks whether a name is free only after it has moved the link.
    if (to.route().links().find(plan.podName()).isPresent()) {
      throw DriverException.unavailable(
              "the pod already has an interface "
                  + plan.podName()
                  + "; set another name in /interface/name")
          .forDevice(request.device());
    }
  }

  private static Map<String, String> sysctls(LinkPlan plan, @Nullable NamespaceSession to)
      throws IOException {
    Map<String, String> values = new TreeMap<>();
    if (plan.vrf() != null && to != null) {
      for (String one : AttachSteps.vrfSysctls()) {
        values.put(one, to.namespace().sysctl(one));
      }
    }
    return values;
  }

  /** Returns the RDMA device if it must be moved: unless namespaces share RDMA devices. */
  private @Nullable RdmaDevice rdma(AttachRequest request) throws IOException, DriverException {
    if (request.rdmaDevice() == null) {
      return null;
    }
    RdmaNetlink rdma = from.rdma();
    if (rdma == null || rdma.isShared()) {
      return null;
    }
    return rdma.devices().stream()
        .filter(one -> one.name().equals(request.rdmaDevice()))
        .findFirst()
        .orElseThrow(
            () ->
                new RdmaDeviceException(
                        DriverException.unavailable(
                            "RDMA device " + request.rdmaDevice() + " does not exist on the host"))
                    .forDevice(request.device()));
  }
}
