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
 * The steps that bring a link into a pod, in their order: moved first, its policy before it is up,
 * features and programs once it is there, routes last; its RDMA device after it.
 */
final class AttachSteps {

  /** The alias of VRFs that the driver made, and so may delete. */
  static final String VRF_MARK = "made by dra4j";

  private static final List<String> VRF_SYSCTLS =
      List.of("net/ipv4/tcp_l3mdev_accept", "net/ipv4/udp_l3mdev_accept");

  private final List<PlannedStep> steps = new ArrayList<>();

  private AttachSteps() {}

  /**
   * The steps for a link.
   *
   * @param plan the state that the link gets in the pod
   * @param missing those of its rules that the pod does not have
   * @param sysctls parameters of the pod as they are, for those that a VRF needs
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

  /** The parameters of a pod that a VRF needs. */
  static List<String> vrfSysctls() {
    return VRF_SYSCTLS;
  }

  /** The step that keeps what the link is on the host; it changes nothing. */
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
      throw new IOException("kernel or device did not take what was asked for: " + missing);
    }
  }

  /** A kernel without IPv6 forwards nothing of it. */
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
                      "the hardware does not switch features " + change.refused() + " as wanted");
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
            "the pod has a link " + vrf.name() + " that is no VRF of table " + vrf.effectiveTable(),
            e);
      }
      to.route().links().change(device, LinkSettings.none().up());
    }
    for (String sysctl : VRF_SYSCTLS) {
      to.pod().namespace().setSysctl(sysctl, "1");
    }
    to.route().links().change(to.key(), LinkSettings.none().master(device.index()));
    // Entering takes the link down and up, by which the kernel drops its IPv6 addresses.
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

  /** The kernel makes some routes of addresses; one of another link is in the way. */
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

  /** The index is that of the host. */
  private static String withoutLink(Route route) {
    return route.toString().replaceFirst(" link [0-9]+", "");
  }

  /** The step that moves an RDMA device. */
  static PlannedStep rdma(RdmaDevice device) {
    return PlannedStep.of(
        "move RDMA device " + device.name() + " into the pod",
        new Undo.ReturnRdma(device.name(), device.nodeGuid()),
        to -> {
          RdmaNetlink rdma = to.host().rdma();
          if (rdma == null) {
            throw new IOException("the kernel knows no RDMA any more");
          }
          rdma.move(device.index(), to.pod().namespace());
        });
  }

  private interface Request {
    void send() throws IOException;
  }

  /** What is there already is as wanted. */
  private static void tolerant(Request request) throws IOException {
    try {
      request.send();
    } catch (NetlinkException.Exists e) {
      // as wanted
    }
  }
}
