package io.dra4j.cli.input;

import io.dra4j.cli.terminal.PathConverter;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.IoMessages;
import io.dra4j.kubernetes.AccessRules;
import io.dra4j.kubernetes.ClusterCapture;
import io.dra4j.kubernetes.ClusterConnection;
import io.dra4j.kubernetes.ClusterException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which live cluster is read. */
public final class ClusterOptions {

  /** Fewer attempts than the client's ten: a person waits. */
  private static final int RETRIES = 2;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description =
          "The live cluster is that of this context of the kubeconfig file, not of the current one.")
  private @Nullable String context;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      converter = PathConverter.class,
      description = "The kubeconfig file. Default: KUBECONFIG, ~/.kube/config.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--print-rbac",
      description =
          "Print the ClusterRole with the rights that reading a live cluster takes, and end.")
  private boolean printRules;

  private boolean isWithoutWorkloads;

  /** Whether an option is given that needs a live cluster. */
  boolean isGiven() {
    return context != null || kubeconfig != null;
  }

  /** The name of the option that is given and needs a live cluster. */
  String given() {
    return context != null ? "--context" : "--kubeconfig";
  }

  /** The answer does not depend on workloads: they are not read. */
  void leaveOutWorkloads() {
    isWithoutWorkloads = true;
  }

  /** Prints the rights, if they are asked for. */
  public boolean printRules(Terminal terminal) {
    if (printRules) {
      terminal.out().print(AccessRules.reader("dra4j-reader"));
    }
    return printRules;
  }

  /**
   * The namespace of the context, of objects that are given by name alone.
   *
   * @throws KubernetesClientException if nothing says which cluster is meant
   */
  String namespace() {
    String current = config().getNamespace();
    return current == null || current.isEmpty() ? "default" : current;
  }

  /**
   * Writes the live cluster as one manifest. Objects that cannot be read are left out, and
   * reported.
   *
   * @return whether there are none of them
   * @throws KubernetesClientException if nothing says which cluster is meant
   */
  public boolean capture(OutputStream out, Terminal terminal) throws ClusterException, IOException {
    try (KubernetesClient client = ClusterConnection.open(config())) {
      ClusterCapture capture = ClusterCapture.of(client);
      List<String> leftOut =
          (isWithoutWorkloads ? capture.withoutWorkloads() : capture).write(out).leftOut();
      leftOut.forEach(one -> terminal.problem(ClusterSource.NAME + ": left out: " + one));
      return leftOut.isEmpty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the cluster was read", e);
    }
  }

  /**
   * The live cluster in a file that its owner alone can read; empty if it cannot be read.
   *
   * @throws KubernetesClientException if nothing says which cluster is meant
   */
  Optional<Path> captureToFile(Terminal terminal) {
    Path file = null;
    boolean isWritten = false;
    try {
      file = Files.createTempFile("dra4j-cluster-", ".json"); // 0600
      try (OutputStream out = Files.newOutputStream(file)) {
        capture(out, terminal);
      }
      isWritten = true;
      return Optional.of(file);
    } catch (ClusterException e) {
      report(e, terminal);
      return Optional.empty();
    } catch (IOException e) {
      terminal.problem(ClusterSource.NAME + ": " + IoMessages.describe(e));
      return Optional.empty();
    } finally {
      if (!isWritten && file != null) {
        delete(file);
      }
    }
  }

  /** Reports that the cluster cannot be read. */
  public static void report(ClusterException failure, Terminal terminal) {
    terminal.problem(ClusterSource.NAME + ": " + failure.getMessage());
    if (failure.status() == 403) {
      terminal.problem("--print-rbac prints the rights that are needed");
    }
  }

  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // it is in the folder of temporary files
    }
  }

  /**
   * How the cluster is reached.
   *
   * @throws KubernetesClientException if nothing says which cluster is meant
   */
  private Config config() {
    Config config = Kubeconfig.read(kubeconfig, context);
    config.setRequestRetryBackoffLimit(RETRIES);
    // Beside a refusal of credentials, the server ends a connection of HTTP/2, which is all that
    // the client reports then.
    config.setHttp2Disable(true);
    return config;
  }
}
