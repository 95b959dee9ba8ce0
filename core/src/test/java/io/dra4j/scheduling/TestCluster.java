package io.dra4j.scheduling;

import io.dra4j.inventory.DeviceInventory;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.KubernetesObject;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The objects of a small cluster, and where a run places its pods. */
public final class TestCluster {

  /** Refuses every selector: classes and requests have none, or are at fault. */
  public static final SelectorCompiler NO_SELECTORS =
      new SelectorCompiler() {
        @Override
        public CompiledSelector compileSelector(String expression) throws SelectorException {
          throw new SelectorException("no selectors");
        }

        @Override
        public CompiledAttribute compileAttribute(String expression) throws SelectorException {
          throw new SelectorException("no derived attributes");
        }
      };

  private TestCluster() {}

  /** The objects of a text in YAML. */
  public static List<KubernetesObject> objects(String text) {
    List<KubernetesObject> objects = new ArrayList<>();
    try {
      ManifestReader.builder()
          .build()
          .readFile("f", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
          .manifests()
          .forEach(manifest -> objects.add(manifest.object()));
    } catch (ManifestException e) {
      throw new AssertionError(e.getMessage(), e);
    }
    return objects;
  }

  /** Where a run places the pods of a cluster. */
  public static ClusterOutcome place(ClusterRun run, List<KubernetesObject> objects) {
    PodQueue queue = PodQueue.of(objects);
    ClusterSnapshot cluster =
        ClusterSnapshot.of(objects).withResourceClaims(List.copyOf(queue.claims().values()));
    return run.place(queue, DeviceInventory.of(cluster));
  }
}
