package io.dra4j.nri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.nri.wire.TtrpcResponse;
import io.dra4j.nri.wire.WireAdjustment;
import io.dra4j.nri.wire.WireConfigure;
import io.dra4j.nri.wire.WireContainer;
import io.dra4j.nri.wire.WireContainerCreated;
import io.dra4j.nri.wire.WireCreateContainer;
import io.dra4j.nri.wire.WireEmpty;
import io.dra4j.nri.wire.WirePod;
import io.dra4j.nri.wire.WirePodEvent;
import io.dra4j.nri.wire.WireStateChange;
import io.dra4j.nri.wire.WireSynchronize;
import io.dra4j.nri.wire.WireSynchronized;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NriPluginTest {
  private static final long NO_HURRY = 40_000;

  @TempDir Path directory;

  private final Recorder handler = new Recorder();
  private FakeRuntime runtime;
  private NriPlugin plugin;

  @BeforeEach
  void start() throws IOException {
    Path socket = directory.resolve("nri.sock");
    runtime = new FakeRuntime(socket);
    plugin =
        NriPlugin.builder("test", 7, handler)
            .socket(socket)
            .threads(2)
            .reconnectAfter(Duration.ofMillis(1), Duration.ofMillis(20))
            .start();
  }

  @AfterEach
  void stop() throws IOException {
    plugin.close();
    runtime.close();
  }

  private FakeRuntime.Connection ready() throws Exception {
    FakeRuntime.Connection connection = runtime.acceptReady(NO_HURRY);
    assertThat(handler.next()).isEqualTo("configure containerd a: b");
    assertThat(handler.next()).isEqualTo("synchronize 0 0");
    return connection;
  }

  @Test
  void registersWithItsNameAndSubscribesToTheEventsOfItsHandler() throws Exception {
    try (FakeRuntime.Connection connection = runtime.accept()) {
      assertThat(connection.registered().getPluginName()).isEqualTo("test");
      assertThat(connection.registered().getPluginIndex()).isEqualTo("07");
      assertThat(connection.configure(NO_HURRY).getEvents()).isEqualTo(0b1111);
      assertThat(plugin.isSynchronized()).isFalse();
      connection.call("Synchronize", WireSynchronize.getDefaultInstance());
      assertThat(plugin.awaitSynchronized(Duration.ofSeconds(30))).isTrue();
    }
  }

  @Test
  void synchronizationInChunksReachesTheHandlerAsOne() throws Exception {
    handler.updates =
        List.of(
            new ContainerUpdate(
                "c1", Optional.of("0-3"), Optional.empty(), OptionalLong.of(1 << 20), true));
    try (FakeRuntime.Connection connection = runtime.accept()) {
      connection.configure(0);
      WireContainer container =
          WireContainer.newBuilder().setId("c1").setPodSandboxId("a").setState(3).build();
      for (String pod : List.of("a", "b")) {
        WireSynchronize chunk =
            WireSynchronize.newBuilder().addPods(FakeRuntime.pod(pod)).setMore(true).build();
        assertThat(WireSynchronized.parseFrom(connection.call("Synchronize", chunk)).getMore())
            .isTrue();
      }
      WireSynchronize last = WireSynchronize.newBuilder().addContainers(container).build();
      WireSynchronized answer = WireSynchronized.parseFrom(connection.call("Synchronize", last));
      assertThat(answer.getMore()).isFalse();
      assertThat(answer.getUpdates(0).getContainerId()).isEqualTo("c1");
      assertThat(answer.getUpdates(0).getLinux().getResources().getCpu().getCpus())
          .isEqualTo("0-3");
      assertThat(answer.getUpdates(0).getLinux().getResources().getMemory().getLimit().getValue())
          .isEqualTo(1 << 20);
      assertThat(handler.pods).extracting(PodSandbox::id).containsExactly("a", "b");
      assertThat(handler.containers.get(0).state()).isEqualTo(NriContainer.State.RUNNING);
      PodSandbox pod = handler.pods.get(0);
      assertThat(pod.networkNamespace()).contains("/run/netns/a");
      assertThat(pod.uid()).isEqualTo("uid-a");
      assertThat(pod.labels()).containsEntry("app", "train");
      assertThat(pod.pid()).isEqualTo(7);
    }
  }

  @Test
  void eventsOfBothFormsReachTheHandler() throws Exception {
    try (FakeRuntime.Connection connection = ready()) {
      connection.call("RunPodSandbox", FakeRuntime.event("a"));
      connection.call("StopPodSandbox", FakeRuntime.event("a"));
      connection.call("RemovePodSandbox", FakeRuntime.event("a"));
      for (int event = 1; event <= 14; event++) {
        connection.call(
            "StateChange",
            WireStateChange.newBuilder().setEvent(event).setPod(FakeRuntime.pod("b")).build());
      }
      connection.call("Shutdown", WireEmpty.getDefaultInstance());
      assertThat(handler.calls)
          .containsExactly("run a", "stop a", "remove a", "run b", "stop b", "remove b");
    }
  }

  /** The bytes of the answer are those that the field numbers of NRI ask for. */
  @Test
  void anAdjustmentIsWrittenAsNriAsks() throws Exception {
    handler.adjustment =
        ContainerAdjustment.builder()
            .env("K", "v")
            .mount(new ContainerMount("/d", "bind", "/s", List.of("ro")))
            .device(LinuxDevice.character("/dev/x", 1, 3))
            .cdiDevice("a/b=c")
            .annotation("n", "w")
            .build();
    try (FakeRuntime.Connection connection = ready()) {
      byte[] answer =
          connection
              .call(
                  "CreateContainer",
                  WireCreateContainer.newBuilder()
                      .setPod(FakeRuntime.pod("a"))
                      .setContainer(WireContainer.newBuilder().setId("c").setName("main"))
                      .build())
              .toByteArray();
      assertThat(handler.next()).isEqualTo("create main a");
      assertThat(HexFormat.of().formatHex(answer))
          .isEqualTo(
              "0a40" // 1: the adjustment
                  + "12060a016e120177" // 2: annotations
                  + "1a120a022f64120462696e641a022f732202726f" // 3: mounts
                  + "22060a014b120176" // 4: env
                  + "32110a0f0a062f6465762f781201631801" // 6: linux, 1: devices
                  + "2003"
                  + "42070a05612f623d63"); // 8: CDI devices
    }
  }

  @Test
  void anErrorOfTheHandlerIsTheAnswer() throws Exception {
    handler.refusal = "the NIC is not there";
    try (FakeRuntime.Connection connection = ready()) {
      assertThatThrownBy(() -> connection.call("RunPodSandbox", FakeRuntime.event("a")))
          .hasMessage("2: the NIC is not there");
      handler.refusal = "";
      connection.call("RunPodSandbox", FakeRuntime.event("b"));
    }
  }

  @Test
  void handlersThatInterruptTheirThreadOrFailByABugHarmNoOtherCall() throws Exception {
    try (FakeRuntime.Connection connection = ready()) {
      for (int i = 0; i < 5; i++) {
        connection.call("RunPodSandbox", FakeRuntime.event("interrupts"));
        assertThatThrownBy(() -> connection.call("RunPodSandbox", FakeRuntime.event("asserts")))
            .hasMessage("2: a bug");
      }
      connection.call("RunPodSandbox", FakeRuntime.event("a"));
    }
  }

  @Test
  void aSlowCallIsAnsweredBeforeTheRuntimeGivesUpAndGoesOn() throws Exception {
    CountDownLatch slow = handler.hold("slow");
    try (FakeRuntime.Connection connection = runtime.acceptReady(400)) {
      assertThatThrownBy(() -> connection.call("RunPodSandbox", FakeRuntime.event("slow")))
          .hasMessage("10: RunPodSandbox has not finished after 300 ms");
      handler.calls.clear();
      int queued = connection.send("RunPodSandbox", FakeRuntime.event("slow"));
      int stop = connection.send("StopPodSandbox", FakeRuntime.event("slow"));
      assertThat(connection.response(queued).getStatus().getCode()).isEqualTo(10);
      assertThat(connection.response(stop).getStatus().getCode()).isEqualTo(10);
      slow.countDown();
      assertThat(handler.next()).isEqualTo("run slow");
      assertThat(handler.next()).as("a run that was refused is not begun").isEqualTo("stop slow");
      connection.call("RemovePodSandbox", FakeRuntime.event("slow"));
    }
  }

  @Test
  void aSlowPodHoldsNoOther() throws Exception {
    CountDownLatch slow = handler.hold("slow");
    try (FakeRuntime.Connection connection = ready()) {
      List<Integer> streams = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        streams.add(connection.send("RunPodSandbox", FakeRuntime.event("slow")));
      }
      connection.call("RunPodSandbox", FakeRuntime.event("quick"));
      assertThat(handler.calls).containsExactly("run quick");
      slow.countDown();
      for (int stream : streams) {
        assertThat(connection.response(stream).hasStatus()).isFalse();
      }
    }
  }

  @Test
  void callsPastTheLimitAreRefused() throws Exception {
    CountDownLatch slow = handler.hold("slow");
    try (FakeRuntime.Connection connection = ready()) {
      for (int i = 0; i < 1024; i++) {
        connection.send("RunPodSandbox", FakeRuntime.event("slow"));
      }
      int refused = connection.send("RunPodSandbox", FakeRuntime.event("other"));
      TtrpcResponse response = connection.response(refused);
      assertThat(response.getStatus().getCode()).isEqualTo(8);
      assertThat(response.getStatus().getMessage()).startsWith("too many requests");
      slow.countDown();
    }
  }

  @Test
  void messagesMayBeSplitAndJoinedInFrames() throws Exception {
    try (FakeRuntime.Connection connection = ready()) {
      byte[] one =
          FakeRuntime.Connection.message(
              101, 1, 0, FakeRuntime.Connection.request("RunPodSandbox", FakeRuntime.event("a")));
      byte[] two =
          FakeRuntime.Connection.message(
              103, 1, 1, FakeRuntime.Connection.request("RunPodSandbox", FakeRuntime.event("b")));
      for (byte b : one) {
        connection.frame(1, new byte[] {b});
        connection.frame(1, new byte[0]);
        connection.frame(9, new byte[] {1, 2, 3});
      }
      assertThat(connection.response(101).hasStatus()).isFalse();
      byte[] joined = Arrays.copyOf(two, two.length + one.length);
      System.arraycopy(one, 0, joined, two.length, one.length);
      connection.frame(1, joined);
      assertThat(connection.response(101).hasStatus()).isFalse();
      assertThat(connection.response(103).hasStatus()).isFalse();
    }
  }

  @Test
  void longAnswersArriveAndTooLongOnesAreErrors() throws Exception {
    WireCreateContainer create =
        WireCreateContainer.newBuilder().setPod(FakeRuntime.pod("a")).build();
    try (FakeRuntime.Connection connection = ready()) {
      handler.adjustment = ContainerAdjustment.builder().env("K", "v".repeat(100_000)).build();
      WireAdjustment adjustment =
          WireContainerCreated.parseFrom(connection.call("CreateContainer", create))
              .getAdjustment();
      assertThat(adjustment.getEnv(0).getValue()).hasSize(100_000);
      handler.adjustment = ContainerAdjustment.builder().env("K", "v".repeat(5 << 20)).build();
      assertThatThrownBy(() -> connection.call("CreateContainer", create))
          .hasMessageContaining("longer than the limit of 4194304");
    }
  }

  @Test
  void connectsAgainAfterTheConnectionWasCut() throws Exception {
    for (int i = 0; i < 5; i++) {
      try (FakeRuntime.Connection connection = ready()) {
        connection.call("RunPodSandbox", FakeRuntime.event("a"));
        assertThat(handler.next()).isEqualTo("run a");
      }
      assertThat(handler.nextEnd()).contains("nri.sock");
      assertThat(plugin.isSynchronized()).isFalse();
    }
  }

  @Test
  void aRuntimeThatComesLaterIsFound() throws Exception {
    Path socket = directory.resolve("late.sock");
    Recorder late = new Recorder();
    try (NriPlugin waiting =
        NriPlugin.builder("late", 0, late)
            .socket(socket)
            .reconnectAfter(Duration.ofMillis(1), Duration.ofMillis(5))
            .start()) {
      for (int i = 0; i < 10; i++) {
        assertThat(late.nextEnd()).contains("late.sock");
      }
      try (FakeRuntime other = new FakeRuntime(socket);
          FakeRuntime.Connection connection = other.acceptReady(NO_HURRY)) {
        assertThat(waiting.awaitSynchronized(Duration.ofSeconds(30))).isTrue();
        connection.call("RunPodSandbox", FakeRuntime.event("a"));
      }
    }
  }

  @Test
  void aRefusedRegistrationIsReportedAndTriedAgain() throws Exception {
    try (FakeRuntime.Connection connection = runtime.acceptAndRefuse("index is taken")) {
      assertThat(handler.nextEnd()).contains("refused the plugin", "index is taken");
      assertThat(connection.ended()).isTrue();
    }
    ready().close();
  }

  @Test
  void brokenFramesEndTheConnectionWithAReason() throws Exception {
    byte[] good = FakeRuntime.Connection.request("RunPodSandbox", FakeRuntime.event("a"));
    List<byte[]> frames =
        List.of(
            frame(0, new byte[0]),
            header(1, -1),
            header(1, (4 << 20) + 11),
            frame(1, messageHeader((4 << 20) + 1, 1, 1)),
            frame(1, messageHeader(-1, 1, 1)),
            frame(1, FakeRuntime.Connection.message(2, 1, 0, good)),
            frame(1, FakeRuntime.Connection.message(3001, 2, 0, good)),
            frame(1, FakeRuntime.Connection.message(3001, 3, 0, good)),
            frame(1, FakeRuntime.Connection.message(3001, 1, 0, new byte[] {10, 127})),
            frame(2, FakeRuntime.Connection.message(99, 2, 0, new byte[0])),
            frame(2, FakeRuntime.Connection.message(99, 1, 0, new byte[0])));
    List<String> reasons =
        List.of(
            "connection ID 0 is reserved",
            "expected at most 4194314 bytes, its header says 4294967295",
            "expected at most 4194314 bytes, its header says 4194315",
            "expected at most 4194304 bytes of data, its header says 4194305",
            "its header says 4294967295",
            "expected an odd number",
            "expected a request, found a message of type 2",
            "expected a request, found a message of type 3",
            "the request cannot be read",
            "expected the response to a call, found a message of type 2",
            "expected the response to a call, found a message of type 1");
    for (int i = 0; i < frames.size(); i++) {
      try (FakeRuntime.Connection connection = ready()) {
        connection.raw(frames.get(i));
        assertThat(handler.nextEnd()).contains(reasons.get(i));
        assertThat(connection.ended()).isTrue();
      }
    }
  }

  @Test
  void aSynchronizationOfTooManyPodsEndsTheConnection() throws Exception {
    WireSynchronize.Builder chunk = WireSynchronize.newBuilder().setMore(true);
    for (int i = 0; i < Session.MAX_OBJECTS / 2; i++) {
      chunk.addPods(WirePod.getDefaultInstance());
      chunk.addContainers(WireContainer.getDefaultInstance());
    }
    WireSynchronize oneMore =
        WireSynchronize.newBuilder().addPods(WirePod.getDefaultInstance()).build();
    try (FakeRuntime.Connection connection = ready()) {
      connection.call("Synchronize", chunk.build());
      assertThatThrownBy(() -> connection.call("Synchronize", oneMore))
          .isInstanceOf(IOException.class);
      assertThat(handler.nextEnd())
          .contains("expected at most 100000 pods and containers in all chunks, found 100001");
    }
  }

  @Test
  void whatCannotBeServedIsAnError() throws Exception {
    try (FakeRuntime.Connection connection = ready()) {
      assertThatThrownBy(() -> connection.call("Unheard", WireEmpty.getDefaultInstance()))
          .hasMessage("12: unknown method Unheard");
      assertThatThrownBy(() -> connection.call("RunPodSandbox", WirePodEvent.getDefaultInstance()))
          .hasMessage("3: RunPodSandbox: the pod sandbox has no ID");
      assertThatThrownBy(
              () ->
                  connection.call(
                      "RunPodSandbox", WireConfigure.newBuilder().setConfig("\0x").build()))
          .hasMessageStartingWith("3: the message of RunPodSandbox cannot be read");
      connection.frame(
          1,
          FakeRuntime.Connection.message(
              501, 1, 2, FakeRuntime.Connection.request("RunPodSandbox", FakeRuntime.event("a"))));
      assertThat(connection.response(501).getStatus().getCode()).isEqualTo(12);
    }
  }

  /** Whatever arrives, the plugin lives and connects again. */
  @Test
  void randomFramesHarmNothing() throws Exception {
    Random random = new Random(20260101);
    byte[] event =
        FakeRuntime.Connection.message(
            1, 1, 0, FakeRuntime.Connection.request("StateChange", FakeRuntime.event("a")));
    for (int i = 0; i < 200; i++) {
      try (FakeRuntime.Connection connection = runtime.accept()) {
        byte[] bytes = frame(1 + random.nextInt(2), event);
        int changes = 1 + random.nextInt(6);
        for (int change = 0; change < changes; change++) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        try {
          connection.raw(bytes);
        } catch (IOException e) {
          assertThat(e).as("the plugin closed first").hasMessageContaining("roken pipe");
        }
      }
      assertThat(handler.nextEnd()).contains("nri.sock");
    }
    handler.calls.clear();
    ready().close();
  }

  @Test
  void closingEndsTheConnectionAndTheWait() throws Exception {
    try (FakeRuntime.Connection connection = ready()) {
      plugin.close();
      assertThat(connection.ended()).isTrue();
      assertThat(plugin.awaitSynchronized(Duration.ofSeconds(30))).isFalse();
    }
  }

  @Test
  void optionsThatCannotWorkAreRefused() {
    assertThatThrownBy(() -> NriPlugin.builder("x", 100, handler))
        .hasMessage("index of plugin x: expected 0 to 99, found 100");
    assertThatThrownBy(() -> NriPlugin.builder(" ", 1, handler))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> NriPlugin.builder("x", 1, handler).socket(Path.of("/" + "s".repeat(107))))
        .hasMessageContaining("at most 107 bytes, found 108");
    assertThatThrownBy(() -> new ContainerMount("relative", "bind", "/", List.of()))
        .hasMessageContaining("absolute path");
  }

  private static byte[] header(int connection, int length) {
    return ByteBuffer.allocate(8).putInt(connection).putInt(length).array();
  }

  private static byte[] messageHeader(int length, int stream, int type) {
    return ByteBuffer.allocate(10)
        .putInt(length)
        .putInt(stream)
        .put((byte) type)
        .put((byte) 0)
        .array();
  }

  private static byte[] frame(int connection, byte[] bytes) {
    return ByteBuffer.allocate(8 + bytes.length)
        .putInt(connection)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }
}
