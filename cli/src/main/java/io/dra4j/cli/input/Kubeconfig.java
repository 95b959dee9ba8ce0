package io.dra4j.cli.input;

import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.IoMessages;
import io.dra4j.common.PrintableText;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a cluster's address and credentials from kubeconfig files, or from the pod of dra4j. */
public final class Kubeconfig {

  /** The sources of kubeconfig files, as for kubectl. */
  private static final String FILES = "KUBECONFIG, ~/.kube/config";

  /** The limit of shown characters of the output of a plugin. */
  private static final int MAX_SAID = 500;

  private Kubeconfig() {}

  /**
   * {@return the address and credentials from kubeconfig files; no request is sent}
   *
   * @param file the file; null for the files that kubectl would read
   * @param context the name of the context; null for the current one
   * @throws KubernetesClientException if the files are bad, do not name a cluster, or name a plugin
   *     that returns no credentials
   */
  public static Config read(@Nullable Path file, @Nullable String context) {
    ClientLog.Logged<Config> logged =
        ClientLog.of(
            () ->
                file == null
                    ? parsed(FILES, () -> Config.autoConfigure(context))
                    : parsed(file.toString(), () -> Config.fromKubeconfig(context, file.toFile())));
    Config config = logged.value();
    checkPlugin(file, config, logged.messages());
    NamedContext current = config.getCurrentContext();
    List<String> known = config.getContexts().stream().map(NamedContext::getName).toList();
    if (context != null && (current == null || !context.equals(current.getName()))) {
      throw problem(
          "no context %s in the kubeconfig file; contexts: %s"
              .formatted(context, known.isEmpty() ? "none" : CommandMessages.some(known)));
    }
    if (config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL)
        && (file != null || System.getenv("KUBERNETES_SERVICE_HOST") == null)) {
      throw problem(noCluster(file, current, known));
    }
    checkAddress(config.getMasterUrl());
    return config;
  }

  private static Config parsed(String files, Supplier<Config> parser) {
    try {
      return parser.get();
    } catch (RuntimeException e) { // the client's parser has several types
      throw problem("cannot read the kubeconfig file (%s): %s".formatted(files, reason(e)));
    }
  }

  /**
   * {@return the reason of a client's failure: the first line of the message of its first cause}
   *
   * @param failure the failure
   */
  public static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    if (cause instanceof FileSystemException file) {
      return file.getFile() + ": " + IoMessages.describe(file);
    }
    // The messages of Jackson and SnakeYAML have the document in the following lines.
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("").strip();
    return message.isEmpty() || cause instanceof CharacterCodingException
        ? cause.getClass().getSimpleName()
        : message;
  }

  private static String noCluster(
      @Nullable Path file, @Nullable NamedContext current, List<String> known) {
    if (current != null) {
      return "context %s of the kubeconfig file names the cluster %s, which the file does not have"
          .formatted(current.getName(), current.getContext().getCluster());
    } else if (!known.isEmpty()) {
      return "current-context of the kubeconfig file is none of its contexts %s; use --context"
          .formatted(CommandMessages.some(known));
    }
    if (file != null) {
      return "no context in the kubeconfig file " + file;
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
        + " and no service account of a pod; give a kubeconfig file, or a dump of a cluster"
        + " as FILE";
  }

  /** Reports a failed plugin: it leaves no credentials, and the first log message is its own. */
  private static void checkPlugin(@Nullable Path file, Config config, List<String> messages) {
    NamedContext current = config.getCurrentContext();
    if (messages.isEmpty()
        || current == null
        || config.getAutoOAuthToken() != null
        || config.getClientCertData() != null) {
      return;
    }
    String user = current.getContext().getUser();
    Collection<String> files =
        file == null ? Config.getKubeconfigFilenames() : List.of(file.toString());
    for (String name : files) {
      String command = isThere(name) ? commandOf(user, name) : null;
      if (command != null) {
        throw problem(
            ("the credential plugin %s of user %s in the kubeconfig file returned no"
                    + " credentials; its output: %s")
                .formatted(command, user, said(messages.get(0))));
      }
    }
  }

  /** Returns the command of the credential plugin of a user; null if the user has none. */
  private static @Nullable String commandOf(String user, String file) {
    for (NamedAuthInfo one : KubeConfigUtils.parseConfig(new File(file)).getUsers()) {
      if (user.equals(one.getName()) && one.getUser() != null && one.getUser().getExec() != null) {
        return one.getUser().getExec().getCommand();
      }
    }
    return null;
  }

  /** Returns the output of a plugin, in one line and without credentials. */
  private static String said(String output) {
    String line = output.strip().lines().map(String::strip).collect(Collectors.joining("; "));
    if (line.isEmpty()) {
      return "nothing";
    } else if (line.contains("ExecCredential") && line.contains("{")) {
      return "an ExecCredential, but the exit code reports an error";
    }
    return PrintableText.start(line, MAX_SAID);
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
        ("server of the kubeconfig file: expected an address such as https://10.0.0.1:6443,"
                + " found '%s'")
            .formatted(address));
  }

  private static KubernetesClientException problem(String message) {
    return new KubernetesClientException(Terminal.safe(message));
  }
}
