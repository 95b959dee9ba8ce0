package io.dra4j.cli.device;

import io.dra4j.cli.terminal.Terminal;
import io.dra4j.dranet.cloud.Cloud;
import io.dra4j.dranet.cloud.Webhook;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The driver's options in a cluster: names and defaults of DraNet f258477, and those of dra4j. */
final class DaemonOptions {

  private static final String LIST_TYPES = "DRAListTypeAttributes";
  private static final String WEBHOOK = "webhook";
  private static final String PERSISTENT = "PersistentResourceSliceAttributes";

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "In a cluster: the kubeconfig file. Default: the service account of the pod.")
  @Nullable Path kubeconfig;

  @Option(
      names = "--bind-address",
      paramLabel = "HOST:PORT",
      defaultValue = ":9177",
      description =
          "In a cluster: serve /metrics, /healthz and /readyz. Default: ${DEFAULT-VALUE}.")
  String bindAddress = ":9177";

  @Option(
      names = "--kubelet-root-dir",
      paramLabel = "DIR",
      defaultValue = "/var/lib/kubelet",
      description = "In a cluster: the directory of the kubelet. Default: ${DEFAULT-VALUE}.")
  Path kubeletRoot = Path.of("/var/lib/kubelet");

  @Option(
      names = "--cdi-dir",
      paramLabel = "DIR",
      defaultValue = "/var/run/cdi",
      description = "In a cluster: the directory for CDI files. Default: ${DEFAULT-VALUE}.")
  Path cdiDirectory = Path.of("/var/run/cdi");

  @Option(
      names = "--nri-socket",
      paramLabel = "FILE",
      defaultValue = "/var/run/nri/nri.sock",
      description = "In a cluster: the socket of the container runtime. Default: ${DEFAULT-VALUE}.")
  Path nriSocket = Path.of("/var/run/nri/nri.sock");

  @Option(
      names = "--pod-uid",
      paramLabel = "UID",
      description =
          "In a cluster: the UID of the driver's pod, so that two pods can hand over in a"
              + " rolling update.")
  @Nullable String podUid;

  @Option(
      names = "--db-path",
      paramLabel = "FILE",
      description =
          "In a cluster: the store of claims. Default: claims.db in the directory of --state.")
  @Nullable Path store;

  @Option(
      names = "--inventory-min-poll-interval",
      paramLabel = "TIME",
      defaultValue = "2s",
      converter = GoDuration.class,
      description =
          "In a cluster: the shortest time between two reads of the host. Default:"
              + " ${DEFAULT-VALUE}.")
  Duration minInterval = Duration.ofSeconds(2);

  @Option(
      names = "--inventory-max-poll-interval",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = GoDuration.class,
      description =
          "In a cluster: the longest time between two reads of the host. Default:"
              + " ${DEFAULT-VALUE}.")
  Duration maxInterval = Duration.ofMinutes(1);

  @Option(
      names = "--inventory-poll-burst",
      hidden = true,
      description = "Accepted for compatibility with DraNet; has no effect.")
  int burst;

  @Option(
      names = "--move-ib-interfaces",
      paramLabel = "true|false",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "true",
      description =
          "In a cluster: move IPoIB interfaces into pods with their devices. Default:"
              + " ${DEFAULT-VALUE}.")
  boolean moveIpoib = true;

  @Option(
      names = "--cloud-provider-hint",
      paramLabel = "CLOUD",
      defaultValue = "",
      description =
          "In a cluster: the cloud whose metadata server is queried: GCE, AWS, AZURE, OKE, ALIBABA,"
              + " webhook (--webhook-url) or NONE. Default: the cloud of the machine.")
  String cloudHint = "";

  @Option(
      names = "--profile-provider",
      paramLabel = "NAME",
      defaultValue = "none",
      description =
          "In a cluster: the source of profiles: none, webhook (--webhook-url), or cloud,"
              + " which has no profiles. --pools names a file with profiles.")
  String profileProvider = "none";

  @Option(
      names = "--webhook-url",
      paramLabel = "URL",
      description =
          "In a cluster: a server for attributes, configurations and profiles of devices, such as"
              + " http://127.0.0.1:8080 or unix:///run/webhook.sock.")
  @Nullable URI webhookUrl;

  @Option(
      names = "--feature-gates",
      paramLabel = "GATE=BOOL",
      split = ",",
      description = {
        "In a cluster: DRAListTypeAttributes=true publishes lists of NUMA nodes.",
        "PersistentResourceSliceAttributes is always true."
      })
  Map<String, Boolean> featureGates = Map.of();

  @Option(
      names = "--class-only-fields",
      paramLabel = "POINTER",
      split = ",",
      description =
          "In a cluster: fields that only a DeviceClass may set, as JSON pointers, for example"
              + " /interface/vrf,/rules.")
  List<String> classOnlyFields = List.of();

  @Option(
      names = {"--v", "-v"},
      paramLabel = "LEVEL",
      defaultValue = "2",
      description = "In a cluster: the log level, from 0 (errors) to 5. Default: ${DEFAULT-VALUE}.")
  int verbosity = 2;

  /** Returns the problem of the values; empty if there is none. */
  Optional<String> problem() {
    for (Map.Entry<String, Boolean> gate : featureGates.entrySet()) {
      String name = gate.getKey();
      if (!name.equals(LIST_TYPES) && !name.equals(PERSISTENT)) {
        return Optional.of(
            "--feature-gates: unknown gate '%s'; expected %s or %s"
                .formatted(Terminal.safe(name), LIST_TYPES, PERSISTENT));
      } else if (name.equals(PERSISTENT) && !gate.getValue()) {
        return Optional.of("--feature-gates: " + PERSISTENT + " cannot be false in dra4j");
      }
    }
    if (!List.of("none", "cloud", WEBHOOK).contains(profileProvider)) {
      return Optional.of(
          ("--profile-provider: expected none, cloud or webhook, found '%s'; --pools reads"
                  + " profiles from a file")
              .formatted(Terminal.safe(profileProvider)));
    }
    if ((hasWebhookAttributes() || hasWebhookProfiles()) != (webhookUrl != null)) {
      return Optional.of(
          "--webhook-url: required by --cloud-provider-hint=webhook and --profile-provider=webhook,"
              + " and only allowed with one of them");
    }
    try {
      address();
      cloud(Path.of("/sys"));
      webhook("dra.net").ifPresent(Webhook::close);
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    return Optional.empty();
  }

  /** Returns whether the webhook provides attributes and configurations of devices. */
  boolean hasWebhookAttributes() {
    return cloudHint.equalsIgnoreCase(WEBHOOK);
  }

  boolean hasWebhookProfiles() {
    return profileProvider.equals(WEBHOOK);
  }

  /**
   * Returns the client of the webhook.
   *
   * @param driver the name of the driver
   * @throws IllegalArgumentException if the value of the option is not valid
   */
  Optional<Webhook> webhook(String driver) {
    if (webhookUrl == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Webhook.at(webhookUrl, driver));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--webhook-url: " + Terminal.safe(String.valueOf(e.getMessage())), e);
    }
  }

  boolean hasListTypes() {
    return featureGates.getOrDefault(LIST_TYPES, false);
  }

  /** Returns the endpoint's address; throws {@code IllegalArgumentException} if it is invalid. */
  InetSocketAddress address() {
    int colon = bindAddress.lastIndexOf(':');
    try {
      int port = Integer.parseInt(bindAddress.substring(colon + 1));
      String host = colon < 0 ? "" : bindAddress.substring(0, colon);
      host =
          host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
      return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--bind-address: expected HOST:PORT, for example :9177, found '%s'"
              .formatted(Terminal.safe(bindAddress)),
          e);
    }
  }

  /**
   * Returns the cloud whose metadata server is queried.
   *
   * @param sys the mount point of sysfs
   * @throws IllegalArgumentException if the option does not name a cloud
   */
  Optional<Cloud> cloud(Path sys) {
    if (cloudHint.isEmpty()) {
      return Cloud.detect(sys);
    } else if (cloudHint.equalsIgnoreCase("none") || hasWebhookAttributes()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Cloud.valueOf(cloudHint.toUpperCase(Locale.ROOT)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          ("--cloud-provider-hint: expected GCE, AWS, AZURE, OKE, ALIBABA, webhook or NONE,"
                  + " found '%s'")
              .formatted(Terminal.safe(cloudHint)),
          e);
    }
  }
}
