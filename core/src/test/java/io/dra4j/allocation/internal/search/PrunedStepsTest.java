package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.RandomCluster;
import io.dra4j.allocation.internal.request.RejectedException;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.request.SearchPosition;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * How many steps searches take, so that none of what they pass over is lost unseen: {@link
 * PrunedSearchTest} says that the answers are right, however many. And how often they look at the
 * budget, so that no loop forgets to. {@code -Dpruned.record=true} records the numbers anew, which
 * is right where a change means to pass over more.
 */
class PrunedStepsTest {

  private static final String ROOT = "resource.kubernetes.io/pcieRoot";
  private static final String NUMA = "resource.kubernetes.io/numaNode";

  private static final int CLUSTERS = 3_000;
  private static final int SERVERS = 1_500;
  private static final int PER_LINE = 10;
  private static final int MAX_STEPS = 3_000;
  private static final int PATIENCE = 6;
  private static final int TRIES = 5; // one that gets no processor for long goes on without bounds
  private static final Path RECORDED =
      Path.of("src/test/resources/io/dra4j/allocation/pruned-steps.txt");

  private static String steps(RandomCluster random, long patience, Budget budget) throws Exception {
    return steps(
        random.cluster.context(
            random.cluster.inventory(), random.features, random.compatibility, List.of(), budget),
        random.claims,
        patience);
  }

  private static String steps(SearchContext context, List<ResourceClaim> claims, long patience)
      throws Exception {
    SearchPosition position = new SearchPosition("in a test");
    Search search = null;
    try {
      SearchPlan plan = new SearchPlan(context, claims, position);
      search = new Search(plan, position, patience).atMost(MAX_STEPS);
      return (search.run() ? "" : "-") + search.steps() + "c" + search.cuts();
    } catch (RejectedException e) {
      return "fault" + (search == null ? "" : search.steps());
    } catch (BudgetExceededException e) {
      return "endless";
    }
  }

  /** A server of which devices are missing, and claims for groups of GPUs and NICs of one root. */
  private static String server(long seed, long patience, Budget budget) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    int roots = random.nextInt(2, 9);
    int missing = random.nextInt(5, 30);
    boolean sharing = random.nextInt(4) == 0;
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int root = 0; root < roots; root++) {
      for (int n = random.nextInt(1, 4); n > 0; n--) {
        if (random.nextInt(100) >= missing) {
          gpus.add(on("gpu" + root + "-" + n, root, 2 * root / roots).build());
        }
        if (random.nextInt(100) >= missing) {
          Device.Builder nic = on("nic" + root + "-" + n, root, 2 * root / roots);
          nics.add(
              sharing && random.nextBoolean()
                  ? nic.allowMultipleAllocations().capacity("bw", "4").build()
                  : nic.build());
        }
      }
    }
    List<ResourceClaim> claims = new ArrayList<>();
    for (int i = random.nextInt(1, 3); i > 0; i--) {
      claims.add(groups("c" + i, random, Math.max(1, roots / 2)));
    }
    Cluster cluster =
        Cluster.of(
            ResourceSlice.onNode("gpus", "gpu", "n", gpus),
            ResourceSlice.onNode("nics", "nic", "n", nics));
    SearchContext context =
        cluster.context(
            cluster.inventory(), Feature.kubernetes(), Compatibility.REFERENCE, List.of(), budget);
    return steps(context, claims, patience);
  }

  private static Device.Builder on(String name, int root, int numa) {
    return Device.named(name).attribute(ROOT, "root" + root).attribute(NUMA, numa);
  }

  private static ResourceClaim groups(String name, SplittableRandom random, int most) {
    ResourceClaim.Builder claim = ResourceClaim.named(name);
    List<String> gpus = new ArrayList<>();
    for (int i = random.nextInt(1, most + 2); i > 0; i--) {
      String gpu = "gpu" + i;
      String nic = "nic" + i;
      int count = random.nextInt(4) == 0 ? 2 : 1;
      int nicCount = random.nextInt(4) == 0 ? 2 : 1;
      boolean small = random.nextBoolean();
      gpus.add(gpu);
      claim.request(gpu, r -> r.deviceClass("gpu").count(count));
      claim.request(
          nic, r -> (small ? r.capacity("bw", "1") : r).deviceClass("nic").count(nicCount));
      claim.constraint(
          DeviceConstraint.matchAttribute(random.nextInt(5) == 0 ? NUMA : ROOT, gpu, nic));
    }
    switch (random.nextInt(6)) {
      case 0 -> claim.constraint(DeviceConstraint.matchAttribute(NUMA));
      case 1 ->
          claim.constraint(DeviceConstraint.distinctAttribute(ROOT, gpus.toArray(String[]::new)));
      case 2 ->
          claim.constraint(DeviceConstraint.matchAttribute(NUMA, gpus.toArray(String[]::new)));
      default -> {}
    }
    return claim.build();
  }

  private interface Case {
    String steps(long seed, long patience, Budget budget) throws Exception;
  }

  /** With bounds from the start, and after some failures. */
  private static String line(int from) throws Exception {
    boolean isServer = from >= CLUSTERS;
    Case one =
        isServer
            ? PrunedStepsTest::server
            : (seed, patience, budget) -> steps(new RandomCluster(seed), patience, budget);
    AtomicInteger looks = new AtomicInteger();
    Budget budget = Budget.unlimited().orUntil(() -> looks.incrementAndGet() < 0);
    List<String> all = new ArrayList<>();
    for (int i = from; i < from + PER_LINE; i++) {
      String atOnce = one.steps(i, 0, budget);
      String later = one.steps(i, PATIENCE, budget);
      all.add(atOnce.equals(later) ? atOnce : atOnce + "/" + later);
    }
    return (isServer ? "server " + (from - CLUSTERS) : "cluster " + from)
        + ": "
        + String.join(" ", all)
        + "; looks "
        + looks;
  }

  private static List<String> recorded() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(PrunedStepsTest.class.getResourceAsStream("pruned-steps.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  @Test
  void searchesTakeTheStepsThatTheyTook() throws Exception {
    if (Boolean.getBoolean("pruned.record")) {
      List<String> lines = new ArrayList<>();
      lines.add(
          "# Steps of searches in random clusters and on servers, - where nothing fits, and c how"
              + " often they");
      lines.add(
          "# were cut short; with bounds from the start / after 6 failures; how often they look at"
              + " the budget.");
      for (int from = 0; from < CLUSTERS + SERVERS; from += PER_LINE) {
        lines.add(line(from));
      }
      Files.createDirectories(RECORDED.getParent());
      Files.write(RECORDED, lines, StandardCharsets.US_ASCII);
      return;
    }
    List<String> recorded = recorded();
    assertThat(recorded).hasSize((CLUSTERS + SERVERS) / PER_LINE);
    for (int i = 0; i < recorded.size(); i++) {
      String line = line(i * PER_LINE);
      for (int tries = 1; tries < TRIES && !line.equals(recorded.get(i)); tries++) {
        line = line(i * PER_LINE);
      }
      assertThat(line).isEqualTo(recorded.get(i));
    }
  }
}
