package io.dra4j.dranet.attach;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.config.VrfConfig;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaDevice;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.Rule;
import io.dra4j.netlink.state.LinkStates;
import io.dra4j.netlink.state.Obstacle;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Brings network devices of a host into network namespaces of pods, and back. All that is to be
 * done is worked out and checked before anything changes, recorded in one write, then done; each
 * step can be undone from its record alone, whether it was done, in part, or never begun.
 *
 * <pre>{@code
 * Attacher attacher = Attacher.in(host, notice -> log.info(notice));
 * AttachRequest request = AttachRequest.ofLink("eth0", NetworkConfig.parse(json));
 * attacher.dryRun(List.of(request), pod).forEach(System.out::println);
 * attacher.attach(List.of(request), pod, journal);
 * ...
 * journal.undo(step -> attacher.undo(step, pod)); // also after a failure, or in a later process
 * }</pre>
 *
 * <p>Immutable and thread-safe, but two that attach or undo the same device at once disturb each
 * other.
 */
public final class Attacher {

  /** Kinds that the kernel never moves (netns_immutable of linux/netdevice.h). */
  private static final Set<String> IMMOVABLE =
      Set.of("bridge", "bond", "team", "vrf", "hsr", "batadv", "amt");

  private final NetworkNamespace host;
  private final Consumer<String> notices;

  private Attacher(NetworkNamespace host, Consumer<String> notices) {
    this.host = host;
    this.notices = notices;
  }

  /**
   * Makes an attacher.
   *
   * @param host the namespace that the devices are in; stays open as long as the attacher is used
   * @param notices hears what operators should know though nothing failed: routes that are left
   *     out, facts that could not be restored
   * @return the attacher
   */
  public static Attacher in(NetworkNamespace host, Consumer<String> notices) {
    return new Attacher(host, notices);
  }

  /** All that is to be done for one request. */
  private record Job(
      AttachRequest request,
      @Nullable LinkPlan plan,
      @Nullable RdmaDevice rdma,
      List<PlannedStep> steps) {}

  /**
   * Works out the steps that {@link #attach} would take, and changes nothing.
   *
   * @param requests the devices
   * @param pod the namespace that they would go into; null to leave out what depends on it, such as
   *     whether a name is free there
   * @return the steps in words, in their order
   * @throws ConfigurationException if the configuration asks for what the devices do not allow
   * @throws DriverException as {@link #attach}
   */
  public List<String> dryRun(List<AttachRequest> requests, @Nullable NetworkNamespace pod)
      throws DriverException {
    try (NamespaceSession from = NamespaceSession.open(host);
        NamespaceSession to = pod == null ? null : NamespaceSession.open(pod)) {
      return plan(requests, from, to).stream()
          .flatMap(job -> job.steps.stream())
          .map(one -> one.step().name())
          .toList();
    } catch (IOException e) {
      throw failure("plan", e);
    }
  }

  /**
   * Attaches devices. When it fails, what it has done stays until the journal is undone.
   *
   * @param requests the devices, all of one claim
   * @param pod the namespace that they go into
   * @param journal takes the steps, all of them before the first is done
   * @return the devices as they are in the pod
   * @throws ConfigurationException if the configuration asks for what the devices do not allow;
   *     nothing was changed or recorded
   * @throws DriverException if a device is gone, a name in the pod is taken (both {@link
   *     DriverException.Kind#UNAVAILABLE}), or the kernel refuses a step; the message names device
   *     and step
   */
  public List<AttachedLink> attach(
      List<AttachRequest> requests, NetworkNamespace pod, Journal journal) throws DriverException {
    try (NamespaceSession from = NamespaceSession.open(host);
        NamespaceSession to = NamespaceSession.open(pod)) {
      List<Job> jobs = plan(requests, from, to);
      journal.record(
          jobs.stream().flatMap(job -> job.steps.stream()).map(PlannedStep::step).toList());
      List<AttachedLink> attached = new ArrayList<>();
      for (Job job : jobs) {
        attached.add(run(job, from, to, journal));
      }
      return attached;
    } catch (IOException e) {
      throw failure("attach", e);
    }
  }

  private static AttachedLink run(
      Job job, NamespaceSession from, NamespaceSession to, Journal journal) throws DriverException {
    LinkPlan plan = job.plan;
    Attaching attaching = new Attaching(from, to, plan == null ? "" : plan.podName());
    for (PlannedStep one : job.steps) {
      journal.beginning(one.step());
      try {
        one.action().run(attaching);
      } catch (IOException e) {
        throw failure(one.step().name(), e).forDevice(job.request.device());
      }
    }
    if (plan == null) {
      return new AttachedLink(job.request.device(), "", "", List.of(), job.rdma != null);
    }
    return new AttachedLink(
        job.request.device(),
        plan.podName(),
        plan.given().isEmpty() ? plan.host().link().address().toString() : plan.given(),
        plan.addresses().stream().map(one -> one.address()).toList(),
        job.rdma != null);
  }

  private List<Job> plan(
      List<AttachRequest> requests, NamespaceSession from, @Nullable NamespaceSession to)
      throws IOException, DriverException {
    List<Job> jobs = new ArrayList<>();
    Taken taken = new Taken();
    List<Rule> rules = new ArrayList<>();
    try (LinkStates states = LinkStates.open(host)) {
      for (AttachRequest request : requests) {
        try {
          jobs.add(job(request, from, to, states, taken, rules));
        } catch (IOException e) {
          throw failure("plan", e).forDevice(request.device());
        }
      }
    }
    return jobs;
  }

  /**
   * All that is to be done for one device.
   *
   * @param rules the rules of the pod and those that go there, which grow; empty until they matter
   */
  private Job job(
      AttachRequest request,
      NamespaceSession from,
      @Nullable NamespaceSession to,
      LinkStates states,
      Taken taken,
      List<Rule> rules)
      throws IOException, DriverException {
    List<PlannedStep> steps = new ArrayList<>();
    LinkPlan plan = null;
    if (request.link() == null) {
      refuse(request, request.config().problemsWithoutInterface());
    } else {
      plan = linkPlan(request, request.link(), from, states, taken);
      if (to != null) {
        checkFree(request, plan, to);
        if (!plan.rules().isEmpty() && rules.isEmpty()) {
          rules.addAll(to.route().rules().list());
        }
      }
      List<Rule> missing = Rules.missing(plan.rules(), rules);
      rules.addAll(missing);
      steps.addAll(AttachSteps.of(plan, missing, sysctls(plan, to)));
    }
    RdmaDevice rdma = rdma(request, from);
    if (rdma != null) {
      steps.add(AttachSteps.rdma(rdma));
    }
    if (to != null) {
      NamespaceMark mark = NamespaceMark.of(to);
      steps.replaceAll(one -> one.in(mark));
    }
    for (PlannedStep one : steps) {
      if (one.step().undo().length() > Undo.MAX_TEXT) {
        throw DriverException.failed(
                "more routes and addresses than can be recorded: "
                    + one.step().undo().length()
                    + " bytes, at most "
                    + Undo.MAX_TEXT,
                null)
            .forDevice(request.device());
      }
    }
    return new Job(request, plan, rdma, steps);
  }

  private LinkPlan linkPlan(
      AttachRequest request, String link, NamespaceSession from, LinkStates states, Taken taken)
      throws IOException, DriverException {
    HostLink read;
    try {
      read = HostLink.read(from, states, request, link);
    } catch (NetlinkException.NotFound e) {
      throw DriverException.unavailable("no network interface " + link + " on the host")
          .forDevice(request.device());
    }
    Link there = read.link();
    if (there.isLoopback() || IMMOVABLE.contains(there.kind())) {
      throw DriverException.invalid(
              link
                  + " cannot be moved: a "
                  + (there.isLoopback() ? "loopback" : there.kind())
                  + " stays in its network namespace")
          .forDevice(request.device());
    }
    String found = AttachRequest.identityOf(there);
    if (!request.identity().isEmpty() && !request.identity().equals(found)) {
      throw DriverException.unavailable(
              "network interface "
                  + link
                  + " on the host is another one by now: "
                  + found
                  + ", and not "
                  + request.identity())
          .forDevice(request.device());
    }
    List<Obstacle> obstacles = read.state().obstacles();
    if (!obstacles.isEmpty()) {
      String reasons = obstacles.stream().map(Obstacle::text).collect(Collectors.joining(". "));
      throw DriverException.invalid(link + " cannot be moved: " + reasons)
          .forDevice(request.device());
    }
    List<ConfigurationProblem> problems = new ArrayList<>();
    LinkPlan plan =
        new LinkPlanner(
                request, read, problems, text -> notices.accept(request.device() + ": " + text))
            .plan();
    taken.check(plan, request.config(), problems);
    refuse(request, problems);
    return plan;
  }

  private static void refuse(AttachRequest request, List<ConfigurationProblem> problems)
      throws DriverException {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems).forDevice(request.device());
    }
  }

  private static void checkFree(AttachRequest request, LinkPlan plan, NamespaceSession to)
      throws IOException, DriverException {
    // The kernel looks whether a name is free only after it has moved the link.
    if (to.route().links().find(plan.podName()).isPresent()) {
      throw DriverException.unavailable(
              "the pod has an interface "
                  + plan.podName()
                  + " already; /interface/name says another")
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

  /** The RDMA device if it has to be moved: where namespaces do not share them. */
  private static @Nullable RdmaDevice rdma(AttachRequest request, NamespaceSession from)
      throws IOException, DriverException {
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
                DriverException.unavailable(
                        "no RDMA device " + request.rdmaDevice() + " on the host")
                    .forDevice(request.device()));
  }

  /**
   * Undoes a step, whether it was done, in part, or not at all.
   *
   * @param step a step that {@link #attach} recorded, perhaps in another process
   * @param pod the namespace that the device went into; null if it is gone; another one, which has
   *     its path by now, is told to the listener of notices, left alone and taken as null
   * @throws DriverException if it cannot be undone now
   */
  public void undo(Step step, @Nullable NetworkNamespace pod) throws DriverException {
    Undo undo;
    try {
      undo = Undo.parse(step.undo());
    } catch (IllegalArgumentException e) {
      throw DriverException.failed("step '" + step.name() + "': " + e.getMessage(), e);
    }
    if (undo instanceof Undo.WithLink) {
      return;
    }
    try (NamespaceSession to = NamespaceSession.open(host);
        NamespaceSession from = pod == null ? null : NamespaceSession.open(pod)) {
      new Undoing(to, isOther(step, from) ? null : from, notices).undo(undo);
    } catch (IOException e) {
      throw failure("undo '" + step.name() + "'", e);
    }
  }

  /** A namespace that was made later may have the path, and even the number, of one that ended. */
  private boolean isOther(Step step, @Nullable NamespaceSession now) {
    if (now == null
        || NamespaceMark.in(step.undo()).filter(NamespaceMark.of(now)::excludes).isEmpty()) {
      return false;
    }
    notices.accept(
        "the network namespace of '"
            + step.name()
            + "' has ended or has another path; the one that is there now, "
            + now.namespace()
            + ", was made by somebody else and is left alone");
    return true;
  }

  /** What the kernel said, and whether it makes sense to ask again. */
  private static DriverException failure(String what, IOException e) {
    boolean gone =
        e instanceof NetlinkException.NotFound
            || e instanceof NetlinkException.Exists
            || e instanceof NetlinkException.Busy;
    String problem = what + ": " + e.getMessage();
    if (!gone) {
      return DriverException.failed(problem, e);
    }
    DriverException unavailable = DriverException.unavailable(problem);
    unavailable.addSuppressed(e);
    return unavailable;
  }

  /** What several devices of a claim may not have in common. */
  private static final class Taken {

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Long> vrfs = new HashMap<>();
    private final Map<Object, String> addresses = new HashMap<>();

    void check(LinkPlan plan, NetworkConfig config, List<ConfigurationProblem> problems) {
      String link = plan.host().link().name();
      String other = names.putIfAbsent(plan.podName(), link);
      if (other != null) {
        problems.add(
            new ConfigurationProblem(
                "/interface/name",
                "'"
                    + plan.podName()
                    + "' is the name of "
                    + other
                    + " in the pod, too; %d in a name stands for the number of the device"));
      }
      VrfConfig vrf = plan.vrf();
      if (vrf != null) {
        Long table = vrfs.putIfAbsent(vrf.name(), vrf.effectiveTable());
        if (table != null && table != vrf.effectiveTable()) {
          problems.add(
              new ConfigurationProblem(
                  "/interface/vrf/table",
                  "VRF "
                      + vrf.name()
                      + " has table "
                      + table
                      + " for another device, not "
                      + vrf.effectiveTable()));
        }
      }
      for (String name : vrfs.keySet()) {
        if (names.containsKey(name) && !name.equals(plan.podName())) {
          problems.add(
              new ConfigurationProblem(
                  "/interface/vrf/name",
                  "'" + name + "' is the name of " + names.get(name) + " in the pod"));
        } else if (names.containsKey(name) && (vrf == null || !vrf.name().equals(name))) {
          problems.add(
              new ConfigurationProblem(
                  "/interface/name", "'" + name + "' is the name of a VRF in the pod, too"));
        }
      }
      if (!plan.given().isEmpty()) {
        String before = addresses.putIfAbsent(plan.given(), link);
        if (before != null) {
          problems.add(
              new ConfigurationProblem(
                  "/interface/hardwareAddr", plan.given() + " is given to " + before + ", too"));
        }
      }
      if (config.link().addresses() != null) {
        for (int i = 0; i < plan.addresses().size(); i++) {
          Object address = plan.addresses().get(i).address().address();
          String before = addresses.putIfAbsent(address, link);
          if (before != null) {
            problems.add(
                new ConfigurationProblem(
                    "/interface/addresses/" + i, address + " is given to " + before + ", too"));
          }
        }
      }
    }
  }
}
