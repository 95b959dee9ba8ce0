package io.dra4j.cli.input;

import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.IoMessages;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a live cluster is reached: by the kubeconfig files, or as the pod in which dra4j runs. */
public final class Kubeconfig {

  /** Where the client takes its files from, as kubectl does. */
  private static final String FILES = "KUBECONFIG, ~/.kube/config";

  private Kubeconfig() {}

  /**
   * Reads the kubeconfig files.
   *
   * @param context the context that is meant; null for the current one
   * @return address and credentials; no request is sent
   * @throws KubernetesClientException if the files are bad, or do not say which cluster is meant
   */
  public static Config read(@Nullable String context) {
    Config config = parsed(FILES, () -> Config.autoConfigure(context));
    NamedContext current = config.getCurrentContext();
    List<String> known = config.getContexts().stream().map(NamedContext::getName).toList();
    if (context != null && (current == null || !context.equals(current.getName()))) {
      throw problem(
          "no context %s in the kubeconfig file; there are %s"
              .formatted(context, known.isEmpty() ? "none" : CommandMessages.some(known)));
    }
    if (config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL)
        && System.getenv("KUBERNETES_SERVICE_HOST") == null) {
      throw problem(noCluster(current, known));
    }
    checkAddress(config.getMasterUrl());
    return config;
  }

  /**
   * Reads one kubeconfig file, whose current context is meant.
   *
   * @param file the file
   * @return address and credentials; no request is sent
   * @throws KubernetesClientException if the file is bad
   */
  public static Config read(Path file) {
    return parsed(file.toString(), () -> Config.fromKubeconfig(file.toFile()));
  }

  private static Config parsed(String files, Supplier<Config> parser) {
    try {
      return parser.get();
    } catch (RuntimeException e) { // the client's parser has several types
      throw problem("the kubeconfig file (%s) cannot be read: %s".formatted(files, reason(e)));
    }
  }

  /**
   * Says what a failure of the client is about.
   *
   * @param failure the failure
   * @return the first line of the message of its first cause
   */
  public static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    if (cause instanceof FileSystemException file) {
      return file.getFile() + ": " + IoMessages.describe(file);
    }
    // Jackson's and SnakeYAML's messages have the document in the lines that follow.
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("").strip();
    return message.isEmpty() || cause instanceof CharacterCodingException
        ? cause.getClass().getSimpleName()
        : message;
  }

  private static String noCluster(@Nullable NamedContext current, List<String> known) {
    if (current != null) {
      return "context %s of the kubeconfig file names the cluster %s, which the file does not have"
          .formatted(current.getName(), current.getContext().getCluster());
    } else if (!known.isEmpty()) {
      return "current-context of the kubeconfig file names none of its contexts %s; give --context"
          .formatted(CommandMessages.some(known));
    }
    List<String> there = new ArrayList<>();
    for (String name : Config.getKubeconfigFilenames()) {
      if (isThere(name)) {
        there.add(name);
      }
    }
    return (there.isEmpty()
            ? "no kubeconfig file (%s)".formatted(FILES)
            : "no context in the kubeconfig file %s".formatted(String.join(", ", there)))
        + " and no service account of a pod says which cluster is meant; give a dump of a cluster"
        + " as FILE";
  }

  private static boolean isThere(String name) {
    try {
      return Files.exists(Path.of(name));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static void checkAddress(String address) {
    try {
      URI uri = new URI(address);
      if (uri.getHost() != null) {
        return;
      }
    } catch (URISyntaxException e) {
      // the message below has all of it
    }
    throw problem(
        "server of the kubeconfig file: want an address such as https://10.0.0.1:6443, got '%s'"
            .formatted(address));
  }

  private static KubernetesClientException problem(String message) {
    return new KubernetesClientException(Terminal.safe(message));
  }
}
