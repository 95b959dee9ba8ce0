package io.dra4j.cli.device;

import ch.qos.logback.classic.Level;
import io.dra4j.cel.CelSelectors;
import io.dra4j.cli.input.Kubeconfig;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.FileFaults;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.dranet.NetworkDriver;
import io.dra4j.dranet.NetworkOptions;
import io.dra4j.dranet.attach.RdmaDeviceException;
import io.dra4j.dranet.cloud.Cloud;
import io.dra4j.dranet.cloud.CloudAttributes;
import io.dra4j.dranet.cloud.HttpMetadata;
import io.dra4j.dranet.cloud.Webhook;
import io.dra4j.dranet.compat.FilterDialect;
import io.dra4j.dranet.config.ConfigPolicy;
import io.dra4j.kubernetes.ClusterConnection;
import io.dra4j.manifest.ManifestException;
import io.dra4j.node.NodeAgent;
import io.dra4j.node.NodeOptions;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.runtime.RuntimeOptions;
import io.dra4j.runtime.StoreException;
import io.dra4j.selector.SelectorException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The network driver as a daemon on the node of a cluster, until the process ends. */
final class NetworkDaemon {

  private static final Path DRANET_STORE = Path.of("/var/run/dranet/dranet.db");
  private static final Duration QUIET = Duration.ofMillis(50);
  private static final Duration STANDBY = Duration.ofMinutes(10);
  private static final int BBOLT_MAGIC_AT = 16;
  private static final int BBOLT_MAGIC = 0xED0CDAED;

  private final Terminal terminal;
  private final DaemonOptions options;
  private final Path store;
  private final String node;

  /**
   * Creates a daemon. {@code state} has the store of claims, unless {@code --db-path} names a file;
   * a null {@code node} means the name from the environment or of the host.
   */
  NetworkDaemon(
      Terminal terminal, DaemonOptions options, DriverOptions state, @Nullable String node) {
    this.terminal = terminal;
    this.options = options;
    this.store = options.store != null ? options.store : state.store();
    this.node = node != null ? node : nodeOfEnvironment();
  }

  String node() {
    return node;
  }

  private static String nodeOfEnvironment() {
    String given = System.getenv("NODE_NAME");
    if (given != null && !given.isEmpty()) {
      return given;
    }
    try {
      return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /**
   * Serves the node until the process is ended. Pods keep their devices.
   *
   * @param name the name of the driver
   * @param filter the filter of the offered devices, in either dialect; null for all devices except
   *     ends of veth pairs
   * @param pools a file with profiles; null for none
   */
  ExitCode run(String name, @Nullable String filter, @Nullable Path pools) {
    ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger("io.dra4j")).setLevel(level());
    // The agent logs in one line what its informer logs with a stack trace.
    ((ch.qos.logback.classic.Logger)
            LoggerFactory.getLogger("io.fabric8.kubernetes.client.informers"))
        .setLevel(Level.ERROR);
    try (ProcessEnd end = new ProcessEnd()) {
      return serve(name, filter, pools, end);
    }
  }

  private ExitCode serve(
      String name, @Nullable String filter, @Nullable Path pools, ProcessEnd end) {
    try {
      refuseStateOfDranet();
      DriverOptions.makeDirectoryOf(store);
      CelSelectors selectors = CelSelectors.create();
      NetworkOptions network = network(name, filter, selectors);
      if (pools != null) {
        network.profiles(PoolFile.read(pools, store.resolveSibling("leases.json")));
      }
      try (Webhook webhook = options.webhook(name).orElse(null)) {
        if (webhook != null) {
          use(webhook, network, pools != null);
        }
        serve(network, selectors, end);
      }
      return ExitCode.OK;
    } catch (ManifestException e) {
      e.problems().forEach(problem -> say(problem.toString()));
    } catch (SelectorException e) {
      say("--filter: " + e.getMessage());
    } catch (StoreException | KubernetesClientException | IllegalArgumentException e) {
      say(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      say(FileFaults.describe(e));
    }
    return ExitCode.BAD_INPUT;
  }

  private void serve(NetworkOptions network, CelSelectors selectors, ProcessEnd end)
      throws IOException, StoreException {
    try (KubernetesClient client = client();
        NetworkDriver driver = network.build();
        DriverRuntime runtime = runtime(driver, selectors);
        NodeAgent agent = agent(runtime, client)) {
      InetSocketAddress address = serveMetrics(runtime, end);
      if (address != null) {
        say(
            "serves node %s as %s, /metrics, /healthz and /readyz on port %d"
                .formatted(agent.node(), driver.name(), address.getPort()));
        end.await();
      }
    }
  }

  /**
   * Listens for probes, and returns the address; null if the process is ended before. In a rolling
   * update the previous pod has the node's port, and answers the probes of both pods, until it
   * ends.
   */
  private @Nullable InetSocketAddress serveMetrics(DriverRuntime runtime, ProcessEnd end)
      throws IOException {
    boolean isSaid = false;
    while (true) {
      try {
        return runtime.serve(options.address());
      } catch (IOException e) {
        if (options.podUid == null || !(e.getCause() instanceof BindException)) {
          throw e;
        }
        if (!isSaid) {
          say("waiting until the previous pod has ended: " + e.getMessage());
          isSaid = true;
        }
        if (end.awaitBriefly()) {
          return null;
        }
      }
    }
  }

  /**
   * Prints a message and flushes it, because the log of a container is read while the process runs.
   */
  private void say(String message) {
    terminal.problem(message);
    terminal.err().flush();
  }

  private Level level() {
    if (options.verbosity <= 0) {
      return Level.WARN;
    }
    return options.verbosity < 4 ? Level.INFO : Level.DEBUG;
  }

  private NetworkOptions network(String name, @Nullable String filter, CelSelectors selectors)
      throws SelectorException {
    NetworkOptions network =
        NetworkDriver.builder().name(name).policy(ConfigPolicy.classOnly(options.classOnlyFields));
    if (filter != null) {
      network.filter(selectors.compileSelector(selectorOf(filter)));
    }
    if (options.hasListTypes()) {
      network.numaNodeLists();
    }
    if (!options.moveIpoib) {
      network.keepIpoib();
    }
    cloudAttributes().ifPresent(one -> network.attributes(one).configurations(one));
    return network;
  }

  /** Returns the filter as a selector; an empty filter selects all devices, as in DraNet. */
  private String selectorOf(String filter) {
    if (filter.isBlank()) {
      return "true";
    }
    if (!FilterDialect.isUsedIn(filter)) {
      return filter;
    }
    String selector = FilterDialect.rewrite(filter);
    say(
        "warning: --filter uses DraNet's syntax; use this CEL expression instead: "
            + Terminal.safe(selector));
    return selector;
  }

  private Optional<CloudAttributes> cloudAttributes() {
    Optional<Cloud> cloud = options.cloud(Path.of("/sys"));
    if (cloud.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(cloud.get().read(HttpMetadata.at(cloud.get().service())));
    } catch (IOException e) {
      say(
          ("warning: devices have no attributes of %s until the driver is restarted: its"
                      + " metadata server")
                  .formatted(cloud.get())
              + " does not respond ("
              + e.getMessage()
              + ")");
      return Optional.empty();
    }
  }

  /** Adds the attributes of the webhook, if the options select it and the webhook provides them. */
  private void use(Webhook webhook, NetworkOptions network, boolean hasPools) {
    if (options.hasWebhookProfiles() && hasPools) {
      throw new IllegalArgumentException(
          "--pools and --profile-provider=webhook cannot be used together");
    }
    boolean attributes = options.hasWebhookAttributes();
    try {
      Webhook.Abilities abilities = webhook.abilities();
      if (options.hasWebhookProfiles() && !abilities.profiles()) {
        throw new IllegalArgumentException(
            "--profile-provider=webhook: the webhook does not provide profiles"
                + " (profileProvider in its /health response)");
      }
      if (attributes && !abilities.attributes()) {
        say(
            "warning: the webhook does not provide attributes of devices (cloudProvider in"
                + " its /health response)");
        attributes = false;
      }
    } catch (IOException e) {
      say(
          "warning: the webhook does not respond yet; it will be queried again for each device: "
              + e.getMessage());
    }
    if (attributes) {
      network.attributes(webhook).configurations(webhook);
    }
    if (options.hasWebhookProfiles()) {
      network.profiles(webhook);
    }
  }

  private KubernetesClient client() throws IOException {
    Config config;
    if (options.kubeconfig == null) {
      config = Config.autoConfigure(null);
    } else {
      if (!Files.isReadable(options.kubeconfig)) {
        throw new IllegalArgumentException(
            "--kubeconfig: cannot read " + Terminal.safe(String.valueOf(options.kubeconfig)));
      }
      config = Kubeconfig.read(options.kubeconfig, null);
    }
    return ClusterConnection.open(config);
  }

  private DriverRuntime runtime(NetworkDriver driver, CelSelectors selectors)
      throws StoreException {
    RuntimeOptions builder =
        DriverRuntime.builder()
            .driver(driver)
            .node(node)
            .store(store)
            .selectors(selectors)
            .discovery(QUIET, options.minInterval, options.maxInterval);
    if (options.podUid != null) {
      builder.standby(STANDBY);
    }
    return builder.build();
  }

  private NodeAgent agent(DriverRuntime runtime, KubernetesClient client) throws IOException {
    NodeOptions agent =
        NodeAgent.builder(runtime, client)
            .kubeletRoot(options.kubeletRoot)
            .cdiDirectory(options.cdiDirectory)
            .nriSocket(options.nriSocket)
            .attachFailedReason(NetworkDaemon::attachFailedReason)
            .calls(new DranetMetrics(runtime));
    if (options.podUid != null) {
      agent.rollingUpdate(options.podUid);
    }
    return agent.start();
  }

  /** Returns the reason of a failed attach, as in DraNet. */
  static String attachFailedReason(Throwable failure) {
    boolean isOfRdma =
        failure instanceof RdmaDeviceException || failure.getCause() instanceof RdmaDeviceException;
    return isOfRdma ? "RDMADeviceAttachFailed" : "NetworkDeviceAttachFailed";
  }

  /** Refuses to start with DraNet's state: only DraNet can release its claims, which pods use. */
  private void refuseStateOfDranet() throws IOException {
    if (isOfDranet(store)) {
      throw new IllegalArgumentException(
          store
              + " is the database of DraNet: drain the node, remove DraNet and the file,"
              + " and start again");
    }
    if (!store.equals(DRANET_STORE) && isOfDranet(DRANET_STORE)) {
      say(
          ("warning: %s exists: if DraNet has run since the node was drained, drain it"
                      + " again, since")
                  .formatted(DRANET_STORE)
              + " dra4j cannot release the devices that DraNet attached to pods; then remove the file");
    }
  }

  /** Returns whether a file is a bbolt database, by the magic number of its first page. */
  static boolean isOfDranet(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] head = in.readNBytes(BBOLT_MAGIC_AT + Integer.BYTES);
      return head.length == BBOLT_MAGIC_AT + Integer.BYTES
          && ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt(BBOLT_MAGIC_AT)
              == BBOLT_MAGIC;
    }
  }
}
