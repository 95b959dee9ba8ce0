package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.explanation.Explanation;
import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares answers that dra4j finds by repeated search, or without search, with the reference. */
@Tag("exhaustive")
class SearchDifferentialTest {

  private static final int CLUSTERS = Integer.getInteger("differential", 60);
  private static final long SEED =
      Long.getLong("differential.seed", System.currentTimeMillis() / 1000 % 100_000_000);

  /**
   * The reference can search for hours if a claim does not fit; without an answer by then, the case
   * counts as open.
   */
  private static final Duration PATIENCE =
      Duration.ofSeconds(Long.getLong("differential.pairs.seconds", 2));

  private static final int MOST_PAIRS = 100;

  @TempDir static Path directory;
  private static Optional<GoReference> reference = Optional.empty();

  @BeforeAll
  static void buildTheReference() throws IOException, InterruptedException {
    reference = GoReference.build(directory);
  }

  private static Device on(String name, int root) {
    return Device.named(name).attribute("resource.kubernetes.io/pcieRoot", "r" + root).build();
  }

  /**
   * A server of 8 to 16 roots of which some miss their GPU or NIC, and a claim for 8 to 16 pairs.
   */
  private static Path pairs(SplittableRandom random, int number) throws IOException {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    int missing = random.nextInt(0, 20);
    for (int root = random.nextInt(8, 17) - 1; root >= 0; root--) {
      if (random.nextInt(100) >= missing) {
        gpus.add(on("gpu" + root, root));
      }
      if (random.nextInt(100) >= missing) {
        nics.add(on("nic" + root, root));
      }
    }
    ResourceClaim claim =
        ResourceClaim.named("pairs")
            .pairs(
                random.nextInt(8, 17), gpu -> gpu.deviceClass("gpu"), nic -> nic.deviceClass("nic"))
            .build();
    Path file = directory.resolve("pairs-" + number + ".json");
    Files.writeString(
        file,
        ManifestWriter.toJson(
            List.of(
                Manifest.of(Node.named("n")),
                Manifest.of(DeviceClass.named("gpu", "device.driver == \"gpu.example.com\"")),
                Manifest.of(DeviceClass.named("nic", "device.driver == \"nic.example.com\"")),
                Manifest.of(ResourceSlice.onNode("gpus", "gpu.example.com", "n", gpus)),
                Manifest.of(ResourceSlice.onNode("nics", "nic.example.com", "n", nics)),
                Manifest.of(claim))));
    return file;
  }

  @Test
  void pairsOnServersWithMissingDevicesAreAsTheReferenceSays()
      throws IOException, InterruptedException, ManifestException {
    Assumptions.assumeTrue(reference.isPresent(), "needs Go to build the reference");
    SplittableRandom random = new SplittableRandom(SEED);
    List<Path> files = new ArrayList<>();
    int count = CLUSTERS < 100 ? 2 : Math.min(MOST_PAIRS, CLUSTERS / 10);
    for (int i = 0; i < count; i++) {
      files.add(pairs(random, i));
    }
    List<JsonNode> expected = reference.get().allocate(files, "all", PATIENCE);
    int open = 0;
    int fit = 0;
    for (int i = 0; i < files.size(); i++) {
      Cli cli = Cli.run("allocate", "--all-nodes", "-o", "json", files.get(i).toString());
      JsonNode actual = new ObjectMapper().readTree(cli.out());
      assertThat(actual.at("/nodes/n").has("error")).as("%s", cli.out()).isFalse();
      fit += actual.at("/nodes/n").has("allocations") ? 1 : 0;
      if (expected.get(i).at("/nodes/n/errorScope").asText().equals("timeout")) {
        open++;
      } else {
        assertThat(Answers.comparable(actual))
            .as("seed %d: %s", SEED, Files.readString(files.get(i)))
            .isEqualTo(Answers.comparable(expected.get(i)));
      }
    }
    System.out.printf(
        "differential: pairs, seed %d: %d servers, %d fit, %d agree, the reference has no answer"
            + " within %s to %d%n",
        SEED, files.size(), fit, files.size() - open, PATIENCE, open);
  }

  /** A cluster whose claims are reduced, and what the reference has to say of a node. */
  private record Variant(Path file, String node, boolean fits, List<Requirement> conflict) {}

  @ParameterizedTest
  @ValueSource(strings = {"small", "gpu-nic"})
  void aConflictDoesNotFitAndWithoutAnyOfItsPartsItDoes(String profile)
      throws IOException, InterruptedException, ManifestException {
    Assumptions.assumeTrue(reference.isPresent(), "needs Go to build the reference");
    List<Path> files =
        reference
            .get()
            .generate(profile, SEED, Math.max(4, CLUSTERS / 5), directory.resolve(profile));
    List<Variant> variants = new ArrayList<>();
    Allocator allocator = Allocator.builder().selectors(CelSelectors.create()).build();
    for (Path file : files) {
      List<Manifest> manifests = ManifestReader.builder().build().read(file);
      List<ResourceClaim> pending = new ArrayList<>();
      for (Manifest manifest : manifests) {
        if (manifest.object() instanceof ResourceClaim claim && claim.allocation() == null) {
          pending.add(claim);
        }
      }
      DeviceInventory inventory = DeviceInventory.of(Manifests.snapshotOf(manifests));
      for (Node node : inventory.nodes()) {
        AllocationOutcome outcome = allocator.allocate(inventory, node.name(), pending);
        if (outcome instanceof Unallocatable unallocatable
            && unallocatable.explanation().invalidPools().isEmpty()) {
          add(unallocatable.explanation(), manifests, variants);
        }
      }
    }
    List<JsonNode> answers =
        reference.get().allocate(variants.stream().map(Variant::file).toList(), "all");
    for (int i = 0; i < variants.size(); i++) {
      Variant variant = variants.get(i);
      assertThat(answers.get(i).path("nodes").path(variant.node()).has("unallocatable"))
          .as(
              "profile %s, seed %d, conflict %s: %s",
              profile, SEED, variant.conflict(), Files.readString(variant.file()))
          .isEqualTo(!variant.fits());
    }
    System.out.printf(
        "differential: conflicts, profile %s, seed %d: %d reduced claims agree%n",
        profile, SEED, variants.size());
  }

  private static void add(Explanation explanation, List<Manifest> manifests, List<Variant> variants)
      throws IOException {
    List<Requirement> conflict = explanation.conflict();
    if (conflict.isEmpty()) {
      return; // a smaller claim is an error, so that it is not known whether it fits
    }
    variants.add(variant(explanation, conflict, manifests, false, conflict, variants.size()));
    for (Requirement part : conflict) {
      List<Requirement> less = new ArrayList<>(conflict);
      less.remove(part);
      if (!explanation.reducedTo(less).isEmpty()) {
        variants.add(variant(explanation, less, manifests, true, conflict, variants.size()));
      }
    }
  }

  private static Variant variant(
      Explanation explanation,
      List<Requirement> kept,
      List<Manifest> manifests,
      boolean fits,
      List<Requirement> conflict,
      int number)
      throws IOException {
    List<Manifest> others = new ArrayList<>();
    for (Manifest manifest : manifests) {
      if (!(manifest.object() instanceof ResourceClaim claim) || claim.allocation() != null) {
        others.add(manifest);
      }
    }
    explanation.reducedTo(kept).forEach(claim -> others.add(Manifest.of(claim)));
    Path file = directory.resolve("variant-" + number + ".json");
    Files.writeString(file, ManifestWriter.toJson(others));
    return new Variant(file, explanation.node(), fits, conflict);
  }
}
