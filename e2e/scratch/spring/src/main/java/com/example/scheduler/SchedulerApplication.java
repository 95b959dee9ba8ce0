package com.example.scheduler;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelSelectors;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.ResourceClaim;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Decides about claims that come as objects of fabric8. */
@SpringBootApplication
public class SchedulerApplication {

  public static void main(String[] args) {
    SpringApplication.run(SchedulerApplication.class, args);
  }

  @Bean
  Allocator allocator() {
    return Allocator.builder().selectors(CelSelectors.create()).build();
  }

  /** What {@code claim}, of whichever version fabric8 knows, gets on a node of {@code dump}. */
  static AllocationOutcome decide(
      Allocator allocator, Path dump, String node, KubernetesResource claim) throws Exception {
    Path written = Files.createTempFile("claim", ".yaml");
    try {
      Files.writeString(written, Serialization.asYaml(claim));
      ClusterSnapshot cluster = Manifests.readSnapshot(dump);
      List<ResourceClaim> claims = Manifests.readSnapshot(written).resourceClaims();
      return allocator.allocate(DeviceInventory.of(cluster), node, claims);
    } finally {
      Files.delete(written);
    }
  }
}
