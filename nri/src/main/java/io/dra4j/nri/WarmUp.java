package io.dra4j.nri;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.dra4j.nri.ttrpc.TtrpcConnection;
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
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.List;

/**
 * Serves each kind of call once, without a socket and with a handler that does nothing. The first
 * calls of a JVM take up to half a second because classes are loaded, and the runtime waits only 2
 * s.
 */
final class WarmUp implements NriHandler {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int stream = 1;

  private WarmUp() {}

  static void run(Session.Threads threads) {
    try {
      new WarmUp().serve(threads);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Only a bug in this package can cause a failure here.
    }
  }

  private void serve(Session.Threads threads) throws IOException {
    WirePod pod = pod();
    WireContainer container = WireContainer.newBuilder().setId("warm-up").setState(1).build();
    add("Configure", WireConfigure.newBuilder().setRequestTimeoutMs(60_000).build());
    add(
        "Synchronize",
        WireSynchronize.newBuilder().addPods(pod).addContainers(container).setMore(true).build());
    add("Synchronize", WireSynchronize.newBuilder().addPods(pod).build());
    for (int event = 1; event <= 3; event++) {
      add("StateChange", WireStateChange.newBuilder().setEvent(event).setPod(pod).build());
    }
    WirePodEvent event = WirePodEvent.newBuilder().setPod(pod).build();
    add("RunPodSandbox", event);
    add(
        "CreateContainer",
        WireCreateContainer.newBuilder().setPod(pod).setContainer(container).build());
    add("StopPodSandbox", event);
    add("RemovePodSandbox", event);
    TtrpcConnection connection =
        new TtrpcConnection(
            Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray())),
            Channels.newChannel(OutputStream.nullOutputStream()),
            () -> {},
            threads.watchdog(),
            new Session(this, threads, () -> {}));
    Session.register(connection, "warm-up", "00", error -> {});
    connection.run();
    long end = System.nanoTime() + 5_000_000_000L;
    while (connection.unanswered() > 0 && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  private static WirePod pod() {
    return WirePod.newBuilder()
        .setId("warm-up")
        .putLabels("a", "b")
        .putAnnotations("a", "b")
        .setLinux(
            WireLinuxPod.newBuilder()
                .addNamespaces(WireNamespace.newBuilder().setType("network").setPath("/warm-up")))
        .build();
  }

  private void add(String method, MessageLite message) throws IOException {
    ByteString payload = message.toByteString();
    byte[] request =
        TtrpcRequest.newBuilder()
            .setService(Session.PLUGIN)
            .setMethod(method)
            .setPayload(payload)
            .build()
            .toByteArray();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(1);
    out.writeInt(10 + request.length);
    out.writeInt(request.length);
    out.writeInt(stream);
    out.writeByte(1);
    out.writeByte(0);
    out.write(request);
    stream += 2;
  }

  @Override
  public ContainerAdjustment createContainer(PodSandbox pod, NriContainer container) {
    return ContainerAdjustment.builder()
        .env("a", "b")
        .mount(new ContainerMount("/a", "bind", "/a", List.of("ro")))
        .device(LinuxDevice.character("/dev/null", 1, 3))
        .cdiDevice("a.example/b=c")
        .annotation("a", "b")
        .build();
  }
}
