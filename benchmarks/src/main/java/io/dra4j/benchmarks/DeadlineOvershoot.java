package io.dra4j.benchmarks;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourcePool;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import io.dra4j.model.TolerationOperator;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * By how much hostile input keeps a caller beyond the 200 ms that it waits, and how long an
 * allocation goes without a look at its budget. Prints one line of JSON for each input.
 *
 * <p>An overshoot is elapsed time, the worst of some calls on inventories of their own; where other
 * work keeps the processors busy, it counts too, as does the garbage collector, whose part of that
 * call is reported. A gap is processor time of the thread between two looks, or between the last
 * look and the answer, over three seconds of the same work: no deadline can be passed by more.
 */
public final class DeadlineOvershoot {

  private static final Duration DEADLINE = Duration.ofMillis(200);
  private static final Duration WATCHED = Duration.ofSeconds(3);
  private static final Duration PATIENT = Duration.ofMinutes(5);
  private static final int CALLS = 5;
  private static final int DEVICES_OF_SLICE = 128;
  private static final String DRIVER = "gpu.example.com";
  private static final String LONG_TEXT = "a".repeat(250_000);

  /** What a caller asks for, and of what; or why it cannot have it, which is known already. */
  private record Input(
      String name, ClusterSnapshot cluster, ResourceClaim claim, boolean explain) {}

  /** What takes the time. */
  private interface Question {
    String ask(Duration timeout, Budget budget);
  }

  /** Notes the longest processor time between looks. */
  private static final class Watch {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private long last = THREADS.getCurrentThreadCpuTime();
    private long longest;

    boolean look() {
      long now = THREADS.getCurrentThreadCpuTime();
      longest = Math.max(longest, now - last);
      last = now;
      return false;
    }
  }

  private DeadlineOvershoot() {}

  /**
   * Runs all inputs, or those whose names contain a text.
   *
   * @param args nothing, or the text
   */
  public static void main(String[] args) {
    List<Input> inputs = inputs();
    // Loading classes takes long: the first expression of 10 KiB of a process some 150 ms.
    for (int i = inputs.size() - 2; i < inputs.size(); i++) {
      Input any = inputs.get(i);
      question(any).ask(WATCHED, Budget.unlimited());
    }
    for (Input input : inputs) {
      if (input.name.contains("10 KiB") || input.name.contains("charAt")) {
        for (int i = 0; i < CALLS; i++) {
          question(input).ask(DEADLINE, Budget.unlimited());
        }
      }
    }
    for (Input input : inputs) {
      if (args.length == 0 || input.name.contains(args[0])) {
        measure(input);
      }
    }
  }

  private static void measure(Input input) {
    Question watched = question(input);
    Watch watch = new Watch();
    watched.ask(WATCHED, Budget.unlimited().orUntil(watch::look));
    watch.look();
    long worst = 0;
    long collecting = 0; // in the worst call
    String outcome = "";
    for (int i = 0; i < CALLS; i++) {
      Question question = question(input);
      long collectedBefore = collectorMillis();
      long from = System.nanoTime();
      outcome = question.ask(DEADLINE, Budget.unlimited());
      long took = System.nanoTime() - from;
      if (took > worst) {
        worst = took;
        collecting = collectorMillis() - collectedBefore;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "{\"input\":\"%s\",\"overshootMs\":%.1f,\"collectorMs\":%d,\"gapMs\":%.1f,\"outcome\":\"%s\"}%n",
        input.name,
        Math.max(0, worst - DEADLINE.toNanos()) / 1e6,
        collecting,
        watch.longest / 1e6,
        outcome);
  }

  /** How long the garbage collectors have stopped this process. */
  private static long collectorMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  private static Allocator allocator(Duration timeout) {
    return Allocator.builder().selectors(CelSelectors.create()).timeout(timeout).build();
  }

  private static Question question(Input input) {
    DeviceInventory inventory = DeviceInventory.of(input.cluster);
    List<ResourceClaim> claims = List.of(input.claim);
    if (!input.explain) {
      return (timeout, budget) ->
          textOf(allocator(timeout).allocate(inventory, "node", claims, budget));
    }
    AllocationOutcome outcome = allocator(PATIENT).allocate(inventory, "node", claims);
    if (outcome instanceof Unallocatable refused) {
      return (timeout, budget) ->
          "lines of explanation: " + refused.explanation().reasons(budget.atMost(timeout)).size();
    }
    throw new IllegalStateException(input.name + ": nothing to explain: " + textOf(outcome));
  }

  private static String textOf(AllocationOutcome outcome) {
    if (outcome instanceof Rejected) {
      String text = outcome.toString().replaceAll("[^ -~]|[\"\\\\]", "'");
      return "Rejected: " + text.substring(Math.max(0, text.length() - 90));
    }
    return outcome.getClass().getSimpleName(); // its text would be an explanation
  }

  private static List<Input> inputs() {
    List<Input> inputs = new ArrayList<>();
    ClusterSnapshot large = cluster(pool("pool", 80, UnaryOperator.identity()));
    inputs.add(
        input(
            "All of 100,000 devices, 32 constraints",
            cluster(pool("pool", 800, UnaryOperator.identity())),
            all()));
    inputs.add(
        input("300,000 alternatives of 32 devices of 16", cluster(fewDevices()), alternatives(32)));
    inputs.add(
        input(
            "300,000 alternatives with selectors of their own",
            large,
            alternativesWithSelectors()));
    inputs.add(input("a pool of 10,240 devices, 32 that match none", large, identical()));
    inputs.add(input("1,000 pools of 128 devices", cluster(pools()), identical()));
    inputs.add(
        input("a slice of 500,000 devices with versions", cluster(longSlice()), identical()));
    inputs.add(input("a pool of 20,000 slices", cluster(smallSlices()), identical()));
    inputs.add(
        input("10,240 devices drawing from 1,024 counters each", cluster(counters()), identical()));
    inputs.add(
        input(
            "10,240 devices with 100 taints, 100 tolerations",
            cluster(pool("pool", 80, DeadlineOvershoot::tainted)),
            tolerant()));
    inputs.add(
        input("selectors of 10 KiB, one for each of 1,000 requests", large, longSelectors()));
    inputs.add(
        new Input(
            "explanation of 300,000 alternatives", cluster(fewDevices()), alternatives(32), true));
    inputs.add(
        new Input(
            "explanation of 10,240 devices that draw from 1,024 counters each",
            cluster(counters()),
            selecting("false"),
            true));
    expressions()
        .forEach((name, expression) -> inputs.add(input(name, large, selecting(expression))));
    return inputs;
  }

  private static Input input(String name, ClusterSnapshot cluster, ResourceClaim claim) {
    return new Input(name, cluster, claim, false);
  }

  private static ClusterSnapshot cluster(List<ResourceSlice> slices) {
    List<KubernetesObject> objects = new ArrayList<>(slices);
    objects.add(Node.named("node"));
    objects.add(DeviceClass.named("gpu", "device.driver == \"" + DRIVER + "\""));
    return ClusterSnapshot.of(objects);
  }

  private static List<ResourceSlice> pool(
      String pool, int slices, UnaryOperator<Device.Builder> change) {
    List<ResourceSlice> all = new ArrayList<>();
    for (int i = 0; i < slices; i++) {
      List<Device> devices = new ArrayList<>();
      for (int j = 0; j < DEVICES_OF_SLICE; j++) {
        Device.Builder device =
            Device.named("gpu-" + i + "-" + j)
                .attribute("serial", "serial-" + i + "-" + j)
                .attribute("text", LONG_TEXT)
                .capacity("memory", "80Gi");
        devices.add(change.apply(device).build());
      }
      all.add(slice(pool, i, slices, devices, List.of()));
    }
    return all;
  }

  private static ResourceSlice slice(
      String pool, int number, int count, List<Device> devices, List<CounterSet> counters) {
    return ResourceSlice.named(pool + "-" + number, DRIVER)
        .pool(new ResourcePool(pool, 1, count))
        .nodeSelection(NodeSelection.ALL_NODES)
        .devices(devices)
        .sharedCounters(counters)
        .build();
  }

  private static List<ResourceSlice> pools() {
    List<ResourceSlice> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      all.addAll(pool("pool-" + i, 1, UnaryOperator.identity()));
    }
    return all;
  }

  private static List<ResourceSlice> fewDevices() {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      devices.add(Device.named("gpu-" + i).capacity("memory", "80Gi").build());
    }
    return List.of(slice("pool", 0, 1, devices, List.of()));
  }

  private static List<ResourceSlice> longSlice() {
    List<Device> devices = new ArrayList<>();
    for (int i = 0; i < 500_000; i++) {
      devices.add(
          Device.named("gpu-" + i)
              .attribute("serial", "serial-" + i)
              .attribute("version", DeviceAttribute.version("1.0." + i))
              .capacity("memory", "80Gi")
              .build());
    }
    return List.of(slice("pool", 0, 1, devices, List.of()));
  }

  private static List<ResourceSlice> smallSlices() {
    String name = "a".repeat(240); // names are sorted
    List<ResourceSlice> all = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      List<Device> devices = List.of(Device.named("gpu-" + i).build());
      all.add(
          slice("pool", i, 20_000, devices, List.of()).toBuilder()
              .metadata(ObjectMeta.named(name + Integer.reverse(i)))
              .build());
    }
    return all;
  }

  private static List<ResourceSlice> counters() {
    List<CounterSet> sets = new ArrayList<>();
    Map<String, Quantity> counters = new TreeMap<>();
    for (int i = 0; i < 32; i++) {
      counters.put("counter-" + i, Quantity.of(1_000_000));
    }
    List<DeviceCounterConsumption> draws = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      sets.add(new CounterSet("set-" + i, counters));
      draws.add(new DeviceCounterConsumption("set-" + i, counters, List.of()));
    }
    List<ResourceSlice> all = new ArrayList<>();
    for (ResourceSlice slice : pool("pool", 80, device -> device.consumesCounters(draws))) {
      all.add(slice.toBuilder().pool(new ResourcePool("pool", 1, 81)).build());
    }
    all.add(slice("pool", 80, 81, List.of(), sets));
    return all;
  }

  private static Device.Builder tainted(Device.Builder device) {
    for (int i = 0; i < 100; i++) {
      device.taint(new DeviceTaint("key", "value-" + i, TaintEffect.NO_SCHEDULE, null));
    }
    return device;
  }

  private static ResourceClaim all() {
    ResourceClaim.Builder claim =
        ResourceClaim.named("claim").request("r", request -> request.deviceClass("gpu").all());
    for (int i = 0; i < 32; i++) {
      claim.constraint(DeviceConstraint.matchAttribute(DRIVER + "/text"));
    }
    return claim.build();
  }

  private static ResourceClaim alternatives(int count) {
    List<DeviceSubRequest> alternatives = new ArrayList<>();
    ExactDeviceRequest each = ExactDeviceRequest.ofClass("gpu").count(count).build();
    for (int i = 0; i < 300_000; i++) {
      alternatives.add(new DeviceSubRequest("a" + i, each));
    }
    return ResourceClaim.named("claim")
        .request(DeviceRequest.firstAvailable("r", alternatives))
        .build();
  }

  private static ResourceClaim alternativesWithSelectors() {
    List<DeviceSubRequest> alternatives = new ArrayList<>();
    for (int i = 0; i < 300_000; i++) {
      alternatives.add(
          new DeviceSubRequest(
              "a" + i,
              ExactDeviceRequest.ofClass("gpu")
                  .selector("device.attributes[\"" + DRIVER + "\"].serial == \"" + i + "\"")
                  .build()));
    }
    return ResourceClaim.named("claim")
        .request(DeviceRequest.firstAvailable("r", alternatives))
        .build();
  }

  /** Sixteen devices, of which no two agree in an attribute: no search can try all sets. */
  private static ResourceClaim identical() {
    return ResourceClaim.named("claim")
        .request("r", request -> request.deviceClass("gpu").count(16))
        .request("s", request -> request.deviceClass("gpu").count(16))
        .constraint(DeviceConstraint.matchAttribute(DRIVER + "/serial"))
        .build();
  }

  private static ResourceClaim tolerant() {
    return ResourceClaim.named("claim")
        .request(
            "r",
            request -> {
              request.deviceClass("gpu").count(16);
              for (int i = 1; i < 101; i++) {
                request.toleration(
                    new DeviceToleration(
                        "key", TolerationOperator.EQUAL, "value-" + i, TaintEffect.UNSET, null));
              }
            })
        .build();
  }

  private static ResourceClaim longSelectors() {
    ResourceClaim.Builder claim = ResourceClaim.named("claim");
    List<DeviceSubRequest> alternatives = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      StringBuilder text = new StringBuilder("device.driver == \"" + i + "\"");
      while (text.length() < 10_000) {
        text.append(" || device.attributes[\"").append(DRIVER).append("\"].serial == \"x\"");
      }
      alternatives.add(
          new DeviceSubRequest(
              "a" + i, ExactDeviceRequest.ofClass("gpu").selector(text.toString()).build()));
    }
    return claim.request(DeviceRequest.firstAvailable("r", alternatives)).build();
  }

  private static ResourceClaim selecting(String expression) {
    return ResourceClaim.named("claim")
        .request("r", request -> request.deviceClass("gpu").selector(expression))
        .build();
  }

  /** Calls that take long for what they cost; all within the cost limit of a selector. */
  private static Map<String, String> expressions() {
    Map<String, String> all = new TreeMap<>();
    String text = "device.attributes[\"" + DRIVER + "\"].text";
    String half = text + ".substring(0, 125000)";
    all.put(
        "CEL: indexOf",
        "("
            + half
            + " + \"b\").indexOf(\"b\" + "
            + half
            + ") == 0 || "
            + half
            + ".indexOf("
            + text
            + ".substring(0, 62000) + \"b\") == 7");
    all.put(
        "CEL: lastIndexOf", half + ".lastIndexOf(\"b\" + " + text + ".substring(0, 62000)) == 7");
    all.put("CEL: split", half + ".split(" + text + ".substring(0, 62000) + \"b\").size() == 7");
    all.put(
        "CEL: replace",
        half + ".replace(" + text + ".substring(0, 62000) + \"b\", \"c\") == \"7\"");
    all.put(
        "CEL: contains",
        text + ".substring(0, 20000).contains(" + text + ".substring(0, 4900) + \"b\")");
    String list = "lists.range(680)";
    all.put(
        "CEL: distinct of long texts",
        list + ".map(i, i % 30).map(i, " + text + ".substring(0, 100000)).distinct().size() == 7");
    all.put("CEL: sort", list + ".map(i, " + text + ").sort().size() == 7");
    String twice = "cel.bind(x, " + half + " + \"b\", cel.bind(y, " + half + " + \"c\", ";
    all.put(
        "CEL: sort of long texts",
        twice + list + ".map(i, i % 2 == 0 ? x : y).sort().size() == 7))");
    all.put("CEL: sortBy", twice + list + ".sortBy(i, i % 2 == 0 ? x : y).size() == 7))");
    all.put(
        "CEL: sets of long texts",
        twice + "sets.contains(lists.range(500).map(i, x), lists.range(500).map(i, y + \"\"))))");
    all.put(
        "CEL: in a list of long texts",
        twice + "lists.range(20).exists(i, y + \"\" in lists.range(3000).map(j, y))))");
    all.put(
        "CEL: equality of lists in lists",
        nested("a") + nested("b") + "a20 == b20" + ")".repeat(42));
    all.put(
        "CEL: sets of lists in lists",
        nested("a")
            + nested("b")
            + "sets.contains(lists.range(400).map(i, a20), lists.range(400).map(i, b20))"
            + ")".repeat(42));
    all.put(
        "CEL: distinct of lists in lists",
        nested("a") + "lists.range(400).map(i, a20).distinct().size() == 7" + ")".repeat(21));
    all.put(
        "CEL: indexOf in lists in lists",
        nested("a")
            + nested("b")
            + "lists.range(400).map(i, a20).indexOf(b20) == 7"
            + ")".repeat(42));
    all.put(
        "CEL: flatten of lists in lists",
        "cel.bind(a0, [], " + nestedOn("a") + "a40.flatten(50).size() == 7" + ")".repeat(41));
    StringBuilder calls = new StringBuilder("cel.bind(t, " + half + " + \"\u0101\", ");
    for (int i = 0; i < 500; i++) {
      calls.append("t.charAt(9)==\"b\"||");
    }
    all.put("CEL: charAt 500 times", calls.substring(0, calls.length() - 2) + ")");
    all.put("CEL: regular expression", half + ".matches(\"(a*)*(a*)*b\")");
    all.put("CEL: loops in loops", list + ".all(i, " + list + ".all(j, i + j >= 0))");
    return all;
  }

  /** Variables a0 to a20, each of which has the one before twice. */
  private static String nested(String name) {
    StringBuilder text = new StringBuilder("cel.bind(" + name + "0, [1], ");
    for (int i = 1; i <= 20; i++) {
      String before = name + (i - 1);
      text.append("cel.bind(")
          .append(name)
          .append(i)
          .append(", [")
          .append(before)
          .append(", ")
          .append(before)
          .append("], ");
    }
    return text.toString();
  }

  private static String nestedOn(String name) {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 40; i++) {
      String before = name + (i - 1);
      text.append("cel.bind(")
          .append(name)
          .append(i)
          .append(", dyn([")
          .append(before)
          .append(", ")
          .append(before)
          .append("]), ");
    }
    return text.toString();
  }
}
