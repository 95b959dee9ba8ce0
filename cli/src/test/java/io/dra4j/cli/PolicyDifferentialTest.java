package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.PlacementPolicy;
import io.dra4j.placement.gang.GangMember;
import io.dra4j.placement.gang.GangOutcome;
import io.dra4j.placement.gang.GangOutcome.PlacedMember;
import io.dra4j.placement.gang.GangPlacement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The devices of policies and gangs are valid for the released Go allocator: it would allocate them
 * if only these devices were published. Fresh random clusters of GPUs and NICs; {@code
 * -Dpolicies=N} sets how many, {@code -Ddifferential.seed=S} which.
 */
@Tag("exhaustive")
class PolicyDifferentialTest {

  private static final int CLUSTERS = Integer.getInteger("policies", 12);
  private static final long SEED =
      Long.getLong("differential.seed", System.currentTimeMillis() / 1000 % 100_000_000);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path directory;
  private static Optional<GoReference> reference = Optional.empty();

  @BeforeAll
  static void buildTheReference() throws IOException, InterruptedException {
    reference = GoReference.build(directory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"best", "pack", "spread"})
  void theReferenceAcceptsWhatAPolicyChooses(String policy)
      throws IOException, InterruptedException, ManifestException {
    Assumptions.assumeTrue(reference.isPresent(), "needs Go to build the reference");
    GoReference go = reference.get();
    int checked = 0;
    for (Path file :
        go.generate("gpu-nic", SEED, CLUSTERS, directory.resolve("gpu-nic-" + policy))) {
      JsonNode chosen =
          JSON.readTree(
              Cli.run("allocate", "--all-nodes", "-o", "json", "--policy", policy, file.toString())
                  .out());
      JsonNode nodes = chosen.path("nodes");
      for (Map.Entry<String, JsonNode> node : nodes.properties()) {
        if (node.getValue().has("allocations")) {
          Path only = directory.resolve("only.json");
          Files.writeString(only, only(file, devices(node.getValue())));
          JsonNode answer = go.allocate(List.of(only), "all").get(0);
          assertThat(answer.path("nodes").path(node.getKey()).path("allocations"))
              .as("%s of seed %d on node %s: %s", file.getFileName(), SEED, node.getKey(), answer)
              .isNotEmpty();
          assertThat(devices(answer.path("nodes").path(node.getKey())))
              .isEqualTo(devices(node.getValue()));
          checked++;
        }
      }
    }
    System.out.printf("policy %s, seed %d: %d allocations accepted%n", policy, SEED, checked);
  }

  /** Two pods for each pending claim, each with a claim like it of its own. */
  @Test
  void theReferenceAcceptsWhatGangsGet()
      throws IOException, InterruptedException, ManifestException {
    Assumptions.assumeTrue(reference.isPresent(), "needs Go to build the reference");
    GoReference go = reference.get();
    GangPlacement gangs =
        GangPlacement.builder(
                Allocator.builder()
                    .selectors(CelSelectors.create())
                    .policy(PlacementPolicy.best())
                    .build())
            .build();
    int placed = 0;
    int checked = 0;
    for (Path file : go.generate("gpu-nic", SEED, 2 * CLUSTERS, directory.resolve("gangs"))) {
      ClusterSnapshot cluster = Manifests.readSnapshot(file);
      for (ResourceClaim wanted : cluster.pendingClaims()) {
        List<GangMember> members = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          ResourceClaim own = named(wanted, wanted.metadata().name() + "-" + i);
          members.add(GangMember.anywhere(own.metadata().name(), List.of(own)));
        }
        GangOutcome outcome =
            gangs.place(DeviceInventory.of(cluster), members, Budget.of(Duration.ofMinutes(1)));
        if (!(outcome instanceof GangOutcome.Placed plan)) {
          continue;
        }
        placed++;
        for (String node : nodesOf(plan)) {
          Set<String> devices = new HashSet<>();
          List<String> names = new ArrayList<>();
          for (PlacedMember member : plan.members()) {
            if (member.node().equals(node)) {
              names.add(member.member().name());
              member.allocations().stream()
                  .flatMap(allocation -> allocation.result().results().stream())
                  .forEach(result -> devices.add(result.deviceId().toString()));
            }
          }
          Path only = directory.resolve("only-gang.json");
          Files.writeString(only, only(file, devices, ClaimKey.of(wanted), names));
          JsonNode answer = go.allocate(List.of(only), "all").get(0).path("nodes").path(node);
          assertThat(answer.path("allocations"))
              .as("%s of seed %d, %s on node %s: %s", file.getFileName(), SEED, names, node, answer)
              .isNotEmpty();
          assertThat(devices(answer)).isEqualTo(devices);
          checked++;
        }
      }
    }
    System.out.printf(
        "gangs, seed %d: %d placed, what they have on %d nodes accepted%n", SEED, placed, checked);
  }

  private static ResourceClaim named(ResourceClaim claim, String name) {
    return claim.toBuilder().metadata(claim.metadata().toBuilder().name(name).build()).build();
  }

  private static Set<String> nodesOf(GangOutcome.Placed plan) {
    Set<String> nodes = new LinkedHashSet<>();
    plan.members().forEach(member -> nodes.add(member.node()));
    return nodes;
  }

  /** The snapshot with only copies of one pending claim, and only the given devices. */
  private static String only(Path file, Set<String> devices, ClaimKey wanted, List<String> names)
      throws IOException, ManifestException {
    StringBuilder text = new StringBuilder();
    for (String line : only(file, devices).lines().toList()) {
      ObjectNode document = (ObjectNode) JSON.readTree(line);
      boolean pending =
          document.path("kind").asText().equals("ResourceClaim")
              && document.path("status").path("allocation").isMissingNode();
      if (!pending) {
        text.append(line).append('\n');
        continue;
      }
      ObjectNode metadata = (ObjectNode) document.path("metadata");
      if (metadata.path("name").asText().equals(wanted.name())
          && metadata.path("namespace").asText("default").equals(wanted.namespace())) {
        for (String name : names) {
          metadata.put("name", name);
          text.append(JSON.writeValueAsString(document)).append('\n');
        }
      }
    }
    return text.toString();
  }

  /** {@code driver/pool/device} of everything that was allocated. */
  private static Set<String> devices(JsonNode node) {
    Set<String> devices = new HashSet<>();
    for (JsonNode claim : node.path("allocations")) {
      for (JsonNode result : claim.path("allocation").path("devices").path("results")) {
        devices.add(
            result.path("driver").asText()
                + "/"
                + result.path("pool").asText()
                + "/"
                + result.path("device").asText());
      }
    }
    return devices;
  }

  /** The snapshot without all other devices. Slices stay, so that pools are complete. */
  private static String only(Path file, Set<String> devices) throws IOException, ManifestException {
    StringBuilder text = new StringBuilder();
    for (Manifest manifest : ManifestReader.builder().build().read(file)) {
      ObjectNode document = ((ObjectNode) Objects.requireNonNull(manifest.source())).deepCopy();
      if (document.path("kind").asText().equals("ResourceSlice")
          && document.path("spec").path("devices") instanceof ArrayNode published) {
        String prefix =
            document.path("spec").path("driver").asText()
                + "/"
                + document.path("spec").path("pool").path("name").asText()
                + "/";
        for (int i = published.size() - 1; i >= 0; i--) {
          if (!devices.contains(prefix + published.get(i).path("name").asText())) {
            published.remove(i);
          }
        }
      }
      text.append(JSON.writeValueAsString(document)).append('\n');
    }
    return text.toString();
  }
}
