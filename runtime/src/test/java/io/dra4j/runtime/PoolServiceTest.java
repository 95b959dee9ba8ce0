package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.DriverContext;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.HostWatcher;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.TopologyReader;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.spi.publish.DevicePool;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a runtime publishes: pools, taints, health. */
class PoolServiceTest {

  private static final String NAME = "x.example.com";
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final DeviceTaint BROKEN =
      DeviceTaint.of(NAME + "/broken", "link", TaintEffect.NO_EXECUTE);

  @TempDir private Path directory;
  private final Offering driver = new Offering();
  private @Nullable DriverRuntime open;

  /** A driver that offers what a test wants. */
  private static final class Offering implements PreparingDriver {

    private volatile Map<String, DevicePool> pools =
        Map.of(NODE_POOL, pool(Device.named("dev-0").build(), Device.named("dev-1").build()));
    private volatile Map<String, List<DeviceTaint>> taints = Map.of();
    private volatile List<DeviceHealth> health = List.of();
    private volatile boolean failsHealth;
    private volatile boolean failsStart;
    private volatile @Nullable DriverContext context;

    private void offer(Device... devices) {
      pools = Map.of(NODE_POOL, pool(devices));
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void start(DriverContext given) {
      if (failsStart) {
        throw new IllegalStateException("not yet");
      }
      context = given;
    }

    @Override
    public List<Device> discover(HostInventory host) {
      throw new IllegalStateException("offers takes its place");
    }

    @Override
    public Map<String, DevicePool> offers(HostInventory host) {
      return pools;
    }

    @Override
    public Map<String, List<DeviceTaint>> taints(HostInventory host) {
      return taints;
    }

    @Override
    public List<DeviceHealth> health(HostInventory host) {
      if (failsHealth) {
        throw new IllegalStateException("no answer");
      }
      return health;
    }

    @Override
    public Prepared prepare(ClaimedDevices claim, Journal journal) {
      return new Prepared(
          claim.devices().stream()
              .map(device -> PreparedDevice.of(device, ContainerEdits.NONE, ""))
              .toList());
    }
  }

  @AfterEach
  void stop() {
    if (open != null) {
      open.close();
    }
  }

  private RuntimeOptions builder() {
    return runtime(directory.resolve("store"), driver);
  }

  private DriverRuntime start(RuntimeOptions builder) throws Exception {
    if (open != null) {
      open.close();
    }
    DriverRuntime made = builder.build();
    open = made;
    made.start();
    return made;
  }

  private static DevicePool pool(Device... devices) {
    return DevicePool.of(List.of(devices), List.of());
  }

  private static Device device(DriverRuntime runtime, String name) {
    return runtime.slices().stream()
        .flatMap(slice -> slice.devices().stream())
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static ResourceClaim claimIn(String pool, String name, String device) {
    return ResourceClaim.named(name)
        .metadata(new ObjectMeta(name, "default", "uid-" + name, Map.of(), Map.of()))
        .allocation(
            AllocationResult.builder()
                .result(
                    DeviceRequestAllocationResult.of("r", new DeviceId(NAME, pool, device)).build())
                .build())
        .build();
  }

  private static void rescan(DriverRuntime runtime) throws InterruptedException {
    assertThat(runtime.rescan(LONG)).isTrue();
  }

  // Devices of claims.

  @Test
  void anAttachedDeviceKeepsWhatItIsAndHasTheTaintsOfNow() throws Exception {
    Device before = Device.named("dev-0").attribute("speed", 100).capacity("memory", "8Gi").build();
    driver.offer(before);
    DriverRuntime runtime = start(builder());
    runtime.prepare(claimIn("node-1", "c", "dev-0"));
    runtime.attach("uid-c", sandbox("sb", "p"));

    driver.offer(
        Device.named("dev-0")
            .attribute("speed", 0)
            .taint(BROKEN)
            .bindsToNode()
            .bindingConditions(List.of("ready"), List.of("failed"))
            .build());
    rescan(runtime);

    Device now = device(runtime, "dev-0");
    assertThat(now.attributes()).isEqualTo(before.attributes());
    assertThat(now.capacity()).isEqualTo(before.capacity());
    assertThat(now.taints()).containsExactly(BROKEN);
    assertThat(now.bindsToNode()).isTrue();
    assertThat(now.bindingConditions()).containsExactly("ready");
    assertThat(now.bindingFailureConditions()).containsExactly("failed");

    driver.offer(Device.named("dev-0").attribute("speed", 0).build());
    rescan(runtime);
    assertThat(device(runtime, "dev-0")).isEqualTo(before);
  }

  /** A pod whose sandbox is made anew is a move, and so is another pod after it. */
  @Test
  void theTaintsOfADeviceAreThoseOfNowWhicheverSandboxHasIt() throws Exception {
    DriverRuntime runtime = start(builder());
    runtime.prepare(claimIn("node-1", "c", "dev-0"));
    runtime.attach("uid-c", sandbox("s1", "p1"));
    driver.offer(Device.named("dev-1").build());
    driver.taints = Map.of("dev-0", List.of(BROKEN));
    rescan(runtime);
    runtime.attach("uid-c", sandbox("s2", "p1"));
    rescan(runtime);
    assertThat(device(runtime, "dev-0").taints()).containsExactly(BROKEN);

    runtime.detach("uid-c", "s2");
    runtime.attach("uid-c", sandbox("s3", "p2"));
    driver.taints = Map.of("dev-0", List.of());
    rescan(runtime);
    assertThat(device(runtime, "dev-0").taints()).isEmpty();

    driver.taints = Map.of("dev-0", List.of(BROKEN));
    DriverRuntime next = start(builder());
    assertThat(device(next, "dev-0").taints()).containsExactly(BROKEN);
    driver.taints = Map.of("dev-9", List.of(BROKEN), "dev-0", List.of());
    rescan(next);
    assertThat(device(next, "dev-0").taints()).isEmpty();
  }

  @Test
  void theNodesOfAnAttachedDeviceAreThoseOfNow() throws Exception {
    DevicePool each = pool(Device.named("dev-0").nodeSelection(NodeSelection.ALL_NODES).build());
    driver.pools = Map.of("", each.toBuilder().perDeviceNodeSelection(true).build());
    DriverRuntime runtime = start(builder());
    runtime.prepare(claimIn("node-1", "c", "dev-0"));
    runtime.attach("uid-c", sandbox("sb", "p"));

    Device moved = Device.named("dev-0").nodeSelection(NodeSelection.ofNode("node-1")).build();
    driver.pools =
        Map.of("", each.toBuilder().perDeviceNodeSelection(true).devices(List.of(moved)).build());
    rescan(runtime);

    assertThat(device(runtime, "dev-0").nodeSelection()).isEqualTo(NodeSelection.ofNode("node-1"));
  }

  @Test
  void aDeviceThatCannotBeSeenHasTheTaintsThatTheDriverTells() throws Exception {
    DeviceTaint old = DeviceTaint.of(NAME + "/old", "", TaintEffect.NO_SCHEDULE);
    driver.offer(Device.named("dev-0").taint(old).build());
    DriverRuntime runtime = start(builder());
    runtime.prepare(claimIn("node-1", "c", "dev-0"));
    runtime.attach("uid-c", sandbox("sb", "p"));

    driver.offer();
    rescan(runtime);
    assertThat(device(runtime, "dev-0").taints()).containsExactly(old); // nothing else is known

    driver.taints = Map.of("dev-0", List.of(BROKEN));
    rescan(runtime);
    assertThat(device(runtime, "dev-0").taints()).containsExactly(BROKEN);

    driver.taints = Map.of("dev-0", List.of());
    rescan(runtime);
    assertThat(device(runtime, "dev-0").taints()).isEmpty();
  }

  @Test
  void taintsOfDevicesThatAreSeenAreAddedToTheirOwn() throws Exception {
    DeviceTaint own = DeviceTaint.of(NAME + "/own", "", TaintEffect.NO_SCHEDULE);
    driver.offer(Device.named("dev-0").taint(own).build(), Device.named("dev-1").build());
    driver.taints = Map.of("dev-0", List.of(BROKEN, own), "gone", List.of(BROKEN));

    DriverRuntime runtime = start(builder());

    assertThat(device(runtime, "dev-0").taints()).containsExactly(own, BROKEN);
    assertThat(device(runtime, "dev-1").taints()).isEmpty();
    assertThat(runtime.health().problems()).isEmpty();
  }

  @Test
  void moreTaintsThanTheServerTakesNeverHideADevice() throws Exception {
    List<DeviceTaint> many = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      many.add(DeviceTaint.of(NAME + "/t" + i, "", TaintEffect.NO_SCHEDULE));
    }
    driver.taints = Map.of("dev-0", many);

    DriverRuntime runtime = start(builder());

    assertThat(device(runtime, "dev-0").taints()).hasSize(16);
  }

  // Pools.

  @Test
  void devicesOfTwoPoolsAreDifferentDevices() throws Exception {
    driver.pools =
        Map.of(
            "",
            pool(Device.named("dev-0").build()),
            "fabric",
            pool(Device.named("dev-0").build(), Device.named("dev-1").build()).toBuilder()
                .nodeSelection(NodeSelection.ALL_NODES)
                .build());
    DriverRuntime runtime = start(builder());

    runtime.prepare(claimIn("node-1", "local", "dev-0"));
    runtime.prepare(claimIn("fabric", "far", "dev-0"));

    assertThat(runtime.claims()).hasSize(2);
    assertThatThrownBy(() -> runtime.prepare(claimIn("fabric", "again", "dev-0")))
        .hasMessageContaining("claim default/far (uid-far) has device x.example.com/fabric/dev-0");
    assertThat(runtime.pools(NAME).keySet()).containsExactlyInAnyOrder("node-1", "fabric");
    assertThat(runtime.slices())
        .filteredOn(slice -> slice.pool().name().equals("fabric"))
        .extracting(ResourceSlice::nodeSelection)
        .containsExactly(NodeSelection.ALL_NODES);
  }

  @Test
  void aDeviceOfAPoolThatIsNotOfferedIsNotThereAndNotTakenForOneOfTheNode() throws Exception {
    DriverRuntime runtime = start(builder());
    runtime.prepare(claimIn("node-1", "local", "dev-0"));

    assertThatThrownBy(() -> runtime.prepare(claimIn("fabric", "other", "dev-0")))
        .hasMessageContaining("does not publish this device in pool");
  }

  @Test
  void whatClaimsOfTwoPoolsHaveIsKnownAfterARestart() throws Exception {
    driver.pools =
        Map.of(
            "", pool(Device.named("dev-0").build()), "fabric", pool(Device.named("dev-0").build()));
    DriverRuntime first = start(builder());
    first.prepare(claimIn("fabric", "far", "dev-0"));

    DriverRuntime second = start(builder());

    second.prepare(claimIn("node-1", "local", "dev-0"));
    assertThatThrownBy(() -> second.prepare(claimIn("fabric", "again", "dev-0")))
        .hasMessageContaining("claim default/far (uid-far) has device");
  }

  @Test
  void aPoolOfTheStoreThatIsNotOfferedIsAFormerNameOfTheNode() throws Exception {
    start(builder().node("old-name")).prepare(claimIn("old-name", "c", "dev-0"));

    DriverRuntime renamed = start(builder());

    assertThatThrownBy(() -> renamed.prepare(claimIn("node-1", "d", "dev-0")))
        .hasMessageContaining("claim default/c (uid-c) has device");
  }

  @Test
  void aPoolThatIsWithdrawnKeepsTheDevicesOfClaims() throws Exception {
    DevicePool fabric = pool(Device.named("port-0").build(), Device.named("port-1").build());
    driver.pools =
        Map.of("fabric", fabric.toBuilder().nodeSelection(NodeSelection.ALL_NODES).build());
    DriverRuntime runtime = start(builder());
    runtime.prepare(claimIn("fabric", "c", "port-1"));

    driver.pools = Map.of("", pool());
    rescan(runtime);
    DevicePool kept = runtime.pools(NAME).get("fabric");
    assertThat(kept).isNotNull();
    assertThat(kept.devices()).extracting(Device::name).containsExactly("port-1");
    assertThat(kept.nodeSelection()).isEqualTo(NodeSelection.ALL_NODES);

    runtime.unprepare("uid-c");
    rescan(runtime);
    assertThat(runtime.pools(NAME).keySet()).containsExactly("node-1");
  }

  @Test
  void aPoolThatIsNotOfferedAfterARestartIsPublishedWithTheDevicesOfClaims() throws Exception {
    Map<String, Quantity> one = Map.of("slices", Quantity.of(1));
    Device part = part("part", one).toBuilder().attribute("profile", "1g").build();
    Device plain = Device.named("port-0").build();
    DevicePool fabric =
        DevicePool.of(
                List.of(part, plain),
                List.of(new CounterSet("gpu", one), new CounterSet("unused", one)))
            .toBuilder()
            .nodeSelection(NodeSelection.ALL_NODES)
            .partitionTypeAttribute(NAME + "/profile")
            .skipNodeOperations(List.of("NodePrepareResources"))
            .build();
    driver.pools = Map.of("fabric", fabric);
    start(builder()).prepare(claimIn("fabric", "c", "part"));

    driver.pools = Map.of("", pool());
    DriverRuntime restarted = start(builder());
    assertThat(restarted.pools(NAME).get("fabric"))
        .isEqualTo(
            fabric.toBuilder()
                .devices(List.of(part))
                .counters(List.of(new CounterSet("gpu", one)))
                .build());
    assertThatThrownBy(() -> restarted.prepare(claimIn("fabric", "d", "part")))
        .hasMessageContaining("claim default/c (uid-c) has device");

    restarted.unprepare("uid-c");
    rescan(restarted);
    assertThat(restarted.pools(NAME).keySet()).containsExactly("node-1");
    start(builder());
    try (ClaimStore store = closedStore()) {
      assertThat(store.heldPools()).isEmpty();
    }
  }

  @Test
  void aPoolThatOnlyAnAllocationNamesIsNotPublished() throws Exception {
    driver.pools = Map.of("", pool(Device.named("dev-0").build()));
    DriverRuntime first = start(builder());
    first.prepare(claimIn("node-1", "local", "dev-0"));
    assertThatThrownBy(() -> first.prepare(claimIn("foreign", "c", "dev-0")))
        .hasMessageContaining("does not publish this device in pool");

    DriverRuntime second = start(builder());

    assertThat(second.pools(NAME).keySet()).containsExactly("node-1");
  }

  @Test
  void aCounterSetThatIsNotSharedAfterARestartStaysForTheDevicesOfClaims() throws Exception {
    Map<String, Quantity> one = Map.of("slices", Quantity.of(1));
    driver.pools =
        Map.of("", DevicePool.of(List.of(part("part", one)), List.of(new CounterSet("gpu", one))));
    start(builder()).prepare(claimIn("node-1", "c", "part"));

    driver.pools = Map.of("", pool(Device.named("other").build()));
    DriverRuntime restarted = start(builder());

    DevicePool pool = restarted.pools(NAME).get("node-1");
    assertThat(pool).isNotNull();
    assertThat(pool.devices()).extracting(Device::name).containsExactly("other", "part");
    assertThat(pool.counters()).containsExactly(new CounterSet("gpu", one));
    assertThat(restarted.health().problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"bro", "[]", "{}", ""})
  void aPoolInTheStoreThatCannotBeReadCostsNothingElse(String text) throws Exception {
    driver.pools = Map.of("fabric", pool(Device.named("port-0").build()));
    start(builder()).prepare(claimIn("fabric", "c", "port-0"));
    stop();
    open = null;
    try (Connection store =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("store"));
        Statement statement = store.createStatement()) {
      statement.executeUpdate(
          "UPDATE meta SET value = '%s' WHERE key LIKE 'pool %%'".formatted(text));
    }

    driver.pools = Map.of("", pool(Device.named("dev-0").build()));
    DriverRuntime restarted = start(builder());

    assertThat(restarted.pools(NAME).keySet()).containsExactly("node-1");
    assertThat(restarted.claims()).hasSize(1);
    assertThat(restarted.health().isReady()).isTrue();
    assertThat(restarted.health().problems())
        .anyMatch(
            one ->
                one.startsWith(
                    "quarantined a damaged record of the store: pool [%s, fabric]: "
                        .formatted(NAME)));
    restarted.unprepare("uid-c");
  }

  private ClaimStore closedStore() throws StoreException {
    stop();
    open = null;
    return ClaimStore.open(directory.resolve("store"));
  }

  @Test
  void aPoolWithAnImpossibleNameCostsTheDriverNoOther() throws Exception {
    Map<String, DevicePool> pools = new LinkedHashMap<>();
    pools.put("", pool(Device.named("dev-0").build()));
    pools.put("Not A Pool", pool());
    pools.put("a//b", pool());
    pools.put("rack-1/fabric", pool(Device.named("dev-0").build()));
    driver.pools = pools;

    DriverRuntime runtime = start(builder());

    assertThat(runtime.pools(NAME).keySet()).containsExactly("node-1", "rack-1/fabric");
    assertThat(runtime.health().problems())
        .hasSize(2)
        .allMatch(one -> one.contains("has an invalid name: expected DNS subdomains"));
  }

  @Test
  void thePoolOfTheNodeIsOfferedOnce() throws Exception {
    Map<String, DevicePool> pools = new LinkedHashMap<>();
    pools.put("", pool(Device.named("dev-0").build()));
    pools.put("node-1", pool(Device.named("dev-1").build()));
    driver.pools = pools;

    DriverRuntime runtime = start(builder());

    assertThat(runtime.health().problems())
        .containsExactly(
            "driver x.example.com: not offered: pool 'node-1' is offered twice, once as the"
                + " pool of the node");
    assertThat(runtime.slices()).hasSize(1);
  }

  @Test
  void partsThatTheServerWouldRefuseAreLeftOut() throws Exception {
    Map<String, Quantity> one = Map.of("slices", Quantity.of(1));
    Device typed = part("typed", one).toBuilder().attribute("profile", "1g").build();
    Device untyped = part("untyped", one);
    Device giving =
        part("giving", Map.of("slices", Quantity.parse("-1"))).toBuilder()
            .attribute("profile", "1g")
            .build();
    driver.pools =
        Map.of(
            "",
            DevicePool.of(List.of(typed, untyped, giving), List.of(new CounterSet("gpu", one)))
                .toBuilder()
                .partitionTypeAttribute(NAME + "/profile")
                .build());

    DriverRuntime runtime = start(builder());

    assertThat(runtime.pools(NAME).get("node-1"))
        .satisfies(pool -> assertThat(pool.devices()).containsExactly(typed));
    assertThat(runtime.health().problems())
        .anyMatch(problem -> problem.contains("'untyped' consumes counters and has no string"))
        .anyMatch(problem -> problem.contains("'giving' draws -1 on counter slices"));
  }

  @Test
  void aDeviceAndItsPartAreNotPreparedTogether() throws Exception {
    Device whole = part("whole", Map.of("slices", Quantity.of(2)));
    Device left = part("left", Map.of("slices", Quantity.of(1)));
    Device right = part("right", Map.of("slices", Quantity.of(1)));
    CounterSet gpu = CounterSet.named("gpu").counter("slices", 2).build();
    DevicePool parts = DevicePool.of(List.of(whole, left, right), List.of(gpu));
    driver.pools = Map.of("", parts, "other", parts);
    DriverRuntime runtime = start(builder());
    runtime.prepare(claimIn("node-1", "l", "left"));

    assertThatThrownBy(() -> runtime.prepare(claimIn("node-1", "w", "whole")))
        .hasMessageContaining(
            "[left of claim default/l, whole] draw 3 on counter slices of counter set gpu");
    runtime.prepare(claimIn("other", "o", "whole")); // has counters of its own
    runtime.prepare(claimIn("node-1", "r", "right"));
    assertThatThrownBy(() -> runtime.prepare(claimIn("other", "p", "left")))
        .hasMessageContaining("its devices and those of other claims do not fit together");

    driver.pools =
        Map.of(
            "",
            DevicePool.of(
                List.of(whole, left, right),
                List.of(CounterSet.named("gpu").counter("slices", 1).build())));
    rescan(runtime);
    runtime.prepare(claimIn("node-1", "l", "left")); // is prepared, and stays so
    runtime.unprepare("uid-l");
    runtime.unprepare("uid-r");
    runtime.prepare(claimIn("node-1", "r", "right"));
  }

  /** A kubelet asks each driver of a claim by itself. */
  @Test
  void aPartThatIsTakenIsNotPreparedAlsoWhereAnotherDriverHasPreparedTheClaim() throws Exception {
    Device whole = part("whole", Map.of("slices", Quantity.of(2)));
    Device left = part("left", Map.of("slices", Quantity.of(1)));
    CounterSet gpu = CounterSet.named("gpu").counter("slices", 2).build();
    driver.pools = Map.of("", DevicePool.of(List.of(whole, left), List.of(gpu)));
    DriverRuntime runtime = start(builder().driver(new LampDriver(directory, "a")));
    runtime.prepare(claimIn("node-1", "l", "left"));
    AllocationResult.Builder both = AllocationResult.builder();
    for (ResourceClaim one :
        List.of(RuntimeFixture.claim("w", "a"), claimIn("node-1", "w", "whole"))) {
      RuntimeFixture.allocationOf(one).results().forEach(both::result);
    }
    ResourceClaim claim =
        RuntimeFixture.claim("w", "a").toBuilder().allocation(both.build()).build();
    runtime.prepare(claim, LampDriver.NAME, Deadline.none());

    assertThatThrownBy(() -> runtime.prepare(claim, NAME, Deadline.none()))
        .hasMessageContaining("devices [left of claim default/");
  }

  private static Device part(String name, Map<String, Quantity> draws) {
    return Device.named(name)
        .consumesCounters(new DeviceCounterConsumption("gpu", draws, List.of()))
        .build();
  }

  @Test
  void aListenerHearsOfPoolsAtOnceAndOfEachChangeUntilItIsRemoved() throws Exception {
    DriverRuntime runtime = start(builder());
    List<String> heard = new CopyOnWriteArrayList<>();
    PoolListener listener =
        (name, pools) ->
            heard.add(
                name
                    + pools.keySet()
                    + pools.values().stream().mapToInt(one -> one.devices().size()).sum());
    PoolListener throwing =
        (name, pools) -> {
          throw new IllegalStateException("a bug");
        };
    runtime.addPoolListener(throwing);
    runtime.addPoolListener(listener);
    assertThat(heard).containsExactly("x.example.com[node-1]2");

    rescan(runtime);
    driver.offer(Device.named("dev-0").build());
    rescan(runtime);
    runtime.removePoolListener(listener);
    driver.offer();
    rescan(runtime);

    assertThat(heard).containsExactly("x.example.com[node-1]2", "x.example.com[node-1]1");
    assertThat(runtime.drivers()).containsExactly(NAME);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> runtime.pools("y.example.com"))
        .withMessageContaining("x.example.com");
  }

  // Starting, and asking for a look.

  @Test
  void aDriverAsksTheRuntimeToLook() throws Exception {
    DriverRuntime runtime = start(builder());
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    runtime.addListener((name, slices) -> heard.add(name));
    DriverContext context = driver.context;
    assertThat(context).isNotNull();
    assertThat(context.node()).isEqualTo("node-1");

    driver.offer(Device.named("new").build());
    context.changed("a device came");

    assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo(NAME);
    assertThat(device(runtime, "new")).isNotNull();
    runtime.close();
    context.changed("too late"); // and nothing happens
  }

  @Test
  void aDriverThatCannotStartIsToldAndStartedAgain() throws Exception {
    driver.failsStart = true;
    DriverRuntime runtime = start(builder());
    assertThat(runtime.health().isReady()).isFalse();
    assertThat(runtime.health().problems())
        .anyMatch(one -> one.contains("start threw java.lang.IllegalStateException: not yet"));

    driver.failsStart = false;
    rescan(runtime);

    assertThat(runtime.health().problems()).isEmpty();
    assertThat(driver.context).isNotNull();
  }

  // Health.

  private static ResourceClaim wish(String name) {
    return ResourceClaim.named(name).request("r", one -> one.deviceClass("any")).build();
  }

  @Test
  void aDeviceThatDoesNotWorkIsTaintedCountedAndNotAllocated() throws Exception {
    SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    driver.offer(Device.named("dev-0").build());
    driver.health = List.of(DeviceHealth.unhealthy("dev-0", "media errors"));
    DriverRuntime runtime =
        start(builder().metrics(metrics).deviceClasses(List.of(DeviceClass.named("any"))));
    rescan(runtime);

    assertThat(device(runtime, "dev-0").taints())
        .containsExactly(DeviceTaint.of(NAME + "/unhealthy", "", TaintEffect.NO_SCHEDULE));
    assertThat(runtime.allocate(wish("a"))).isInstanceOf(Unallocatable.class);
    assertThat(metrics.get("dra4j.devices.unhealthy").tag("driver", NAME).gauge().value())
        .isEqualTo(1);

    driver.health = List.of(DeviceHealth.healthy("dev-0"));
    rescan(runtime);

    assertThat(device(runtime, "dev-0").taints()).isEmpty();
    assertThat(runtime.allocate(wish("a"))).isInstanceOf(Allocated.class);
    assertThat(metrics.get("dra4j.devices.unhealthy").gauge().value()).isZero();
  }

  @Test
  void aDeviceInASandboxThatDoesNotWorkIsTaintedAsWell() throws Exception {
    DriverRuntime runtime = start(builder());
    runtime.prepare(claimIn("node-1", "c", "dev-0"));
    runtime.attach("uid-c", sandbox("sb", "p"));
    driver.offer();

    driver.health = List.of(DeviceHealth.unhealthy("dev-0", "no carrier"));
    rescan(runtime);
    rescan(runtime);
    assertThat(device(runtime, "dev-0").taints())
        .containsExactly(DeviceHealth.unhealthyTaint(NAME));

    driver.health = List.of();
    rescan(runtime);
    rescan(runtime);
    assertThat(device(runtime, "dev-0").taints()).isEmpty();
  }

  @Test
  void healthIsOfADeviceInAPool() throws Exception {
    driver.pools =
        Map.of(
            "", pool(Device.named("dev-0").build()), "fabric", pool(Device.named("dev-0").build()));
    driver.health = List.of(DeviceHealth.unhealthy("dev-0", "broken").inPool("fabric"));

    DriverRuntime runtime = start(builder());
    rescan(runtime);

    assertThat(runtime.pools(NAME).get("fabric"))
        .satisfies(pool -> assertThat(pool.devices().get(0).taints()).hasSize(1));
    assertThat(runtime.pools(NAME).get("node-1"))
        .satisfies(pool -> assertThat(pool.devices().get(0).taints()).isEmpty());
  }

  @Test
  void healthOfDevicesThatAreNotOfferedIsLeftOutAndReported() throws Exception {
    driver.offer(Device.named("dev-0").build(), Device.named("No Name").build());
    driver.health =
        List.of(
            DeviceHealth.unhealthy("dev-0", "broken"),
            DeviceHealth.unhealthy("dev-0", "broken").inPool("fabric"),
            DeviceHealth.healthy("dev-9"),
            DeviceHealth.healthy("No Name"));
    DriverRuntime runtime = start(builder());

    assertThat(runtime.deviceHealth().get(NAME))
        .extracting(one -> one.pool() + "/" + one.device())
        .containsExactly("node-1/dev-0");
    assertThat(runtime.health().isReady()).isTrue();
    assertThat(runtime.health().problems())
        .contains(
            "driver x.example.com reports the health of devices that it does not offer: No Name,"
                + " dev-9, fabric/dev-0");

    driver.health = List.of(DeviceHealth.unhealthy("dev-0", "broken"));
    rescan(runtime);
    assertThat(runtime.health().problems()).noneMatch(one -> one.contains("the health of devices"));
  }

  @Test
  void healthOfADeviceOfAClaimIsKnownThoughTheHostDoesNotShowIt() throws Exception {
    DriverRuntime runtime = start(builder());
    runtime.prepare(claimIn("node-1", "c", "dev-0"));
    driver.offer();
    driver.health =
        List.of(DeviceHealth.healthy("dev-0"), DeviceHealth.unhealthy("dev-1", "is gone"));

    rescan(runtime);

    assertThat(runtime.deviceHealth().get(NAME))
        .extracting(DeviceHealth::device)
        .containsExactly("dev-0");
    assertThat(runtime.health().problems())
        .containsExactly(
            "driver x.example.com reports the health of devices that it does not offer: dev-1");
  }

  @Test
  void manyDevicesThatAreNotOfferedAreNamedInOneLine() throws Exception {
    List<DeviceHealth> many = new ArrayList<>();
    for (int i = 10; i < 40; i++) {
      many.add(DeviceHealth.healthy("gone-" + i));
      many.add(DeviceHealth.unhealthy("gone-" + i, "twice"));
    }
    driver.health = many;
    DriverRuntime runtime = start(builder());

    assertThat(runtime.health().problems())
        .singleElement()
        .satisfies(one -> assertThat(one).endsWith("gone-16, gone-17 and 22 more"));
  }

  @Test
  void aDriverThatCannotTellItsHealthLeavesTheTaintsAsTheyAre() throws Exception {
    driver.health = List.of(DeviceHealth.unhealthy("dev-0", "broken"));
    DriverRuntime runtime = start(builder());
    rescan(runtime);

    driver.failsHealth = true;
    rescan(runtime);
    rescan(runtime);

    assertThat(device(runtime, "dev-0").taints()).hasSize(1);
    assertThat(runtime.deviceHealth().get(NAME)).isEmpty();
    assertThat(runtime.health().problems())
        .anyMatch(one -> one.contains("could not report the health of its devices"));
  }

  @Test
  void healthIsSaidAgainWithNewerTimesThoughNothingChanges() throws Exception {
    Instant begun = Instant.now();
    driver.health =
        List.of(
            DeviceHealth.healthy("dev-0"),
            DeviceHealth.healthy("dev-1").asOf(Instant.EPOCH).validFor(Duration.ofSeconds(5)));
    BlockingQueue<List<DeviceHealth>> heard = new LinkedBlockingQueue<>();
    DriverRuntime made = builder().healthPeriod(Duration.ofMillis(20)).build();
    open = made;
    made.addHealthListener((name, health) -> heard.add(health));
    made.start();

    List<DeviceHealth> first = heard.poll(1, TimeUnit.MINUTES);
    List<DeviceHealth> second = heard.poll(1, TimeUnit.MINUTES);

    assertThat(first).isNotNull();
    assertThat(second).isNotNull();
    assertThat(first).extracting(DeviceHealth::pool).containsOnly("node-1");
    assertThat(first.get(0).lastUpdated()).isAfterOrEqualTo(begun);
    assertThat(second.get(0).lastUpdated()).isAfter(first.get(0).lastUpdated());
    assertThat(second.get(1).lastUpdated()).isEqualTo(Instant.EPOCH);
    assertThat(second.get(1).timeout()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aChangeOfHealthIsSaidAtOnce() throws Exception {
    driver.health = List.of(DeviceHealth.healthy("dev-0"));
    DriverRuntime made = builder().build();
    open = made;
    BlockingQueue<DeviceHealth.Status> heard = new LinkedBlockingQueue<>();
    HealthListener listener = (name, health) -> heard.add(health.get(0).status());
    made.addHealthListener(listener);
    made.start();
    assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo(DeviceHealth.Status.HEALTHY);

    driver.health = List.of(DeviceHealth.unhealthy("dev-0", "broken"));
    DriverContext context = driver.context;
    assertThat(context).isNotNull();
    context.changed("it broke");

    assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo(DeviceHealth.Status.UNHEALTHY);
    made.removeHealthListener(listener);
  }

  @Test
  void aTimeoutBelowASecondIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceHealth.healthy("dev-0").validFor(Duration.ofMillis(999)))
        .withMessageContaining("dev-0");
  }

  // What operators should know.

  private static TopologyReader reader(String... warnings) {
    return new TopologyReader() {
      @Override
      public String name() {
        return "warning";
      }

      @Override
      public void read(Host host, HostInventory.Builder inventory) {
        for (String one : warnings) {
          inventory.warn(one);
        }
      }
    };
  }

  @Test
  void warningsOfReadersAreProblemsThatLeaveTheRuntimeReady() throws Exception {
    String[] many = new String[20];
    for (int i = 0; i < many.length; i++) {
      many[i] = "file %d cannot be read".formatted(i);
    }

    DriverRuntime runtime = start(builder().readers(TopologyReaders.of(reader(many))));

    assertThat(runtime.health().isReady()).isTrue();
    assertThat(runtime.health().problems())
        .hasSize(17)
        .startsWith("file 0 cannot be read")
        .endsWith("4 more warnings of readers");
  }

  @Test
  void aWatcherThatCannotWatchIsAProblemUntilItCan() throws Exception {
    List<Boolean> works = new CopyOnWriteArrayList<>();
    HostWatcher watcher =
        new HostWatcher() {
          @Override
          public String name() {
            return "ear";
          }

          @Override
          public Watch watch(Host host, Listener listener) throws IOException {
            if (works.isEmpty()) {
              throw new IOException("no socket");
            }
            return () -> {};
          }
        };
    DriverRuntime runtime = start(builder().watchers(List.of(watcher)));
    assertThat(runtime.health().problems())
        .containsExactly(
            "watcher ear cannot watch the host, so it is read only every 60 s:"
                + " java.io.IOException: no"
                + " socket");

    works.add(true);
    rescan(runtime);

    assertThat(runtime.health().problems()).isEmpty();
  }

  @Test
  void twoDeviceClassesOfOneNameAreRefusedWithBothPlaces() {
    RuntimeOptions builder = builder(); // has the class lamp

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                builder.deviceClasses(
                    List.of(
                        DeviceClass.named("disk", "false"),
                        DeviceClass.named("gpu"),
                        DeviceClass.named("disk", "true"))))
        .withMessage(
            "two device classes are named disk, number 2 and number 4; expected each name once");
    builder.deviceClasses(List.of(DeviceClass.named("disk"))); // nothing of the list was added
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.deviceClasses(List.of(DeviceClass.named("lamp", "false"))));
  }
}
