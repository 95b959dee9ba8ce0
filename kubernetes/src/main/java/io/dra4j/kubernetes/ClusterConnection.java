package io.dra4j.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;

/**
 * Connections to API servers that follow no redirect. fabric8's own client follows each one and
 * sends its credentials to the host that the answer names.
 */
public final class ClusterConnection {

  private ClusterConnection() {}

  /** Clients whose requests go where they are sent. */
  private static final class WithoutRedirects extends JdkHttpClientFactory {
    @Override
    protected void additionalConfig(HttpClient.Builder builder) {
      builder.followRedirects(Redirect.NEVER);
    }
  }

  /**
   * Connects as the surroundings say: kubeconfig file, or service account of the pod.
   *
   * @return a client, which the caller closes
   */
  public static KubernetesClient open() {
    return open(Config.autoConfigure(null));
  }

  /**
   * Connects to a cluster. No request is sent yet.
   *
   * @param config address, credentials and proxies
   * @return a client, which the caller closes
   */
  public static KubernetesClient open(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new WithoutRedirects())
        .build();
  }
}
