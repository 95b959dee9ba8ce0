package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.cli.Cli;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API server takes what {@code dra4j place --render} writes, unknown fields being errors. */
class RenderLiveTest {

  private static final String CRD =
      "github.com/kubeflow/mpi-operator@v0.6.0/manifests/base/kubeflow.org_mpijobs.yaml";

  private static final String SERVERS = "../examples/gke-a4-aligned.yaml";

  private static final String MPI_JOB =
      """
      apiVersion: kubeflow.org/v2beta1
      kind: MPIJob
      metadata: {name: mpi}
      spec:
        mpiReplicaSpecs:
          Launcher:
            replicas: 1
            template: {spec: {containers: [{name: c, image: x}]}}
          Worker:
            replicas: 2
            template:
              spec:
                containers: [{name: c, image: x, resources: {claims: [{name: pairs}]}}]
                resourceClaims: [{name: pairs, resourceClaimTemplateName: 2-gpu-nic-aligned}]
      """;

  @TempDir private Path directory;
  private KubernetesClient client;

  @BeforeEach
  void connect() {
    assumeTrue(
        "true".equals(System.getenv("DRA4J_TEST_CLUSTER")),
        "no cluster for tests: DRA4J_TEST_CLUSTER is not true (e2e/kube/live)");
    client = new KubernetesClientBuilder().build();
  }

  @AfterEach
  void disconnect() {
    if (client != null) {
      client.close();
    }
  }

  private List<String> accepted(Path manifests) throws IOException {
    List<String> kinds = new ArrayList<>();
    try (InputStream text = Files.newInputStream(manifests)) {
      for (HasMetadata object : client.load(text).items()) {
        HasMetadata made =
            client
                .resource(object)
                .inNamespace("default")
                .dryRun()
                .fieldValidation(FieldValidateable.Validation.STRICT)
                .create();
        kinds.add(made.getKind());
      }
    }
    return kinds;
  }

  @Test
  void aStatefulSetWithItsHostfileIsAccepted() throws IOException {
    Cli cli = Cli.run("place", SERVERS, "--render", directory.toString());
    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(accepted(directory.resolve("default-nccl-test.yaml")))
        .containsExactly("ResourceClaimTemplate", "StatefulSet", "ConfigMap");
  }

  @Test
  void aJobIsAccepted() throws IOException {
    String text = Files.readString(Path.of(SERVERS));
    String job =
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: work}
        spec:
          parallelism: 2
          completions: 2
          template:
            spec:
              restartPolicy: Never
              containers: [{name: c, image: x, resources: {claims: [{name: pairs}]}}]
              resourceClaims: [{name: pairs, resourceClaimTemplateName: 2-gpu-nic-aligned}]
        """;
    text = text.replaceAll("(?s)---\napiVersion: apps/v1.*", "");
    Cli cli = Cli.runWith(text + "---\n" + job, "place", "-", "--render", directory.toString());
    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(accepted(directory.resolve("default-work.yaml")))
        .containsExactly("ResourceClaimTemplate", "Job");
  }

  @Test
  void anMpiJobIsAccepted() throws IOException {
    Path crd =
        Path.of(
                Objects.requireNonNullElse(
                    System.getenv("GOMODCACHE"), System.getProperty("user.home") + "/go/pkg/mod"))
            .resolve(CRD);
    assumeTrue(Files.isReadable(crd), "no " + crd + " (go mod download of mpi-operator)");
    try (InputStream text = Files.newInputStream(crd)) {
      for (HasMetadata object : client.load(text).items()) {
        client.resource(object).serverSideApply();
      }
    }
    CustomResources.awaitServed(client, "mpijobs.kubeflow.org");
    String text =
        Files.readString(Path.of(SERVERS)).replaceAll("(?s)---\napiVersion: apps/v1.*", "");
    Cli cli = Cli.runWith(text + "---\n" + MPI_JOB, "place", "-", "--render", directory.toString());
    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(accepted(directory.resolve("default-mpi.yaml")))
        .containsExactly("ResourceClaimTemplate", "MPIJob");
  }
}
