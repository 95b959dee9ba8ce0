package io.dra4j.testkit.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.SliceLimits;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DeviceDriver;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverContext;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import io.dra4j.spi.publish.DevicePool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * What every {@link PreparingDriver} keeps to, as tests. The author of a driver extends it in the
 * tests of the driver and says how to make one, on which host, and how to see what it changed
 * there; JUnit finds the tests by itself:
 *
 * <pre>{@code
 * class FpgaDriverKitTest extends DriverKit {
 *   protected PreparingDriver newDriver() { return new FpgaDriver(folder); }
 *   protected HostInventory host() { return TopologyReaders.installed().read(Host.captured(root)); }
 *   protected Object hostState() { return filesBelow(folder); }
 * }
 * }</pre>
 *
 * <p>A crash is simulated: the journal throws an {@link Error} at one point after the other, the
 * driver is thrown away, and a new one gets the journal, as a runtime would hand it over after a
 * restart.
 */
public abstract class DriverKit {

  private static final int MOST_POINTS = 10_000;

  /** For subclasses. */
  protected DriverKit() {}

  /**
   * Makes a driver as a new process would: it knows nothing of earlier ones.
   *
   * @return the driver
   * @throws Exception if it cannot be made
   */
  protected abstract PreparingDriver newDriver() throws Exception;

  /**
   * Reads the host on which the driver works. At least one device of the driver must be on it.
   *
   * @return the same facts each time
   * @throws Exception if it cannot be read
   */
  protected abstract HostInventory host() throws Exception;

  /**
   * Returns what the driver changes on the host: files, links, registers. It is compared with
   * {@code equals} before and after, also while a claim is attached, and printed if it differs.
   *
   * @return the state; the same for a driver that changes nothing, which is the default
   * @throws Exception if it cannot be read
   */
  protected Object hostState() throws Exception {
    return "";
  }

  /**
   * Starts the host anew: what the driver changed is as the kernel makes it at a start. Override it
   * for a driver whose changes the kernel forgets; {@link #hostState} is then as it was before the
   * tests.
   *
   * @return whether the kernel forgets the changes of the driver; false, which is the default, if
   *     they outlive a reboot
   * @throws Exception if that cannot be simulated
   */
  protected boolean reboot() throws Exception {
    return false;
  }

  /**
   * Makes drivers of other releases, as new processes would: claims that one release has prepared
   * are taken back by the next one after an upgrade, and by the one before after a downgrade. A
   * test keeps of an earlier release what stores and undoes its steps.
   *
   * @return one driver for each release that a node can be upgraded from or downgraded to; empty,
   *     which is the default, for a first release
   * @throws Exception if one cannot be made
   */
  protected List<PreparingDriver> otherReleases() throws Exception {
    return List.of();
  }

  /**
   * Makes a step as a later release might store it: after a downgrade it is in the journal of a
   * claim, and this release does not know it. Override it for a driver whose steps cannot be
   * distinguished from this one.
   *
   * @return a step that {@code undo} of this release must refuse
   */
  protected Step stepOfALaterRelease() {
    return new Step("a step of a later release", "v999 of a later release");
  }

  /**
   * The parameters that claims of these tests have.
   *
   * @param device the device that they are for
   * @return JSON that the driver accepts; empty, which is the default, for none
   */
  protected String parameters(Device device) {
    return "";
  }

  /**
   * A sandbox to attach to.
   *
   * @return by default one whose network namespace is not there, which is right for drivers that
   *     attach nothing
   * @throws Exception if it cannot be made
   */
  protected Sandbox sandbox() throws Exception {
    return Sandbox.ofPod("kit", "kit-pod")
        .pod("default", "kit")
        .networkNamespace(Path.of("/run/netns/dra4j-kit"))
        .build();
  }

  /**
   * The devices that claims of these tests get. They are of one pool and can be had together: a
   * device and a part of it cannot.
   *
   * @param offered what the driver offers in its first pool that has devices, that of the node
   *     before others
   * @return some of them; empty, which is the default, for the first two that can be had together.
   *     A filter that finds nothing gives those two as well.
   */
  protected List<Device> chosen(List<Device> offered) {
    return List.of();
  }

  // Discovery.

  /**
   * The name of the driver is a DNS subdomain.
   *
   * @throws Exception if the driver cannot be made
   */
  @Test
  public void itsNameIsADnsSubdomainOfAtMost63Bytes() throws Exception {
    String name = newDriver().name();

    assertTrue(SliceLimits.isDriverName(name), () -> "'" + name + "'");
    assertEquals(name, newDriver().name());
  }

  /**
   * Devices are what the API server takes.
   *
   * @throws Exception if the driver cannot be made
   */
  @Test
  public void itsDevicesKeepTheLimitsOfTheApi() throws Exception {
    Map<String, DevicePool> pools = started().offers(host());

    assertTrue(
        pools.values().stream().anyMatch(pool -> !pool.devices().isEmpty()),
        "no devices on the host of the kit");
    List<String> problems = new ArrayList<>();
    pools.forEach(
        (name, pool) -> {
          if (!name.equals(DeviceDriver.NODE_POOL) && !SliceLimits.isPoolName(name)) {
            problems.add("'" + name + "' is no name of a pool");
          }
          problems.addAll(DeviceRules.problems(pool.devices()));
        });
    assertEquals(List.of(), problems);
  }

  /**
   * Devices draw on counters that are in their pool, and no more than there is.
   *
   * @throws Exception if the driver cannot be made
   */
  @Test
  public void itsDevicesDrawOnCountersThatAreThere() throws Exception {
    Map<String, DevicePool> pools = started().offers(host());

    List<String> problems = new ArrayList<>();
    pools.forEach(
        (name, pool) -> problems.addAll(CounterRules.problems(pool.devices(), pool.counters())));
    assertEquals(List.of(), problems);
    assertEquals(pools, started().offers(host()), "the same host gives the same pools");
  }

  /**
   * In a pool with a partition type, devices that draw on counters have it as text.
   *
   * @throws Exception if the driver cannot be made
   */
  @Test
  public void itsPartitionsHaveTheirType() throws Exception {
    PreparingDriver driver = started();

    List<String> problems = new ArrayList<>();
    driver
        .offers(host())
        .forEach(
            (name, pool) ->
                pool.devices()
                    .forEach(
                        device ->
                            pool.partitionProblem(driver.name(), device)
                                .ifPresent(
                                    problem ->
                                        problems.add(
                                            "device '%s' %s".formatted(device.name(), problem)))));
    assertEquals(List.of(), problems);
  }

  /**
   * Health is reported of devices that are offered, once of each, and asking for it changes
   * nothing.
   *
   * @throws Exception if the driver cannot be made
   */
  @Test
  public void itsHealthIsThatOfItsDevices() throws Exception {
    PreparingDriver driver = started();
    Object before = hostState();
    Set<DeviceId> offered = new HashSet<>();
    driver
        .offers(host())
        .forEach(
            (pool, offer) ->
                offer
                    .devices()
                    .forEach(
                        device -> offered.add(new DeviceId(driver.name(), pool, device.name()))));

    Set<DeviceId> reported = new HashSet<>();
    for (DeviceHealth one : driver.health(host())) {
      DeviceId id = new DeviceId(driver.name(), one.pool(), one.device());
      assertTrue(offered.contains(id), () -> "health of a device that is not offered: " + one);
      assertTrue(reported.add(id), () -> "health of a device is reported twice: " + one);
    }
    assertEquals(before, hostState());
  }

  /**
   * Taints beside those of discovery are what the API server takes.
   *
   * @throws Exception if the driver cannot be made
   */
  @Test
  public void itsTaintsKeepTheLimitsOfTheApi() throws Exception {
    PreparingDriver driver = started();
    driver.offers(host());
    List<String> problems = new ArrayList<>();
    driver
        .taints(host())
        .forEach(
            (name, taints) ->
                problems.addAll(
                    DeviceRules.problems(List.of(Device.named(name).build().withTaints(taints)))));

    assertEquals(List.of(), problems);
  }

  /**
   * The same host gives the same devices, to another process as well.
   *
   * @throws Exception if the driver cannot be made
   */
  @Test
  public void theSameHostGivesTheSameDevices() throws Exception {
    PreparingDriver driver = started();
    List<Device> first = driver.discover(host());

    assertEquals(first, driver.discover(host()));
    assertEquals(first, started().discover(host()));
  }

  /**
   * Discovery changes nothing.
   *
   * @throws Exception if the driver cannot be made
   */
  @Test
  public void discoveryChangesNothing() throws Exception {
    Object before = hostState();

    PreparingDriver driver = started();
    driver.discover(host());
    driver.offers(host());

    assertEquals(before, hostState());
  }

  // Preparing.

  /**
   * Every claimed device is prepared.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void everyClaimedDeviceIsPrepared() throws Exception {
    CrashingJournal journal = new CrashingJournal();
    ClaimedDevices claim = claim("prepared");
    PreparingDriver driver = newDriver();

    Prepared prepared = driver.prepare(claim, journal);

    try {
      assertEquals(
          claim.devices().stream().map(ClaimedDevice::id).toList(),
          prepared.devices().stream().map(PreparedDevice::device).toList());
    } finally {
      driver.unprepare(new PreparedClaim(claim, prepared), journal);
    }
  }

  /**
   * Preparing is idempotent, also for a new process.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void preparingAgainGivesTheSameAnswerAndChangesNothing() throws Exception {
    CrashingJournal journal = new CrashingJournal();
    ClaimedDevices claim = claim("twice");
    PreparingDriver driver = newDriver();
    Object before = hostState();
    Prepared first = driver.prepare(claim, journal);
    Object after = hostState();

    assertEquals(first, driver.prepare(claim, journal));
    assertEquals(first, newDriver().prepare(claim, journal));
    assertEquals(after, hostState());
    driver.unprepare(new PreparedClaim(claim, first), journal);
    assertEquals(before, hostState());
  }

  /**
   * Unpreparing takes back what preparing did, and can be repeated.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void unpreparingTakesEverythingBackAndCanBeRepeated() throws Exception {
    CrashingJournal journal = new CrashingJournal();
    ClaimedDevices claim = claim("back");
    PreparingDriver driver = newDriver();
    Object before = hostState();
    PreparedClaim prepared = new PreparedClaim(claim, driver.prepare(claim, journal));

    for (int i = 0; i < 2; i++) {
      driver.unprepare(prepared, journal);
      assertEquals(before, hostState());
      assertEquals(List.of(), journal.steps());
    }
    newDriver().unprepare(prepared, journal);
    assertEquals(before, hostState());
  }

  /**
   * Unpreparing a claim that was never prepared is nothing.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void unpreparingAnUnknownClaimIsNothing() throws Exception {
    Object before = hostState();

    newDriver()
        .unprepare(new PreparedClaim(claim("unknown"), Prepared.NOTHING), new CrashingJournal());

    assertEquals(before, hostState());
  }

  /**
   * A process that is killed while it prepares leaves what the next one can take back.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void aCrashWhilePreparingIsTakenBack() throws Exception {
    ClaimedDevices claim = claim("crash");
    Object before = hostState();
    boolean crashed = true;
    for (int point = 1; crashed; point++) {
      assertTrue(point < MOST_POINTS, "prepare does not end");
      CrashingJournal journal = new CrashingJournal(point);
      PreparingDriver driver = newDriver();
      crashed = crashes(() -> driver.prepare(claim, journal));

      journal.neverCrash();
      newDriver().unprepare(new PreparedClaim(claim, Prepared.NOTHING), journal);
      assertEquals(before, hostState(), "after a crash at point " + point);
      assertEquals(List.of(), journal.steps());
    }
  }

  /**
   * A process that is killed while it unprepares leaves what the next one can go on with.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void aCrashWhileUnpreparingIsGoneOnWith() throws Exception {
    ClaimedDevices claim = claim("crash");
    Object before = hostState();
    boolean crashed = true;
    for (int point = 1; crashed; point++) {
      assertTrue(point < MOST_POINTS, "unprepare does not end");
      CrashingJournal journal = new CrashingJournal();
      PreparingDriver driver = newDriver();
      PreparedClaim prepared = new PreparedClaim(claim, driver.prepare(claim, journal));
      journal.crashAt(point);
      crashed = crashes(() -> unprepare(driver, prepared, journal));

      journal.neverCrash();
      newDriver().unprepare(prepared, journal);
      assertEquals(before, hostState(), "after a crash at point " + point);
    }
  }

  /**
   * Parameters that are not JSON are refused, and nothing is changed.
   *
   * @throws Exception if the driver cannot be made
   */
  @Test
  public void parametersThatAreNoJsonAreRefused() throws Exception {
    PreparingDriver driver = newDriver();
    Choice choice = choice();
    ClaimedDevices claim =
        KitClaims.of(
            driver, "bad", choice.pool(), List.of(choice.devices().get(0)), "{\"broken\": ");
    Object before = hostState();
    CrashingJournal journal = new CrashingJournal();

    DriverException thrown =
        assertThrows(DriverException.class, () -> driver.prepare(claim, journal));

    assertEquals(DriverException.Kind.INVALID, thrown.kind(), thrown.getMessage());
    driver.unprepare(new PreparedClaim(claim, Prepared.NOTHING), journal);
    assertEquals(before, hostState());
  }

  /**
   * Claims of different devices that can be had together are prepared at the same time.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void differentClaimsArePreparedAtTheSameTime() throws Exception {
    PreparingDriver driver = newDriver();
    Object before = hostState();
    Map<String, DevicePool> pools = started().offers(host());
    for (Map.Entry<String, DevicePool> one : pools.entrySet()) {
      DevicePool pool = one.getValue();
      for (List<Device> group : new CounterRules(pool.counters()).groups(pool.devices())) {
        prepareAtTheSameTime(driver, one.getKey(), group);
        assertEquals(before, hostState(), () -> "after " + names(group));
      }
    }
  }

  private void prepareAtTheSameTime(PreparingDriver driver, String pool, List<Device> group)
      throws InterruptedException {
    List<Callable<Set<String>>> calls = new ArrayList<>();
    for (Device device : group) {
      String uid = "together-" + device.name();
      ClaimedDevices claim = KitClaims.of(driver, uid, pool, List.of(device), parameters(device));
      calls.add(
          () -> {
            CrashingJournal journal = new CrashingJournal();
            Prepared prepared = Prepared.NOTHING;
            try {
              prepared = driver.prepare(claim, journal);
            } finally {
              driver.unprepare(new PreparedClaim(claim, prepared), journal);
            }
            Set<String> names = new HashSet<>();
            prepared.devices().forEach(one -> names.add(one.device().device()));
            return names;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<Set<String>>> answers = threads.invokeAll(calls);
      for (int i = 0; i < answers.size(); i++) {
        String name = group.get(i).name();
        try {
          assertEquals(Set.of(name), answers.get(i).get());
        } catch (ExecutionException e) {
          throw new AssertionError(
              "device %s collided with others; claims of %s were prepared at the same time: %s"
                  .formatted(name, names(group), e.getCause()),
              e.getCause());
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<String> names(List<Device> devices) {
    return devices.stream().map(Device::name).toList();
  }

  // Attaching.

  /**
   * Detaching takes back what attaching did, can be repeated, and the claim can be attached again.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void detachingTakesEverythingBackAndCanBeRepeated() throws Exception {
    Sandbox sandbox = sandbox();
    withPrepared(
        (driver, claim) -> {
          Object before = hostState();
          for (int round = 0; round < 2; round++) {
            CrashingJournal journal = new CrashingJournal();
            driver.attachDevices(claim, sandbox, journal);
            takeBack(driver, claim, sandbox, journal);
            assertEquals(before, hostState());
            takeBack(driver, claim, sandbox, journal);
            takeBack(newDriver(), claim, sandbox, journal);
            assertEquals(before, hostState());
          }
        });
  }

  /**
   * Detaching what was never attached is nothing.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void detachingWhatIsNotAttachedIsNothing() throws Exception {
    Sandbox sandbox = sandbox();
    withPrepared(
        (driver, claim) -> {
          Object before = hostState();
          driver.detach(claim, sandbox, new CrashingJournal());
          assertEquals(before, hostState());
        });
  }

  /**
   * Another process detaches what an earlier one attached.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void whatWasAttachedBeforeARestartIsDetachedAfterIt() throws Exception {
    Sandbox sandbox = sandbox();
    isDetachedByTheNextProcess(sandbox, sandbox);
  }

  /**
   * A process that is killed while it attaches leaves what the next one can take back.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void aCrashWhileAttachingIsTakenBack() throws Exception {
    Sandbox sandbox = sandbox();
    withPrepared(
        (first, claim) -> {
          Object before = hostState();
          boolean crashed = true;
          for (int point = 1; crashed; point++) {
            assertTrue(point < MOST_POINTS, "attach does not end");
            CrashingJournal journal = new CrashingJournal(point);
            PreparingDriver driver = newDriver();
            crashed = crashes(() -> driver.attachDevices(claim, sandbox, journal));

            journal.neverCrash();
            takeBack(newDriver(), claim, sandbox, journal);
            assertEquals(before, hostState(), "after a crash at point " + point);
          }
        });
  }

  /**
   * A process that is killed while it detaches leaves what the next one can go on with.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void aCrashWhileDetachingIsGoneOnWith() throws Exception {
    Sandbox sandbox = sandbox();
    withPrepared(
        (first, claim) -> {
          Object before = hostState();
          boolean crashed = true;
          for (int point = 1; crashed; point++) {
            assertTrue(point < MOST_POINTS, "detach does not end");
            CrashingJournal journal = new CrashingJournal();
            PreparingDriver driver = newDriver();
            driver.attachDevices(claim, sandbox, journal);
            journal.crashAt(point);
            crashed =
                crashes(
                    () -> {
                      takeBack(driver, claim, sandbox, journal);
                      return "";
                    });

            journal.neverCrash();
            takeBack(newDriver(), claim, sandbox, journal);
            assertEquals(before, hostState(), "after a crash at point " + point);
          }
        });
  }

  // Reboots, deadlines, shares, sandboxes.

  /**
   * What was prepared and attached before a reboot is taken back after it at whatever point the
   * process before was killed, and the claim can be prepared again. A driver whose changes the
   * kernel forgets writes nothing of the boot before.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void whatIsOfAnotherBootIsTakenBackAndPreparedAgain() throws Exception {
    ClaimedDevices claim = claim("reboot");
    Object before = hostState();
    boolean crashed = true;
    for (int point = 1; crashed; point++) {
      assertTrue(point < MOST_POINTS, "attach does not end");
      CrashingJournal preparing = new CrashingJournal();
      CrashingJournal attaching = new CrashingJournal(point);
      PreparingDriver driver = newDriver();
      PreparedClaim prepared = new PreparedClaim(claim, driver.prepare(claim, preparing));
      Sandbox sandbox = sandbox(); // that of the boot before is gone
      crashed = crashes(() -> driver.attachDevices(prepared, sandbox, attaching));

      boolean isForgotten = reboot();
      attaching.neverCrash();
      attaching.reboot();
      preparing.reboot();
      PreparingDriver next = newDriver();
      if (isForgotten) {
        assertEquals(before, hostState(), "reboot() did not bring the host to its start");
      }
      takeBack(next, prepared, sandbox, attaching);
      next.unprepare(prepared, preparing);
      assertEquals(before, hostState(), "after a reboot at point " + point);
      assertEquals(List.of(), preparing.steps());

      CrashingJournal again = new CrashingJournal();
      PreparedClaim anew = new PreparedClaim(claim, next.prepare(claim, again));
      next.unprepare(anew, again);
      assertEquals(before, hostState());
    }
  }

  /**
   * A call whose deadline comes is interrupted. It may end well or with a {@link DriverException},
   * and is taken back.
   *
   * @throws Exception if the driver fails otherwise
   */
  @Test
  public void anInterruptedCallEndsAndIsTakenBack() throws Exception {
    ClaimedDevices claim = claim("deadline");
    Object before = hostState();
    CrashingJournal journal = new CrashingJournal();
    PreparingDriver driver = newDriver();
    Prepared prepared = Prepared.NOTHING;
    Thread.currentThread().interrupt();
    try {
      prepared = driver.prepare(claim, journal);
    } catch (DriverException e) {
      assertTrue(Thread.currentThread().isInterrupted(), "the interrupt flag is lost");
    } finally {
      Thread.interrupted();
    }
    driver.unprepare(new PreparedClaim(claim, prepared), journal);
    assertEquals(before, hostState());
  }

  /**
   * Shares of a device that can be shared are prepared beside each other, each with its share.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void sharesOfADeviceArePreparedBesideEachOther() throws Exception {
    PreparingDriver driver = newDriver();
    Object before = hostState();
    for (Device device : driver.discover(host())) {
      if (device.allowMultipleAllocations()) {
        ClaimedDevices first = KitClaims.share(driver, device, "share-1");
        ClaimedDevices second = KitClaims.share(driver, device, "share-2");
        CrashingJournal ofFirst = new CrashingJournal();
        CrashingJournal ofSecond = new CrashingJournal();
        Prepared one = driver.prepare(first, ofFirst);
        Object withOne = hostState();
        Prepared two = driver.prepare(second, ofSecond);
        assertEquals("share-1", one.devices().get(0).shareId());
        assertEquals("share-2", two.devices().get(0).shareId());

        driver.unprepare(new PreparedClaim(second, two), ofSecond);
        assertEquals(withOne, hostState(), "releasing one share changed the other");
        driver.unprepare(new PreparedClaim(first, one), ofFirst);
        assertEquals(before, hostState());
      }
    }
  }

  /**
   * A container runtime that was started anew may describe the sandbox with fewer facts: the claim
   * is detached all the same.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void aSandboxOfWhichLessIsKnownIsDetached() throws Exception {
    Sandbox sandbox = sandbox();
    isDetachedByTheNextProcess(
        sandbox, sandbox.merge(Sandbox.ofPod(sandbox.id(), sandbox.podUid()).build()));
  }

  /**
   * The container runtime may have another sandbox for the pod after it was started anew: the claim
   * leaves the first one and goes into that.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void anotherSandboxOfThePodTakesTheClaimOver() throws Exception {
    Sandbox first = sandbox();
    Sandbox.Builder another =
        Sandbox.ofPod(first.id() + "-2", first.podUid()).pod(first.podNamespace(), first.podName());
    Sandbox second =
        switch (first.network()) {
          case OWN -> another.networkNamespace(first.networkNamespace()).build();
          case HOST -> another.hostNetwork().build();
          case UNKNOWN -> another.build();
        };
    withPrepared(
        (driver, claim) -> {
          Object before = hostState();
          CrashingJournal ofFirst = new CrashingJournal();
          CrashingJournal ofSecond = new CrashingJournal();
          driver.attachDevices(claim, first, ofFirst);
          takeBack(driver, claim, first, ofFirst);

          driver.attachDevices(claim, second, ofSecond);
          Object attached = hostState();
          takeBack(driver, claim, first, ofFirst); // a late repetition is of the first alone
          assertEquals(attached, hostState(), "detaching from the first took it from the second");
          takeBack(newDriver(), claim, second, ofSecond);

          assertEquals(before, hostState());
        });
  }

  /**
   * An instance that stands by discovers and reports health while another one has claims in pods,
   * and changes nothing. When it takes over, it goes on with them.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void anInstanceThatStandsByChangesNothingAndTakesOver() throws Exception {
    Sandbox sandbox = sandbox();
    withPrepared(
        (first, claim) -> {
          Object before = hostState();
          CrashingJournal journal = new CrashingJournal();
          first.attachDevices(claim, sandbox, journal);
          Object attached = hostState();

          PreparingDriver second = started();
          second.offers(host());
          second.taints(host());
          second.health(host());
          assertEquals(attached, hostState(), "an instance that stood by changed the host");
          second.resume(claim, sandbox);
          assertEquals(attached, hostState(), "an instance that took over changed the host");

          takeBack(second, claim, sandbox, journal);
          assertEquals(before, hostState());
        });
  }

  // Releases.

  /**
   * Each release takes back what another one prepared, at whatever point that was killed, and
   * attaches a claim that another one prepared.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void whatAnotherReleasePreparedIsAttachedAndTakenBack() throws Exception {
    ClaimedDevices claim = claim("upgrade");
    Sandbox sandbox = sandbox();
    Object before = hostState();
    for (int i = 0; i < otherReleases().size(); i++) {
      boolean crashed = true;
      for (int point = 1; crashed; point++) {
        assertTrue(point < MOST_POINTS, "prepare does not end");
        CrashingJournal journal = new CrashingJournal(point);
        PreparingDriver other = otherReleases().get(i);
        crashed = crashes(() -> other.prepare(claim, journal));
        journal.neverCrash();
        newDriver().unprepare(new PreparedClaim(claim, Prepared.NOTHING), journal);
        assertEquals(List.of(), journal.steps());
        assertEquals(before, hostState(), "release %d killed at point %d".formatted(i, point));
      }
      CrashingJournal preparing = new CrashingJournal();
      CrashingJournal attaching = new CrashingJournal();
      Prepared stored = otherReleases().get(i).prepare(claim, preparing);
      PreparedClaim prepared = new PreparedClaim(claim, stored);
      PreparingDriver next = newDriver();
      next.attachDevices(prepared, sandbox, attaching);
      takeBack(next, prepared, sandbox, attaching);
      next.unprepare(prepared, preparing);
      assertEquals(before, hostState(), "a claim of release %d".formatted(i));
    }
  }

  /**
   * Another release takes back what this one prepared, or fails and leaves the steps to a release
   * that knows them: a step that a release does not know is never forgotten in silence.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void whatThisReleasePreparedIsTakenBackByAnotherOrKept() throws Exception {
    ClaimedDevices claim = claim("downgrade");
    Object before = hostState();
    for (int i = 0; i < otherReleases().size(); i++) {
      CrashingJournal journal = new CrashingJournal();
      PreparedClaim prepared = new PreparedClaim(claim, newDriver().prepare(claim, journal));
      try {
        otherReleases().get(i).unprepare(prepared, journal);
      } catch (DriverException e) {
        assertFalse(journal.steps().isEmpty(), "release %d failed without steps".formatted(i));
        newDriver().unprepare(prepared, journal);
      }
      assertEquals(List.of(), journal.steps());
      assertEquals(before, hostState(), "taken back by release %d".formatted(i));
    }
  }

  /**
   * A step of a later release, which this one does not know, is refused and stays in the journal,
   * with all that was recorded before it: the later release takes it back. A driver that does
   * nothing for it loses what the step says.
   *
   * @throws Exception if the driver fails otherwise
   */
  @Test
  public void aStepOfALaterReleaseIsRefusedAndKept() throws Exception {
    Object atFirst = hostState();
    Sandbox sandbox = sandbox();
    withPrepared(
        (driver, claim) -> {
          Object before = hostState();
          CrashingJournal journal = new CrashingJournal();
          driver.attachDevices(claim, sandbox, journal);
          isRefused(
              "detach and settle",
              journal,
              () -> {
                driver.detach(claim, sandbox, journal);
                driver.settle(claim, sandbox, journal);
              });
          takeBack(newDriver(), claim, sandbox, journal);
          assertEquals(before, hostState());
        });
    ClaimedDevices claim = claim("later");
    CrashingJournal journal = new CrashingJournal();
    PreparedClaim prepared = new PreparedClaim(claim, newDriver().prepare(claim, journal));
    isRefused("unprepare", journal, () -> newDriver().unprepare(prepared, journal));
    newDriver().unprepare(prepared, journal);
    assertEquals(atFirst, hostState());
  }

  private interface Undoing {
    void run() throws Exception;
  }

  private void isRefused(String call, CrashingJournal journal, Undoing undoing) throws Exception {
    List<Step> own = journal.steps();
    List<Step> all = new ArrayList<>(own);
    all.add(stepOfALaterRelease());
    journal.record(all.subList(own.size(), all.size()));
    try {
      undoing.run();
    } catch (DriverException e) {
      assertEquals(all, journal.steps(), call + " refused a step of a later release and lost it");
      journal.keep(own.size());
      return;
    }
    throw new AssertionError(
        call + " did not fail for a step of a later release, so that the step is lost: " + all);
  }

  private void isDetachedByTheNextProcess(Sandbox sandbox, Sandbox then) throws Exception {
    withPrepared(
        (driver, claim) -> {
          Object before = hostState();
          CrashingJournal journal = new CrashingJournal();
          driver.attachDevices(claim, sandbox, journal);

          PreparingDriver next = newDriver();
          next.resume(claim, sandbox);
          takeBack(next, claim, then, journal);

          assertEquals(before, hostState());
        });
  }

  // Helpers.

  /** Brings devices home, and restores what is left. */
  private static void takeBack(
      PreparingDriver driver, PreparedClaim claim, Sandbox sandbox, CrashingJournal journal)
      throws DriverException {
    driver.detach(claim, sandbox, journal);
    driver.settle(claim, sandbox, journal);
    assertEquals(List.of(), journal.steps());
  }

  private interface Use {
    void run(PreparingDriver driver, PreparedClaim claim) throws Exception;
  }

  private void withPrepared(Use use) throws Exception {
    CrashingJournal journal = new CrashingJournal();
    ClaimedDevices claim = claim("attached");
    PreparingDriver driver = newDriver();
    PreparedClaim prepared = new PreparedClaim(claim, driver.prepare(claim, journal));
    try {
      use.run(driver, prepared);
    } finally {
      newDriver().unprepare(prepared, journal);
    }
  }

  private static String unprepare(
      PreparingDriver driver, PreparedClaim claim, CrashingJournal journal) throws DriverException {
    driver.unprepare(claim, journal);
    return "";
  }

  private static boolean crashes(Callable<?> call) throws Exception {
    try {
      call.call();
      return false;
    } catch (Crash e) {
      return true;
    }
  }

  /** A driver that has been started as the runtime starts it. */
  private PreparingDriver started() throws Exception {
    PreparingDriver driver = newDriver();
    driver.start(
        new DriverContext() {
          @Override
          public String node() {
            return "kit";
          }

          @Override
          public void changed(String why) {}
        });
    return driver;
  }

  /** Devices of one pool that can be had together. */
  private record Choice(String pool, List<Device> devices) {}

  private Choice choice() throws Exception {
    Map<String, DevicePool> pools = new TreeMap<>(started().offers(host())); // the node's is first
    for (Map.Entry<String, DevicePool> one : pools.entrySet()) {
      List<Device> offered = one.getValue().devices();
      if (!offered.isEmpty()) {
        CounterRules rules = new CounterRules(one.getValue().counters());
        List<Device> devices = chosen(offered);
        List<Device> others = new ArrayList<>(devices);
        others.removeAll(offered);
        assertEquals(List.of(), names(others), "chosen(…) gives devices that are not offered");
        assertEquals(
            devices.stream().distinct().toList(), devices, "chosen(…) gives a device twice");
        if (devices.isEmpty()) {
          List<Device> together = rules.together(offered);
          devices = together.subList(0, Math.min(2, together.size()));
        }
        String collision = rules.collision(devices);
        assertNull(collision, "chosen(…) gives devices that cannot be had together");
        assertFalse(
            devices.isEmpty(),
            () -> "none of the devices can be had: " + String.join("; ", rules.refusals(offered)));
        return new Choice(one.getKey(), devices);
      }
    }
    throw new AssertionError("no devices on the host of the kit");
  }

  private ClaimedDevices claim(String uid) throws Exception {
    PreparingDriver driver = newDriver();
    Choice choice = choice();
    List<ClaimedDevice> claimed = new ArrayList<>();
    for (Device device : choice.devices()) {
      claimed.addAll(
          KitClaims.of(driver, uid, choice.pool(), List.of(device), parameters(device)).devices());
    }
    return new ClaimedDevices(new ClaimReference("default", "kit", uid), List.of(), claimed);
  }
}
