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
 * Tests the rules for every {@link PreparingDriver}. The author of a driver extends this class in
 * the tests of the driver, and provides the driver, the host, and the state that the driver
 * changes; JUnit finds the tests by itself:
 *
 * <pre>{@code
 * class FpgaDriverKitTest extends DriverKit {
 *   protected PreparingDriver newDriver() { return new FpgaDriver(directory); }
 *   protected HostInventory host() { return TopologyReaders.installed().read(Host.captured(root)); }
 *   protected Object hostState() { return filesBelow(directory); }
 * }
 * }</pre>
 *
 * <p>A crash is simulated: the journal throws an {@link Error} at one point after the other, the
 * driver is discarded, and a new driver gets the journal, as from a runtime after a restart.
 */
public abstract class DriverKit {

  private static final int MOST_POINTS = 10_000;

  /** Called by subclasses. */
  protected DriverKit() {}

  /**
   * {@return a driver as a new process would create it, without state of earlier drivers}
   *
   * @throws Exception if it cannot be created
   */
  protected abstract PreparingDriver newDriver() throws Exception;

  /**
   * {@return the driver's host, which has at least one of its devices; the same facts each time}
   *
   * @throws Exception if it cannot be read
   */
  protected abstract HostInventory host() throws Exception;

  /**
   * {@return the state that the driver changes on the host: files, links, registers; always the
   * same by default} The tests compare it with {@code equals} before and after calls, also while a
   * claim is attached, and print it if it differs.
   *
   * @throws Exception if it cannot be read
   */
  protected Object hostState() throws Exception {
    return "";
  }

  /**
   * Simulates a reboot: the state that the driver changed is reset. Override it for a driver whose
   * changes a reboot resets; {@link #hostState} must then be the state before the tests.
   *
   * @return whether a reboot resets the driver's changes; false by default: they survive a reboot
   * @throws Exception if that cannot be simulated
   */
  protected boolean reboot() throws Exception {
    return false;
  }

  /**
   * {@return a new driver for each release that a node can be upgraded from or downgraded to;
   * empty, which is the default, for a first release} The next release undoes claims of this
   * release after an upgrade, and the previous release after a downgrade. To test against an
   * earlier release, keep the part of its code that records and undoes steps.
   *
   * @throws Exception if one cannot be created
   */
  protected List<PreparingDriver> otherReleases() throws Exception {
    return List.of();
  }

  /**
   * {@return a step that a later release might record and {@code undo} of this release must reject}
   * After a downgrade it is in the journal of a claim. Override it if {@code undo} of the driver
   * cannot recognize the default step as unknown.
   */
  protected Step stepOfALaterRelease() {
    return new Step("a step of a later release", "v999 of a later release");
  }

  /**
   * {@return JSON parameters of claims in these tests that the driver accepts; empty by default}
   *
   * @param device the device that they apply to
   */
  protected String parameters(Device device) {
    return "";
  }

  /**
   * {@return a sandbox to attach claims to; by default one without an existing network namespace,
   * which is sufficient for drivers that attach nothing}
   *
   * @throws Exception if it cannot be created
   */
  protected Sandbox sandbox() throws Exception {
    return Sandbox.ofPod("kit", "kit-pod")
        .pod("default", "kit")
        .networkNamespace(Path.of("/run/netns/dra4j-kit"))
        .build();
  }

  /**
   * {@return the devices of claims in these tests, of those offered; empty, the default, for the
   * first two that can be allocated together} They must be of one pool and allocatable together,
   * which a device and its partition are not. A filter that finds nothing also selects these two.
   *
   * @param offered the devices in the first pool of the driver that has devices; the pool of the
   *     node comes first
   */
  protected List<Device> chosen(List<Device> offered) {
    return List.of();
  }

  // Discovery.

  /**
   * Tests that the name of the driver is a DNS subdomain.
   *
   * @throws Exception if the driver cannot be created
   */
  @Test
  public void itsNameIsADnsSubdomainOfAtMost63Bytes() throws Exception {
    String name = newDriver().name();

    assertTrue(SliceLimits.isDriverName(name), () -> "'" + name + "'");
    assertEquals(name, newDriver().name());
  }

  /**
   * Tests that the API server accepts the devices.
   *
   * @throws Exception if the driver cannot be created
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
            problems.add("'" + name + "' is not a valid name of a pool");
          }
          problems.addAll(DeviceRules.problems(pool.devices()));
        });
    assertEquals(List.of(), problems);
  }

  /**
   * Tests that devices consume only counters in their pool, and not more than the available
   * amounts.
   *
   * @throws Exception if the driver cannot be created
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
   * Tests that, in a pool with a partition type, devices that consume counters have it as a string.
   *
   * @throws Exception if the driver cannot be created
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
   * Tests that health is reported only for offered devices, once for each, and that the call
   * changes nothing.
   *
   * @throws Exception if the driver cannot be created
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
   * Tests that the API server accepts taints in addition to the taints of discovery.
   *
   * @throws Exception if the driver cannot be created
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
   * Tests that the same host gives the same devices, also in another process.
   *
   * @throws Exception if the driver cannot be created
   */
  @Test
  public void theSameHostGivesTheSameDevices() throws Exception {
    PreparingDriver driver = started();
    List<Device> first = driver.discover(host());

    assertEquals(first, driver.discover(host()));
    assertEquals(first, started().discover(host()));
  }

  /**
   * Tests that discovery changes nothing.
   *
   * @throws Exception if the driver cannot be created
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
   * Tests that every claimed device is prepared.
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
   * Tests that preparing is idempotent, also for a new process.
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
   * Tests that unpreparing undoes preparing, and can be repeated.
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
   * Tests that unpreparing a claim that was never prepared does nothing.
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
   * Tests that the next process can undo the changes of a process that is killed while it prepares.
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
   * Tests that the next process can continue after a process is killed while it unprepares.
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
   * Tests that parameters that are not JSON are rejected, and nothing is changed.
   *
   * @throws Exception if the driver cannot be created
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
   * Tests that claims of different devices that can be allocated together are prepared at the same
   * time.
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
   * Tests that detaching undoes attaching and can be repeated, and that the claim can be attached
   * again.
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
   * Tests that detaching a claim that was never attached does nothing.
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
   * Tests that a process detaches claims that an earlier process attached.
   *
   * @throws Exception if the driver fails
   */
  @Test
  public void whatWasAttachedBeforeARestartIsDetachedAfterIt() throws Exception {
    Sandbox sandbox = sandbox();
    isDetachedByTheNextProcess(sandbox, sandbox);
  }

  /**
   * Tests that the next process can undo the changes of a process that is killed while it attaches.
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
   * Tests that the next process can continue after a process is killed while it detaches.
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
   * Tests that claims that were prepared and attached before a reboot are undone after it,
   * independent of the point at which the earlier process was killed, and can be prepared again. A
   * driver whose changes a reboot resets must not write values of the earlier boot.
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
      Sandbox sandbox = sandbox(); // the sandbox of the earlier boot is gone
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
   * Tests that a call whose deadline expires is interrupted. It may succeed or throw a {@link
   * DriverException}, and can be undone.
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
   * Tests that shares of a device that can be shared are prepared together, each with its share.
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
   * Tests that a claim is detached even if a restarted container runtime describes its sandbox with
   * fewer facts.
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
   * Tests that a claim moves to another sandbox of its pod, which a restarted container runtime may
   * create.
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
          takeBack(driver, claim, first, ofFirst); // a late repetition applies only to the first
          assertEquals(attached, hostState(), "detaching from the first took it from the second");
          takeBack(newDriver(), claim, second, ofSecond);

          assertEquals(before, hostState());
        });
  }

  /**
   * Tests that a standby instance, which discovers and reports health while another instance has
   * claims in pods, changes nothing. When it takes over, it continues with these claims.
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
          assertEquals(attached, hostState(), "a standby instance changed the host");
          second.resume(claim, sandbox);
          assertEquals(attached, hostState(), "an instance that took over changed the host");

          takeBack(second, claim, sandbox, journal);
          assertEquals(before, hostState());
        });
  }

  // Releases.

  /**
   * Tests that each release undoes claims of another release, independent of the point at which
   * that was killed, and attaches claims that another release prepared.
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
   * Tests that another release undoes claims of this release, or fails and leaves the steps to a
   * release that knows them: an unknown step must never be silently forgotten.
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
   * Tests that an unknown step of a later release is rejected and stays in the journal, with all
   * steps recorded before it, so that the later release can undo it. A driver that ignores the step
   * would lose it.
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
              "the undo of attach (detach, then settle)",
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
    isRefused(
        "the undo of prepare (unprepare)", journal, () -> newDriver().unprepare(prepared, journal));
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

  /** Detaches devices, and undoes the remaining steps. */
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

  /** Returns a driver that was started as the runtime starts it. */
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

  /** Devices of one pool that can be allocated together. */
  private record Choice(String pool, List<Device> devices) {}

  private Choice choice() throws Exception {
    Map<String, DevicePool> pools =
        new TreeMap<>(started().offers(host())); // the pool of the node is first
    for (Map.Entry<String, DevicePool> one : pools.entrySet()) {
      List<Device> offered = one.getValue().devices();
      if (!offered.isEmpty()) {
        CounterRules rules = new CounterRules(one.getValue().counters());
        List<Device> devices = chosen(offered);
        List<Device> others = new ArrayList<>(devices);
        others.removeAll(offered);
        assertEquals(List.of(), names(others), "chosen(…) returns devices that are not offered");
        assertEquals(
            devices.stream().distinct().toList(), devices, "chosen(…) returns a device twice");
        if (devices.isEmpty()) {
          List<Device> together = rules.together(offered);
          devices = together.subList(0, Math.min(2, together.size()));
        }
        String collision = rules.collision(devices);
        assertNull(collision, "chosen(…) returns devices that cannot be allocated together");
        assertFalse(
            devices.isEmpty(),
            () ->
                "none of the devices can be allocated: "
                    + String.join("; ", rules.refusals(offered)));
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
