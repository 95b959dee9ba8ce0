package io.dra4j.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;

/**
 * Connections to API servers that do not follow redirects. fabric8's default client follows them
 * and sends its credentials to the host that the response names.
 */
public final class ClusterConnection {

  private ClusterConnection() {}

  /** Creates HTTP clients that do not follow redirects. */
  private static final class WithoutRedirects extends JdkHttpClientFactory {
    @Override
    protected void additionalConfig(HttpClient.Builder builder) {
      builder.followRedirects(Redirect.NEVER);
    }
  }

  /**
   * {@return a client with the configuration of the environment: the kubeconfig file, or the
   * service account of the pod; the caller closes the client}
   */
  public static KubernetesClient open() {
    return open(Config.autoConfigure(null));
  }

  /**
   * {@return a client for a cluster, which the caller closes} This method sends no request.
   *
   * @param config address, credentials and proxies
   */
  public static KubernetesClient open(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new WithoutRedirects())
        .build();
  }
}
