package io.dra4j.dranet.attach;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.state.LinkStates;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import io.dra4j.spi.configuration.ConfigurationException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves network devices of a host into network namespaces of pods, and back. All steps are planned
 * and checked before anything changes. They are recorded in one write, and then executed. Each step
 * can be undone from its record alone, whether it was completed, partly executed or never begun.
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
 * <p>Thread-safe. A call that attaches a link waits until a call that restores it has ended. Do not
 * use two attachers for the same device at the same time.
 */
public final class Attacher {

  private static final Duration CARRIER = Duration.ofSeconds(10); // NICs negotiate with a switch

  private final NetworkNamespace host;
  private final Consumer<String> notices;
  private final LinkLocks locks = new LinkLocks();
  private final Map<String, Undo.Restore> pending = new ConcurrentHashMap<>();

  private final boolean takesUplinks;

  private Attacher(NetworkNamespace host, Consumer<String> notices, boolean takesUplinks) {
    this.host = host;
    this.notices = notices;
    this.takesUplinks = takesUplinks;
  }

  /**
   * {@return an attacher for the devices of a namespace}
   *
   * @param host the namespace of the devices; it must stay open while the attacher is used
   * @param notices receives notices for operators about events that are not failures: routes that
   *     are left out, settings that could not be restored
   */
  public static Attacher in(NetworkNamespace host, Consumer<String> notices) {
    return new Attacher(host, notices, false);
  }

  /**
   * {@return an attacher for the same host and notices that also moves links with a default route
   * of the host} The host may lose its network connection.
   */
  public Attacher takingUplinks() {
    return new Attacher(host, notices, true);
  }

  /**
   * {@return descriptions of the steps of {@link #attach}, in their order, without a change}
   *
   * @param requests the devices
   * @param pod the target namespace; null to skip all checks that depend on it, such as free names
   * @throws ConfigurationException if the devices do not support the configuration
   * @throws DriverException as {@link #attach}
   */
  public List<String> dryRun(List<AttachRequest> requests, @Nullable NetworkNamespace pod)
      throws DriverException {
    try (NamespaceSession from = NamespaceSession.open(host);
        NamespaceSession to = pod == null ? null : NamespaceSession.open(pod)) {
      return steps(planner(from, to).plan(requests)).stream().map(Step::name).toList();
    } catch (IOException e) {
      throw failure("plan", e);
    }
  }

  /**
   * {@return whether attaching moves anything: a link, or an RDMA device unless namespaces share
   * RDMA devices} If nothing moves, several pods can use the device, and so can a pod in the
   * network namespace of the host.
   *
   * @param request the device
   * @throws DriverException if the kernel does not answer
   */
  public boolean moves(AttachRequest request) throws DriverException {
    if (request.link() != null || request.rdmaDevice() == null) {
      return request.link() != null;
    }
    try (NamespaceSession from = NamespaceSession.open(host)) {
      RdmaNetlink rdma = from.rdma();
      return rdma != null && !rdma.isShared();
    } catch (IOException e) {
      throw failure("check whether RDMA devices are shared", e).forDevice(request.device());
    }
  }

  /**
   * Checks that the links exist on the host, have the requested identity, and can be moved,
   * regardless of their configuration. Changes nothing.
   *
   * @param requests the devices
   * @throws DriverException {@link DriverException.Kind#UNAVAILABLE} if a link no longer exists or
   *     was replaced, a default route of the host uses it, or it is a member of another link;
   *     {@link DriverException.Kind#INVALID} if the kernel never moves it
   */
  public void check(List<AttachRequest> requests) throws DriverException {
    try (NamespaceSession from = NamespaceSession.open(host)) {
      planner(from, null).check(requests);
    } catch (IOException e) {
      throw failure("check", e);
    }
  }

  /**
   * Attaches devices. If it fails, completed steps stay in effect until the journal is undone.
   *
   * @param requests the devices, all of one claim
   * @param pod the target namespace
   * @param journal records all steps before the first one is executed
   * @return the devices as they are in the pod
   * @throws ConfigurationException if devices do not support the configuration; nothing is recorded
   * @throws DriverException if a device no longer exists, a name in the pod is in use (both {@link
   *     DriverException.Kind#UNAVAILABLE}), or the kernel refuses a step; the message names the
   *     device and the step
   */
  public List<AttachedLink> attach(
      List<AttachRequest> requests, NetworkNamespace pod, Journal journal) throws DriverException {
    List<String> links =
        requests.stream().map(AttachRequest::link).filter(Objects::nonNull).toList();
    return locks.with(links, () -> attachLocked(requests, pod, journal));
  }

  private List<AttachedLink> attachLocked(
      List<AttachRequest> requests, NetworkNamespace pod, Journal journal) throws DriverException {
    try (NamespaceSession from = NamespaceSession.open(host);
        NamespaceSession to = NamespaceSession.open(pod)) {
      List<DevicePlan> plans = planner(from, to).plan(requests);
      journal.record(steps(plans));
      for (DevicePlan one : plans) {
        if (one.keep() != null) {
          journal.beginning(one.keep().step());
        }
      }
      List<AttachedLink> attached = new ArrayList<>();
      for (DevicePlan one : plans) {
        attached.add(run(one, from, to, journal));
      }
      return attached;
    } catch (IOException e) {
      throw failure("attach", e);
    }
  }

  /**
   * Returns the steps with the states of all links first. Steps are undone from the end, so links
   * are restored after everything has returned to the host.
   */
  private static List<Step> steps(List<DevicePlan> plans) {
    List<Step> steps = new ArrayList<>();
    for (DevicePlan one : plans) {
      if (one.keep() != null) {
        steps.add(one.keep().step());
      }
    }
    plans.forEach(plan -> plan.steps().forEach(one -> steps.add(one.step())));
    return steps;
  }

  private AttachPlanner planner(NamespaceSession from, @Nullable NamespaceSession to) {
    return new AttachPlanner(from, to, takesUplinks, pending::get, notices);
  }

  private static AttachedLink run(
      DevicePlan plan, NamespaceSession from, NamespaceSession to, Journal journal)
      throws DriverException {
    LinkPlan link = plan.link();
    String device = plan.request().device();
    AttachTransaction transaction =
        new AttachTransaction(from, to, link == null ? "" : link.podName());
    for (PlannedStep one : plan.steps()) {
      journal.beginning(one.step());
      try {
        one.action().run(transaction);
      } catch (IOException e) {
        DriverException failure = failure(one.step().name(), e);
        boolean isOfRdma = read(one.step()) instanceof Undo.ReturnRdma;
        throw (isOfRdma ? new RdmaDeviceException(failure) : failure).forDevice(device);
      }
    }
    if (link == null) {
      return new AttachedLink(device, "", "", List.of(), plan.rdma() != null);
    }
    return new AttachedLink(
        device,
        link.podName(),
        link.given().isEmpty() ? link.host().link().address().toString() : link.given(),
        link.addresses().stream().map(one -> one.address()).toList(),
        plan.rdma() != null);
  }

  /**
   * Undoes a step, whether it was completed, partly executed or never begun. If the step was
   * recorded before the machine was restarted, only restores name and namespace.
   *
   * @param step a step that {@link #attach} recorded, perhaps in another process
   * @param pod the namespace that the device was moved into; null if it has ended; if another
   *     namespace has its path now, the attacher reports that as a notice, does not change that
   *     namespace and proceeds as for null
   * @throws DriverException if the step cannot be undone now; {@link
   *     DriverException.Kind#UNAVAILABLE} if the link still exists and is neither on the host nor
   *     in its pod
   */
  public void undo(Step step, @Nullable NetworkNamespace pod) throws DriverException {
    undo(step, pod, false);
  }

  /**
   * Undoes a step as {@link #undo(Step, NetworkNamespace)} does.
   *
   * @param step a step that {@link #attach} recorded, perhaps in another process
   * @param pod the namespace that the device was moved into; null if it has ended
   * @param otherBoot whether the caller knows that the step was recorded before the machine was
   *     restarted; if false, the record of the step decides
   * @throws DriverException as {@link #undo(Step, NetworkNamespace)}
   */
  public void undo(Step step, @Nullable NetworkNamespace pod, boolean otherBoot)
      throws DriverException {
    Undo undo = read(step);
    if (undo instanceof Undo.WithLink) {
      return;
    }
    boolean marked = NamespaceMark.in(step.undo()).filter(NamespaceMark::isOfOtherBoot).isPresent();
    boolean before = otherBoot || marked;
    if (undo instanceof Undo.Restore one && !before) {
      restore(step, one);
    } else {
      locks.with(links(undo), () -> undoLocked(step, undo, marked ? null : pod, before));
    }
    if (undo instanceof Undo.Restore one) {
      pending.remove(one.link().name(), one);
    }
  }

  private Undo undoLocked(Step step, Undo undo, @Nullable NetworkNamespace pod, boolean otherBoot)
      throws DriverException {
    try (NamespaceSession to = NamespaceSession.open(host);
        NamespaceSession from = pod == null ? null : NamespaceSession.open(pod)) {
      NamespaceSession same = isOther(step, from) ? null : from;
      new Rollback(to, same, otherBoot, notices).undo(undo);
      return undo;
    } catch (IOException e) {
      throw failure("undo '" + step.name() + "'", e);
    }
  }

  /** Restores a link. While it waits for a carrier, the link is free for the next pod. */
  private void restore(Step step, Undo.Restore one) throws DriverException {
    List<String> link = List.of(one.link().name());
    Optional<Link> waiting = locks.with(link, () -> restoreLocked(step, one, false));
    if (waiting.isPresent()) {
      try (LinkStates states = LinkStates.open(host)) {
        states.awaitCarrier(waiting.get(), CARRIER);
      } catch (NetlinkException.NotFound e) {
        return; // it is in the next pod
      } catch (IOException e) {
        throw failure("undo '" + step.name() + "'", e);
      }
      locks.with(link, () -> restoreLocked(step, one, true));
    }
  }

  private Optional<Link> restoreLocked(Step step, Undo.Restore one, boolean isLast)
      throws DriverException {
    try (NamespaceSession to = NamespaceSession.open(host)) {
      return Optional.ofNullable(new Rollback(to, null, false, notices).restore(one, isLast));
    } catch (IOException e) {
      throw failure("undo '" + step.name() + "'", e);
    }
  }

  /**
   * {@return whether the step only restores settings of a link after it is back in its original
   * namespace; false for a step that no attacher recorded} Such steps are recorded first and undone
   * last. They can be undone later if they are passed to {@link #defer}.
   *
   * @param step a step
   */
  public static boolean restores(Step step) {
    try {
      return Undo.parse(step.undo()) instanceof Undo.Restore;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Saves the state in a step that {@link #restores} a link and that is undone later. If the link
   * is attached before that, the saved state counts as its original state.
   *
   * @param step a step
   * @throws DriverException if no attacher recorded the step
   */
  public void defer(Step step) throws DriverException {
    if (read(step) instanceof Undo.Restore one) {
      pending.put(one.link().name(), one);
    }
  }

  /**
   * Discards the saved state to which the links of these devices would be restored. Call it when
   * their claims have ended, whether or not their steps were undone; the current state of the links
   * then counts as their own.
   *
   * @param requests the devices
   */
  public void forget(List<AttachRequest> requests) {
    for (AttachRequest one : requests) {
      if (one.link() != null) {
        pending.remove(one.link());
      }
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

  /** Whether a namespace is not the step's: a later one can have its path and even inode number. */
  private boolean isOther(Step step, @Nullable NamespaceSession now) {
    if (now == null
        || NamespaceMark.in(step.undo()).filter(NamespaceMark.of(now)::excludes).isEmpty()) {
      return false;
    }
    notices.accept(
        "the network namespace of '"
            + step.name()
            + "' has ended or has another path; "
            + now.namespace()
            + " now has its path, was not used by this driver and is not changed");
    return true;
  }

  /** Returns the exception for a failure: unavailable if a retry can succeed, otherwise failed. */
  static DriverException failure(String what, IOException e) {
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
}
