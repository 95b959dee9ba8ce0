package io.dra4j.dranet.attach;

import static java.util.stream.Collectors.joining;

import io.dra4j.dranet.config.VrfConfig;
import io.dra4j.linux.Errno;
import io.dra4j.linux.LinkSysctls;
import io.dra4j.linux.LinuxException;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.ethtool.FeatureChange;
import io.dra4j.netlink.rdma.RdmaDevice;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkData;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.Route;
import io.dra4j.netlink.route.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The steps that attach a link to a pod, in this order: move the link, set its policy, set it up,
 * set features and programs, add routes, move its RDMA device.
 */
final class AttachSteps {

  /** The alias of VRFs that the driver created, and therefore may delete. */
  static final String VRF_MARK = "made by dra4j";

  private static final List<String> VRF_SYSCTLS =
      List.of("net/ipv4/tcp_l3mdev_accept", "net/ipv4/udp_l3mdev_accept");

  private final List<PlannedStep> steps = new ArrayList<>();

  private AttachSteps() {}

  /**
   * Returns the steps for a link.
   *
   * @param plan the planned state of the link in the pod
   * @param missing the rules of the plan that the pod does not have yet
   * @param sysctls the current values of the parameters of the pod that a VRF needs
   */
  static List<PlannedStep> of(LinkPlan plan, List<Rule> missing, Map<String, String> sysctls) {
    AttachSteps steps = new AttachSteps();
    steps.move(plan);
    steps.configure(plan);
    steps.rest(plan);
    if (plan.vrf() != null) {
      steps.vrf(plan, plan.vrf(), sysctls);
    }
    steps.routing(plan, missing);
    return steps.steps;
  }

  /** Returns the parameters of a pod that a VRF needs. */
  static List<String> vrfSysctls() {
    return VRF_SYSCTLS;
  }

  /** Returns the step that records the state of the link on the host; it changes nothing. */
  static PlannedStep keep(LinkPlan plan) {
    Link link = plan.host().link();
    return PlannedStep.of(
        "keep the state of " + link.name(),
        new Undo.Restore(
            LinkIdentity.of(link, plan.given()),
            plan.podName(),
            plan.host().state().toText(),
            Programs.texts(plan.host().programs())),
        to -> {});
  }

  private void move(LinkPlan plan) {
    Link link = plan.host().link();
    steps.add(
        PlannedStep.of(
            "move " + link.name() + " into the pod: " + plan.settings(),
            new Undo.Home(LinkIdentity.of(link, plan.given()), plan.podName()),
            to ->
                to.host()
                    .route()
                    .links()
                    .change(
                        LinkKey.of(link.index()),
                        plan.settings().namespace(to.pod().namespace()))));
  }

  private void configure(LinkPlan plan) {
    if (!plan.sysctls().isEmpty()) {
      steps.add(
          PlannedStep.withLink(
              "set sysctls " + plan.sysctls() + " of " + plan.podName(),
              to -> setSysctls(to, plan.sysctls())));
    }
    for (InterfaceAddress one : plan.addresses()) {
      steps.add(
          PlannedStep.withLink(
              "add address " + one.address() + " to " + plan.podName(),
              to -> to.route().addresses().add(one.moved(one.index(), to.index()))));
    }
    steps.add(
        PlannedStep.withLink(
            "set " + plan.podName() + " up",
            to -> {
              if (!plan.asked().isEmpty()) {
                checkTaken(to, plan.asked());
              }
              to.route().links().change(to.key(), LinkSettings.none().up());
            }));
  }

  private static void checkTaken(AttachTransaction to, RequestedSettings asked) throws IOException {
    String missing = asked.missing(to.link());
    if (!missing.isEmpty()) {
      throw new IOException(
          "network interface %s: the kernel or driver ignored these settings: %s"
              .formatted(to.podName(), missing));
    }
  }

  /** Ignores missing IPv6 parameters: a kernel without IPv6 does not forward IPv6. */
  private static void setSysctls(AttachTransaction to, Map<String, String> values)
      throws IOException {
    LinkSysctls sysctls = LinkSysctls.of(to.pod().namespace(), to.podName());
    for (Map.Entry<String, LinuxException> one : sysctls.setAll(values).entrySet()) {
      if (!one.getKey().startsWith("ipv6/") || !one.getValue().is(Errno.ENOENT)) {
        throw one.getValue();
      }
    }
  }

  private void rest(LinkPlan plan) {
    if (!plan.features().isEmpty()) {
      steps.add(
          PlannedStep.withLink(
              "switch features " + plan.features() + " of " + plan.podName(),
              to -> {
                FeatureChange change = to.pod().ethtool().setFeatures(to.key(), plan.features());
                if (!change.refused().isEmpty()) {
                  throw new IOException(
                      "network interface %s: cannot change hardware features %s"
                          .formatted(to.podName(), change.refused()));
                }
              }));
    }
    if (!plan.privateFlags().isEmpty()) {
      steps.add(
          PlannedStep.withLink(
              "set private flags " + plan.privateFlags() + " of " + plan.podName(),
              to -> to.pod().ethtool().setPrivateFlags(to.key(), plan.privateFlags())));
    }
    if (plan.detachPrograms()) {
      steps.add(
          PlannedStep.withLink(
              "detach all BPF programs from " + plan.podName(),
              to -> Programs.detachAll(to.pod(), to.key(), to.index())));
    }
  }

  private void vrf(LinkPlan plan, VrfConfig vrf, Map<String, String> sysctls) {
    steps.add(
        PlannedStep.of(
            "put " + plan.podName() + " into VRF " + vrf.name() + ", table " + vrf.effectiveTable(),
            new Undo.LeaveVrf(vrf.name(), plan.podName(), VRF_MARK, sysctls),
            to -> enterVrf(to, vrf, plan.addresses())));
  }

  private static void enterVrf(
      AttachTransaction to, VrfConfig vrf, List<InterfaceAddress> addresses) throws IOException {
    int table = (int) vrf.effectiveTable();
    Link device;
    try {
      device =
          to.route()
              .links()
              .create(
                  NewLink.vrf(vrf.name(), table).with(LinkSettings.none().alias(VRF_MARK).up()));
    } catch (NetlinkException.Exists e) {
      device = to.route().links().get(vrf.name());
      if (!(device.data() instanceof LinkData.Vrf there) || there.table() != table) {
        throw new IOException(
            "the pod already has a link "
                + vrf.name()
                + " that is not a VRF with table "
                + vrf.effectiveTable(),
            e);
      }
      to.route().links().change(device, LinkSettings.none().up());
    }
    for (String sysctl : VRF_SYSCTLS) {
      to.pod().namespace().setSysctl(sysctl, "1");
    }
    to.route().links().change(to.key(), LinkSettings.none().master(device.index()));
    // Entering a VRF sets the link down and up, and the kernel drops its IPv6 addresses.
    Set<Object> there = new HashSet<>();
    to.route().addresses().list(to.key()).forEach(one -> there.add(one.address()));
    for (InterfaceAddress one : addresses) {
      if (!there.contains(one.address())) {
        to.route().addresses().add(one.moved(one.index(), to.index()));
      }
    }
  }

  private void routing(LinkPlan plan, List<Rule> missing) {
    for (PlannedRoute planned : plan.routes()) {
      Route one = planned.route();
      steps.add(
          PlannedStep.withLink(
              "add route " + withoutLink(one) + " dev " + plan.podName(),
              to -> addRoute(to, one, planned.repeated())));
    }
    if (!missing.isEmpty()) {
      steps.add(
          PlannedStep.of(
              "add rules " + missing.stream().map(Rule::toString).collect(joining("; ")),
              new Undo.DeleteRules(missing.stream().map(Rules::text).toList()),
              to -> {
                for (Rule one : missing) {
                  tolerant(() -> to.route().rules().add(one));
                }
              }));
    }
    for (Neighbour one : plan.neighbours()) {
      steps.add(
          PlannedStep.withLink(
              "add neighbour " + one.destination() + " at " + one.address(),
              to ->
                  tolerant(
                      () ->
                          to.route()
                              .neighbours()
                              .add(
                                  Neighbour.permanent(
                                      to.index(), one.destination(), one.address())))));
    }
  }

  /**
   * Adds a route. The kernel creates some routes from addresses, so an equal route of this link is
   * accepted; an equal route of another link is an error.
   */
  private static void addRoute(AttachTransaction to, Route route, boolean repeated)
      throws IOException {
    try {
      to.route().routes().add(route.withLink(to.index()));
    } catch (NetlinkException.Exists e) {
      if (repeated) {
        return;
      }
      for (Route there : to.route().routes().through(to.key())) {
        if (PodRoutes.key(there).equals(PodRoutes.key(route))
            && there.gateway().equals(route.gateway())) {
          return;
        }
      }
      throw e;
    }
  }

  /** Returns the text of a route without its link index, which is only valid on the host. */
  private static String withoutLink(Route route) {
    return route.toString().replaceFirst(" link [0-9]+", "");
  }

  /** Returns the step that moves an RDMA device. */
  static PlannedStep rdma(RdmaDevice device) {
    return PlannedStep.of(
        "move RDMA device " + device.name() + " into the pod",
        new Undo.ReturnRdma(device.name(), device.nodeGuid()),
        to -> {
          RdmaNetlink rdma = to.host().rdma();
          if (rdma == null) {
            throw new IOException("the kernel no longer supports RDMA");
          }
          rdma.move(device.index(), to.pod().namespace());
        });
  }

  private interface Request {
    void send() throws IOException;
  }

  /** Sends a request, and accepts that its object exists already. */
  private static void tolerant(Request request) throws IOException {
    try {
      request.send();
    } catch (NetlinkException.Exists e) {
      // as wanted
    }
  }
}
