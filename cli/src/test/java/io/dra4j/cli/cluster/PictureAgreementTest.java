package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.cli.ConformanceTest;
import io.dra4j.cli.RandomEvents;
import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.input.QuestionScope;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.TaintEffect;
import io.dra4j.scheduling.ClusterOutcome;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.PodOutcome;
import io.dra4j.scheduling.PodQueue;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pictures agree with the allocator about devices: a device that is drawn as free can be allocated
 * by a claim that selects it alone, and one that is not is refused for the reason drawn.
 */
class PictureAgreementTest {

  private static final int CLUSTERS = Integer.getInteger("pictures.clusters", 1_000);

  /** Explaining takes longer than drawing. */
  private static final int EXPLAINED = 10;

  private static final Path EXAMPLES = Path.of("../examples");
  private static final CelSelectors SELECTORS = CelSelectors.create();

  /** One device in each state that a picture may be wrong about, and a claim for too many. */
  private static final List<KubernetesObject> SERVER =
      List.of(
          Node.named("n"),
          DeviceClass.named("gpu"),
          slice("counters")
              .counterSet(
                  new CounterSet(
                      "card", Map.of("memory", Quantity.of(10), "cores", Quantity.of(10))))
              .build(),
          slice("devices")
              .devices(
                  List.of(
                      Device.named("plain").build(),
                      Device.named("ill")
                          .build()
                          .withTaints(
                              List.of(new DeviceTaint("sick", "", TaintEffect.NO_SCHEDULE, null))),
                      partition("half", 5),
                      partition("whole", 10)))
              .build(),
          ResourceClaim.named("default", "train")
              .request("r", request -> request.deviceClass("gpu"))
              .build()
              .withAllocation(
                  new AllocationResult(
                      List.of(
                          new DeviceRequestAllocationResult(
                              "r",
                              "gpu.example.com",
                              "n",
                              "half",
                              null,
                              List.of(),
                              List.of(),
                              List.of(),
                              null,
                              Map.of(),
                              List.of())),
                      List.of(),
                      null,
                      null)),
          ResourceClaim.named("default", "waiting")
              .request("r", request -> request.deviceClass("gpu").count(4))
              .build());

  private final Allocator allocator = Allocator.builder().selectors(SELECTORS).build();
  private final Map<String, Integer> seen = new TreeMap<>();

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>(ConformanceTest.cases());
    try (Stream<Path> examples = Files.list(EXAMPLES)) {
      examples.filter(file -> file.toString().endsWith(".yaml")).sorted().forEach(files::add);
    }
    return files;
  }

  @ParameterizedTest
  @MethodSource("files")
  void picturesOfAFileAgreeWithTheAllocator(Path file) throws ManifestException {
    List<Manifest> manifests = ManifestReader.builder().build().read(file);

    assertThat(
            contradictions(
                manifests.stream().map(Manifest::object).toList(), true, UnaryOperator.identity()))
        .isEmpty();
  }

  @Test
  void picturesOfRandomClustersAgreeWithTheAllocator() {
    for (int seed = 0; seed < CLUSTERS; seed++) {
      List<KubernetesObject> cluster = seed % 2 == 0 ? randomCluster(seed) : RandomServer.of(seed);
      assertThat(contradictions(cluster, seed % EXPLAINED < 2, UnaryOperator.identity()))
          .as("seed %d", seed)
          .isEmpty();
    }
    assertThat(seen).containsOnlyKeys(DrawnStates.KINDS.toArray(String[]::new));
    assertThat(seen).allSatisfy((state, times) -> assertThat(times).as(state).isPositive());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          free                                 | tainted: sick:NoSchedule
          free                                 | held by default/train
          tainted: sick:NoSchedule             | free
          tainted: sick:NoSchedule             | tainted: well:NoSchedule
          counters used up: card.memory        | free
          counters used up: card.memory        | counters used up: card.cores
          counters used up: card.memory        | its pool is not usable
          <== default/train                    | free
          <== default/train                    | <== default/other
          """)
  void aPictureThatLiesIsFound(String drawn, String lie) {
    assertThat(contradictions(SERVER, true, text -> text)).isEmpty();

    assertThat(contradictions(SERVER, true, text -> text.replace(drawn, lie)))
        .as("%s drawn as %s", drawn, lie)
        .isNotEmpty()
        .allSatisfy(found -> assertThat(found).contains("is drawn as \"" + lie + "\""));
  }

  @Test
  void aSvgOrAPageThatLiesIsFound() {
    for (String drawn : List.of("held by default/train", "in use by default/train")) {
      assertThat(contradictions(SERVER, true, text -> text.replace(drawn, "free")))
          .isNotEmpty()
          .allSatisfy(found -> assertThat(found).contains("is drawn as \"free\""));
    }
  }

  private static ResourceSlice.Builder slice(String name) {
    return ResourceSlice.named(name, "gpu.example.com")
        .pool("n", 1, 2)
        .nodeSelection(NodeSelection.ofNode("n"));
  }

  private static Device partition(String name, long memory) {
    return Device.named(name)
        .consumesCounters(
            new DeviceCounterConsumption("card", Map.of("memory", Quantity.of(memory)), List.of()))
        .build();
  }

  private static List<KubernetesObject> randomCluster(long seed) {
    RandomEvents events = new RandomEvents(seed);
    for (int i = 0; i < 80; i++) {
      events.next();
    }
    ClusterSnapshot cluster = events.snapshot();
    List<KubernetesObject> objects = new ArrayList<>();
    objects.addAll(cluster.nodes());
    objects.addAll(cluster.deviceClasses());
    objects.addAll(cluster.resourceSlices());
    objects.addAll(cluster.resourceClaims());
    objects.addAll(cluster.deviceTaintRules());
    objects.add(events.pending());
    return objects;
  }

  /**
   * Draws the answers about a cluster in all ways.
   *
   * @param explained whether an explanation is drawn, too
   * @param lie changes what is drawn
   */
  private List<String> contradictions(
      List<KubernetesObject> objects, boolean explained, UnaryOperator<String> lie) {
    List<KubernetesObject> marked = DrawnStates.marked(objects);
    PodQueue queue = PodQueue.of(marked);
    ClusterSnapshot cluster =
        ClusterSnapshot.of(marked).withResourceClaims(List.copyOf(queue.claims().values()));
    DeviceInventory before = DeviceInventory.of(cluster);
    ClusterOutcome outcome = ClusterRun.builder(allocator).build().place(queue, before);
    List<InventoryEvent> puts = new ArrayList<>();
    outcome.claims().values().forEach(claim -> puts.add(new InventoryEvent.ClaimPut(claim)));
    DrawnStates states = new DrawnStates(allocator, before.apply(puts));

    StringWriter out = new StringWriter();
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintWriter(out),
            new PrintWriter(new StringWriter()),
            () -> false);
    new ClusterReport(terminal, before, outcome, allocator, true).print(true);
    List<String> lines = lie.apply(out.toString()).lines().toList();
    for (String node : PicturedNodes.of(outcome.pods())) {
      states.compareText(node, picture(node, lines));
    }
    AllocationPicture.of(before, outcome, allocator)
        .forEach((node, svg) -> states.compareSvg(node, lie.apply(svg)));
    List<String> all = new ArrayList<>(states.contradictions());
    states.seen().forEach((state, times) -> seen.merge(state, times, Integer::sum));
    if (explained && outcome.pods().stream().noneMatch(pod -> pod instanceof PodOutcome.Placed)) {
      DrawnStates page = new DrawnStates(allocator, before);
      ExplainRun run =
          new ExplainRun(terminal, allocator, SELECTORS, Duration.ofSeconds(1), null, null);
      run.run(
          new ClusterInput(
              marked.stream().map(Manifest::of).toList(),
              cluster,
              queue,
              QuestionScope.ALL,
              List.of()),
          Budget.unlimited());
      String html = lie.apply(ExplainPage.of(run.report().orElseThrow()));
      for (String server : html.split("<div class=\"server\">\n", -1)) {
        if (server.startsWith("<b>Node ")) {
          page.comparePage(server.substring(8, server.indexOf("</b>")), server);
        }
      }
      all.addAll(page.contradictions());
      page.seen().forEach((state, times) -> seen.merge(state, times, Integer::sum));
    }
    return all;
  }

  /** The lines of the picture of a node. */
  private static List<String> picture(String node, List<String> lines) {
    List<String> picture = new ArrayList<>();
    int start = lines.indexOf(node) + 1;
    assertThat(start).as("a picture of " + node).isPositive();
    for (String line : lines.subList(start, lines.size())) {
      if (line.isEmpty() || "|` ".indexOf(line.charAt(0)) < 0) {
        break;
      }
      picture.add(line);
    }
    return picture;
  }
}
