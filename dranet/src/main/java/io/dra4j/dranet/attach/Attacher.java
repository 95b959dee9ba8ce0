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

  private static final Duration CARRIER = Duration.ofSeconds(10); // NICs agree with a switch

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
   * Makes an attacher.
   *
   * @param host the namespace that the devices are in; stays open as long as the attacher is used
   * @param notices hears what operators should know though nothing failed: routes that are left
   *     out, facts that could not be restored
   * @return the attacher
   */
  public static Attacher in(NetworkNamespace host, Consumer<String> notices) {
    return new Attacher(host, notices, false);
  }

  /**
   * Makes an attacher that also moves a link over which a default route of the host leads. The host
   * may be off the network afterwards.
   *
   * @return another attacher, of the same host and notices
   */
  public Attacher takingUplinks() {
    return new Attacher(host, notices, true);
  }

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
      return steps(planner(from, to).plan(requests)).stream().map(Step::name).toList();
    } catch (IOException e) {
      throw failure("plan", e);
    }
  }

  /**
   * Says whether attaching would move anything: a link, or an RDMA device where namespaces do not
   * share them. Where nothing moves, a pod in the network namespace of the host can have the
   * device, and so can several pods.
   *
   * @param request the device
   * @return whether attaching moves something
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
      throw failure("look whether RDMA devices are shared", e).forDevice(request.device());
    }
  }

  /**
   * Checks that the links are on the host, are those that are meant, and can be moved, whatever
   * their configuration is. Changes nothing.
   *
   * @param requests the devices
   * @throws DriverException if a link is gone or is another one by now, a default route of the host
   *     leads over it, or it is a member of another link ({@link
   *     DriverException.Kind#UNAVAILABLE}), or the kernel never moves it ({@link
   *     DriverException.Kind#INVALID})
   */
  public void check(List<AttachRequest> requests) throws DriverException {
    try (NamespaceSession from = NamespaceSession.open(host)) {
      planner(from, null).check(requests);
    } catch (IOException e) {
      throw failure("check", e);
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
   * The states of all links come first, so that they are restored when everything is home: what is
   * undone is undone from the end.
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

  /** While it waits for a carrier, the link is free for the next pod. */
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

  /**
   * Forgets what links were to be restored to: the claims that had them have ended, whether or not
   * their steps were undone, and the links are taken for what they are.
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
            + ", was not made by this driver and is left alone");
    return true;
  }

  /** What the kernel said, and whether it makes sense to ask again. */
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
