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

/** The options that select the live cluster. */
public final class ClusterOptions {

  /** The retries of a request; fewer than the ten of the client, because a user waits. */
  private static final int RETRIES = 2;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Use this context of the kubeconfig file instead of the current one.")
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
          "Print the ClusterRole with the permissions for reading a live cluster, and exit.")
  private boolean printRules;

  private boolean isWithoutWorkloads;

  /** Returns whether an option is given that requires a live cluster. */
  boolean isGiven() {
    return context != null || kubeconfig != null;
  }

  /** Returns the name of the given option that requires a live cluster. */
  String given() {
    return context != null ? "--context" : "--kubeconfig";
  }

  /** Leaves out workloads, because the answer does not depend on them. */
  void leaveOutWorkloads() {
    isWithoutWorkloads = true;
  }

  /** Prints the permissions if requested. Returns whether it did. */
  public boolean printRules(Terminal terminal) {
    if (printRules) {
      terminal.out().print(AccessRules.reader("dra4j-reader"));
    }
    return printRules;
  }

  /**
   * Returns the namespace of the context, for objects that are given only by name.
   *
   * @throws KubernetesClientException if no configuration names a cluster
   */
  String namespace() {
    String current = config().getNamespace();
    return current == null || current.isEmpty() ? "default" : current;
  }

  /**
   * Writes the live cluster as one manifest. Leaves out and reports objects that cannot be read.
   *
   * @return whether all objects could be read
   * @throws KubernetesClientException if no configuration names a cluster
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
   * Saves the live cluster in a file that only its owner can read; empty if the cluster cannot be
   * read. Throws {@code KubernetesClientException} if no configuration names a cluster.
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
      terminal.problem("use --print-rbac to print the required permissions");
    }
  }

  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // it is in the directory of temporary files
    }
  }

  /** Returns the configuration; throws {@code KubernetesClientException} if it has no cluster. */
  private Config config() {
    Config config = Kubeconfig.read(kubeconfig, context);
    config.setRequestRetryBackoffLimit(RETRIES);
    // With HTTP/2, a server that refuses the credentials also closes the connection, and then
    // the client reports only that.
    config.setHttp2Disable(true);
    return config;
  }
}
