package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.cel.CelSelectors;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.Feature;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.DeviceId;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random events: an updated inventory equals an inventory that is created from the same cluster,
 * and answers like the released Go allocator. {@code -Dinventory.events=N} sets how many, {@code
 * -Dinventory.states=N} of how many states the Go allocator is asked, {@code -Dinventory.seed=S}
 * which.
 */
class InventoryEventsTest {

  private static final int EVENTS = Integer.getInteger("inventory.events", 5_000);
  private static final int STATES = Integer.getInteger("inventory.states", 1_000);
  private static final long SEED = Long.getLong("inventory.seed", 1);

  /** The number of events after which a new cluster begins. */
  private static final int EVENTS_OF_A_CLUSTER = 500;

  @TempDir static Path directory;

  private final CelSelectors selectors = CelSelectors.create();

  @Test
  void whatEventsMakeIsWhatTheClusterMakes() {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Set<Feature>> features = List.of(Feature.kubernetes(), Set.of(), someOf(random));
    for (int done = 0; done < EVENTS; done += EVENTS_OF_A_CLUSTER) {
      RandomEvents cluster = new RandomEvents(SEED + done);
      DeviceInventory inventory = DeviceInventory.empty();
      for (int i = 0; i < EVENTS_OF_A_CLUSTER; i += 2) {
        inventory = inventory.apply(List.of(cluster.next(), cluster.next()));
        DeviceInventory rebuilt = DeviceInventory.of(cluster.snapshot());
        ResourceClaim claim = cluster.pending();
        Set<Feature> on = features.get(random.nextInt(features.size()));
        String node = "node-" + random.nextInt(6);
        String where = "seed %d, event %d".formatted(SEED, done + i);
        assertThat(describe(inventory)).as(where).isEqualTo(describe(rebuilt));
        assertThat(describe(inventory, node, on)).as(where).isEqualTo(describe(rebuilt, node, on));
        assertThat(answer(inventory, node, claim, on))
            .as(where)
            .isEqualTo(answer(rebuilt, node, claim, on));
      }
    }
    System.out.printf("inventory: %d events, seed %d: as made anew%n", EVENTS, SEED);
  }

  @Test
  @Tag("exhaustive")
  void theReferenceAgrees() throws IOException, InterruptedException {
    Optional<GoReference> reference = GoReference.build(directory);
    Assumptions.assumeTrue(reference.isPresent(), "needs Go to build the reference");
    List<Path> files = new ArrayList<>();
    List<JsonNode> answers = new ArrayList<>();
    while (files.size() < STATES) {
      RandomEvents cluster = new RandomEvents(SEED + 1_000_000 + files.size());
      DeviceInventory inventory = DeviceInventory.empty();
      for (int i = 0; i < EVENTS_OF_A_CLUSTER / 20 && files.size() < STATES; i++) {
        for (int n = 0; n < 20; n++) {
          inventory = inventory.apply(List.of(cluster.next()));
        }
        ResourceClaim claim = cluster.pending();
        answers.add(answerOf(inventory, claim));
        Path file = directory.resolve("state-" + files.size() + ".json");
        files.add(write(cluster.withoutRules(), claim, file));
      }
    }
    List<JsonNode> expected = reference.get().allocate(files, "all");
    for (int i = 0; i < files.size(); i++) {
      assertThat(Answers.comparable(answers.get(i)))
          .as("seed %d, state %d: %s", SEED, i, Files.readString(files.get(i)))
          .isEqualTo(Answers.comparable(expected.get(i)));
    }
    System.out.printf("inventory: the reference agrees on %d states, seed %d%n", STATES, SEED);
  }

  /** A snapshot, and the answers of a newly created one that shares nothing with it. */
  private record Published(DeviceInventory inventory, String description) {}

  @Test
  void readersSeeWholeSnapshotsWhileOneThreadWrites() throws InterruptedException {
    RandomEvents cluster = new RandomEvents(SEED);
    DeviceInventory inventory = DeviceInventory.empty();
    AtomicReference<Published> current =
        new AtomicReference<>(new Published(inventory, describe(inventory)));
    AtomicBoolean done = new AtomicBoolean();
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread reader =
          new Thread(
              () -> {
                while (!done.get()) {
                  Published seen = Objects.requireNonNull(current.get());
                  String text = describe(seen.inventory());
                  if (!text.equals(seen.description())) {
                    failures.add(text);
                  }
                }
              });
      reader.setUncaughtExceptionHandler((thread, e) -> failures.add(e.toString()));
      reader.start();
      readers.add(reader);
    }
    for (int i = 0; i < Math.min(2_000, EVENTS / 10); i++) {
      inventory = inventory.apply(List.of(cluster.next()));
      String alone = describe(DeviceInventory.of(cluster.snapshot()));
      current.set(new Published(inventory, alone));
    }
    done.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertThat(failures).isEmpty();
  }

  private static Set<Feature> someOf(SplittableRandom random) {
    return Set.copyOf(
        Feature.kubernetes().stream().filter(feature -> random.nextBoolean()).toList());
  }

  /** All answers of queries. */
  private static String describe(DeviceInventory inventory) {
    StringBuilder text = new StringBuilder();
    for (Node node : inventory.nodes()) {
      text.append(node).append(inventory.devicesOf(node.name()).orElseThrow().list()).append('\n');
      text.append(describe(inventory, node.name(), Feature.kubernetes()));
    }
    for (int i = 0; i < 3; i++) {
      text.append(inventory.deviceClass("class-" + i).orElse(null)).append('\n');
    }
    inventory.publishedSlices().forEach(slice -> text.append(slice).append('\n'));
    for (int i = 0; i < 8; i++) {
      List<DeviceId> held = inventory.heldBy(new ClaimKey("default", "c-" + i));
      held.forEach(device -> text.append(device).append(inventory.holdersOf(device)).append('\n'));
    }
    for (int i = 0; i < 14; i++) {
      try {
        text.append(inventory.nodesOf("slice-" + i)).append('\n');
      } catch (NodeSelectorException e) {
        text.append(e.getMessage()).append('\n');
      }
    }
    return text.toString();
  }

  /** The pools and candidates of a node, and what of them is in use. */
  private static String describe(DeviceInventory inventory, String node, Set<Feature> features) {
    NodeView view;
    try {
      view = InventoryAccess.stateOf(inventory).view(node, features, Budget.unlimited());
    } catch (NodeSelectorException | BudgetExceededException e) {
      return String.valueOf(e.getMessage());
    }
    if (view == null) {
      return "no node";
    }
    StringBuilder text = new StringBuilder();
    view.pools()
        .forEach(
            pool ->
                text.append(pool.id())
                    .append(pool.incomplete())
                    .append(pool.invalidReason())
                    .append(pool.counterSets())
                    .append('\n'));
    for (int i = 0; i < view.size(); i++) {
      NodeDevice candidate = view.candidate(i);
      text.append(candidate)
          .append(candidate.device())
          .append(view.isTaken(candidate))
          .append(view.isShared(candidate))
          .append(Arrays.toString(view.consumed(candidate)))
          .append(view.drawing(candidate))
          .append('\n');
    }
    return text.toString();
  }

  private AllocationOutcome outcome(
      DeviceInventory inventory, String node, ResourceClaim claim, Set<Feature> features) {
    int[] shares = {0};
    return Allocator.builder()
        .selectors(selectors)
        .features(features)
        .shareIds(() -> "share-" + ++shares[0])
        .build()
        .allocate(inventory, node, List.of(claim));
  }

  private String answer(
      DeviceInventory inventory, String node, ResourceClaim claim, Set<Feature> features) {
    return outcome(inventory, node, claim, features)
        .fold(
            allocated -> allocated.allocations().toString(),
            unallocatable -> unallocatable.explanation().toString(),
            rejected -> rejected.error(),
            undecided -> undecided.reason());
  }

  /** The answers for all nodes, as the reference program writes them. */
  private JsonNode answerOf(DeviceInventory inventory, ResourceClaim claim) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ObjectNode nodes = answer.putObject("nodes");
    for (Node node : inventory.nodes()) {
      ObjectNode json = nodes.putObject(node.name());
      AllocationOutcome outcome = outcome(inventory, node.name(), claim, Feature.kubernetes());
      if (outcome instanceof AllocationOutcome.Allocated allocated) {
        ArrayNode allocations = json.putArray("allocations");
        for (ClaimAllocation allocation : allocated.allocations()) {
          allocations
              .addObject()
              .put("namespace", allocation.claim().metadata().namespaceOrDefault())
              .put("name", allocation.claim().metadata().name())
              .set("allocation", ManifestWriter.encode(allocation.result()));
        }
      } else if (outcome instanceof AllocationOutcome.Unallocatable unallocatable) {
        if (unallocatable.explanation().invalidPools().isEmpty()) {
          json.put("unallocatable", true);
        } else {
          json.put("error", "invalid pools").put("errorScope", "node");
        }
      } else {
        json.put("error", outcome.toString()).put("errorScope", "claim");
      }
    }
    return answer;
  }

  /** Claims without an allocation are left out, or the reference would allocate them as well. */
  private static Path write(ClusterSnapshot cluster, ResourceClaim pending, Path file)
      throws IOException {
    List<KubernetesObject> objects = new ArrayList<>();
    objects.addAll(cluster.nodes());
    objects.addAll(cluster.deviceClasses());
    objects.addAll(cluster.resourceSlices());
    cluster.resourceClaims().stream()
        .filter(claim -> claim.allocation() != null)
        .forEach(objects::add);
    objects.add(pending);
    Files.writeString(file, ManifestWriter.toJson(objects.stream().map(Manifest::of).toList()));
    return file;
  }
}
