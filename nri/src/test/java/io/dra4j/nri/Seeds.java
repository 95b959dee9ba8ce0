package io.dra4j.nri;

import com.google.protobuf.MessageLite;
import io.dra4j.nri.wire.TtrpcRequest;
import io.dra4j.nri.wire.WireConfigure;
import io.dra4j.nri.wire.WireContainer;
import io.dra4j.nri.wire.WireCreateContainer;
import io.dra4j.nri.wire.WireLinuxPod;
import io.dra4j.nri.wire.WireNamespace;
import io.dra4j.nri.wire.WirePod;
import io.dra4j.nri.wire.WirePodEvent;
import io.dra4j.nri.wire.WireStateChange;
import io.dra4j.nri.wire.WireSynchronize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a container runtime sends, from which the fuzzer starts. */
public final class Seeds {

  private Seeds() {}

  /**
   * Writes each to a file, for Jazzer.
   *
   * @param args the directory
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    List<byte[]> inputs = inputs();
    for (int i = 0; i < inputs.size(); i++) {
      Files.write(directory.resolve("seed-" + i), inputs.get(i));
    }
  }

  /** One call of each kind by itself, and all of them on one connection. */
  static List<byte[]> inputs() {
    WirePod pod =
        WirePod.newBuilder()
            .setId("a1")
            .setUid("u1")
            .setName("pod")
            .setNamespace("default")
            .putLabels("app", "x")
            .setPid(7)
            .setLinux(
                WireLinuxPod.newBuilder()
                    .addNamespaces(
                        WireNamespace.newBuilder().setType("network").setPath("/proc/7/ns/net")))
            .build();
    WireContainer container =
        WireContainer.newBuilder().setId("c1").setPodSandboxId("a1").setState(2).build();
    WirePodEvent event = WirePodEvent.newBuilder().setPod(pod).build();
    List<byte[]> inputs = new ArrayList<>();
    call(inputs, "Configure", WireConfigure.newBuilder().setRequestTimeoutMs(2000).build());
    call(
        inputs,
        "Synchronize",
        WireSynchronize.newBuilder().addPods(pod).addContainers(container).setMore(true).build());
    call(inputs, "Synchronize", WireSynchronize.newBuilder().addContainers(container).build());
    call(inputs, "RunPodSandbox", event);
    call(inputs, "StateChange", WireStateChange.newBuilder().setEvent(1).setPod(pod).build());
    call(
        inputs,
        "CreateContainer",
        WireCreateContainer.newBuilder().setPod(pod).setContainer(container).build());
    call(inputs, "StopPodSandbox", event);
    call(inputs, "RemovePodSandbox", event);
    call(inputs, "Shutdown", WirePodEvent.getDefaultInstance());
    ByteBuffer all = ByteBuffer.allocate(inputs.stream().mapToInt(one -> one.length).sum());
    inputs.forEach(all::put);
    inputs.add(all.array());
    return inputs;
  }

  private static void call(List<byte[]> inputs, String method, MessageLite message) {
    byte[] request =
        TtrpcRequest.newBuilder()
            .setService(Session.PLUGIN)
            .setMethod(method)
            .setPayload(message.toByteString())
            .build()
            .toByteArray();
    inputs.add(
        ByteBuffer.allocate(18 + request.length)
            .putInt(1) // the connection of the plugin, and the length of the frame
            .putInt(10 + request.length)
            .putInt(request.length)
            .putInt(2 * inputs.size() + 1) // the stream
            .put((byte) 1) // a request
            .put((byte) 0)
            .put(request)
            .array());
  }
}
