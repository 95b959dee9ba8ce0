package io.dra4j.node;

import io.dra4j.model.Device;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.publish.AttributeBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** A driver of files with an agent in a process of its own, whose speed is measured. */
final class SpeedDriver implements PreparingDriver {

  static final String NAME = "java.test";

  static List<String> names() {
    return IntStream.range(0, 60).mapToObj(i -> "d" + i).toList();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Device> discover(HostInventory host) {
    return names().stream().map(one -> AttributeBuilder.forDriver(NAME).build(one)).toList();
  }

  @Override
  public Prepared prepare(ClaimedDevices claim, Journal journal) {
    return new PlugDriver().prepare(claim, journal);
  }

  public static void main(String[] arguments) throws Exception {
    DriverRuntime runtime =
        DriverRuntime.builder()
            .driver(new SpeedDriver())
            .node(System.getenv("NODE_NAME"))
            .store(Path.of(arguments[0]))
            .build();
    NodeAgent agent =
        NodeAgent.builder(runtime, new KubernetesClientBuilder().build())
            .kubeletRoot(Path.of(System.getenv("KUBELET_ROOT")))
            .cdiDirectory(Path.of(System.getenv("CDI_DIR")))
            .nriSocket(Path.of(System.getenv("NRI_SOCKET")))
            .start();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  agent.close();
                  runtime.close();
                }));
    Thread.currentThread().join();
  }
}
