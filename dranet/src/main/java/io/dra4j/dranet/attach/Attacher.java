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
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
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
 * <p>Thread-safe. A link that one call restores is attached by another when that has ended. Two
 * attachers that attach or undo the same device at once disturb each other.
 */
public final class Attacher {

  /** Kinds that the kernel never moves (netns_immutable of linux/netdevice.h). */
  private static final Set<String> IMMOVABLE =
      Set.of("bridge", "bond", "team", "vrf", "hsr", "batadv", "amt");

  private final NetworkNamespace host;
  private final Consumer<String> notices;
  private final LinkLocks locks = new LinkLocks();
  private final Map<String, Undo.Restore> pending = new ConcurrentHashMap<>();

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
      @Nullable PlannedStep keep,
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
      return steps(plan(requests, from, to)).stream().map(Step::name).toList();
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
    List<String> links =
        requests.stream().map(AttachRequest::link).filter(Objects::nonNull).toList();
    try (LinkLocks.Held held = locks.lock(links);
        NamespaceSession from = NamespaceSession.open(host);
        NamespaceSession to = NamespaceSession.open(pod)) {
      List<Job> jobs = plan(requests, from, to);
      journal.record(steps(jobs));
      for (Job job : jobs) {
        if (job.keep != null) {
          journal.beginning(job.keep.step());
        }
      }
      List<AttachedLink> attached = new ArrayList<>();
      for (Job job : jobs) {
        attached.add(run(job, from, to, journal));
      }
      return attached;
    } catch (IOException e) {
      throw failure("attach", e);
    }
  }

  /**
   * The states of all links come first, so that they are restored when everything is home: what is
   * undone is undone from the end.
   */
  private static List<Step> steps(List<Job> jobs) {
    List<Step> steps = new ArrayList<>();
    for (Job job : jobs) {
      if (job.keep != null) {
        steps.add(job.keep.step());
      }
    }
    jobs.forEach(job -> job.steps.forEach(one -> steps.add(one.step())));
    return steps;
  }

  private static AttachedLink run(
      Job job, NamespaceSession from, NamespaceSession to, Journal journal) throws DriverException {
    LinkPlan plan = job.plan;
    AttachTransaction attaching = new AttachTransaction(from, to, plan == null ? "" : plan.podName());
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
    PlannedStep keep = plan == null ? null : AttachSteps.keep(plan);
    if (to != null) {
      NamespaceMark mark = NamespaceMark.of(to);
      steps.replaceAll(one -> one.in(mark));
      keep = keep == null ? null : keep.in(mark);
    }
    if (keep != null && keep.step().undo().length() > Undo.MAX_TEXT) {
      throw DriverException.failed(
              "more routes and addresses than can be recorded: "
                  + keep.step().undo().length()
                  + " bytes, at most "
                  + Undo.MAX_TEXT,
              null)
          .forDevice(request.device());
    }
    return new Job(request, plan, rdma, keep, steps);
  }

  private LinkPlan linkPlan(
      AttachRequest request, String link, NamespaceSession from, LinkStates states, Taken taken)
      throws IOException, DriverException {
    HostLink read;
    try {
      read = HostLink.read(from, states, request, link, pending.get(link));
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
   * Undoes a step, whether it was done, in part, or not at all. A step that was recorded before the
   * machine was started anew brings home name and namespace, and writes nothing else.
   *
   * @param step a step that {@link #attach} recorded, perhaps in another process
   * @param pod the namespace that the device went into; null if it has ended; another one, which
   *     has its path by now, is reported to the listener of notices, left alone and taken as null
   * @throws DriverException if it cannot be undone now; {@link DriverException.Kind#UNAVAILABLE} if
   *     the link still exists and is neither on the host nor in its pod
   */
  public void undo(Step step, @Nullable NetworkNamespace pod) throws DriverException {
    undo(step, pod, false);
  }

  /**
   * Undoes a step as {@link #undo(Step, NetworkNamespace)} does.
   *
   * @param step a step that {@link #attach} recorded, perhaps in another process
   * @param pod the namespace that the device went into; null if it has ended
   * @param otherBoot whether the caller knows that the step was recorded before the machine was
   *     started anew; where false, the step itself decides
   * @throws DriverException as the other method
   */
  public void undo(Step step, @Nullable NetworkNamespace pod, boolean otherBoot)
      throws DriverException {
    Undo undo = read(step);
    if (undo instanceof Undo.WithLink) {
      return;
    }
    boolean before =
        otherBoot
            || NamespaceMark.in(step.undo()).filter(NamespaceMark::isOfOtherBoot).isPresent();
    try (LinkLocks.Held held = locks.lock(links(undo));
        NamespaceSession to = NamespaceSession.open(host);
        NamespaceSession from = pod == null || before ? null : NamespaceSession.open(pod)) {
      new Rollback(to, isOther(step, from) ? null : from, before, notices).undo(undo);
    } catch (IOException e) {
      throw failure("undo '" + step.name() + "'", e);
    }
    if (undo instanceof Undo.Restore one) {
      pending.remove(one.link().name(), one);
    }
  }

  /**
   * Says whether undoing a step only restores what a link was before, once it is home. Such steps
   * are recorded first and undone last. They can be left for later, if the attacher is informed
   * with {@link #defer}.
   *
   * @param step a step
   * @return whether it is such a step of an attacher
   */
  public static boolean restores(Step step) {
    try {
      return Undo.parse(step.undo()) instanceof Undo.Restore;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Takes note of a step that {@link #restores} a link, and that is undone later. If the link is
   * attached before, it is taken for what the step has kept of it.
   *
   * @param step a step
   * @throws DriverException if it is no step of an attacher
   */
  public void defer(Step step) throws DriverException {
    if (read(step) instanceof Undo.Restore one) {
      pending.put(one.link().name(), one);
    }
  }

  private static Undo read(Step step) throws DriverException {
    try {
      return Undo.parse(step.undo());
    } catch (IllegalArgumentException e) {
      throw DriverException.failed("step '" + step.name() + "': " + e.getMessage(), e);
    }
  }

  private static List<String> links(Undo undo) {
    if (undo instanceof Undo.Home one) {
      return List.of(one.link().name());
    } else if (undo instanceof Undo.Restore one) {
      return List.of(one.link().name());
    }
    return undo instanceof Undo.ReturnLink one ? List.of(one.home().link().name()) : List.of();
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
