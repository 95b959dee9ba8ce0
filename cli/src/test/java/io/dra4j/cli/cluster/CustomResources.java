package io.dra4j.cli.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.concurrent.TimeUnit;

/** CustomResourceDefinitions that live tests apply. */
final class CustomResources {

  private CustomResources() {}

  /** Waits until the API server serves a definition that was applied. */
  static void awaitServed(KubernetesClient client, String definition) {
    client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(definition)
        .waitUntilCondition(
            one ->
                one != null
                    && one.getStatus() != null
                    && one.getStatus().getConditions() != null
                    && one.getStatus().getConditions().stream()
                        .anyMatch(
                            condition ->
                                condition.getType().equals("Established")
                                    && condition.getStatus().equals("True")),
            60,
            TimeUnit.SECONDS);
  }
}
