package io.dra4j.kubelet;

import static io.dra4j.kubelet.FakeKubelet.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.kubelet.wire.ClaimMessage;
import io.dra4j.kubelet.wire.HealthStatus;
import io.dra4j.kubelet.wire.PluginInfo;
import io.dra4j.kubelet.wire.PrepareResult;
import io.dra4j.kubelet.wire.WatchResponse;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class KubeletPluginTest {

  private static final String DRIVER = "gpu.example.com";
  private static final Duration LONG = Duration.ofSeconds(45);

  /** What a test lets a claim do. */
  @FunctionalInterface
  private interface Behaviour {
    void run(DraClaim claim) throws Exception;
  }

  @TempDir Path root;
  private KubeletPaths paths;
  private volatile Behaviour preparing = claim -> {};
  private volatile Behaviour unpreparing = claim -> {};

  private final DraHandler handler =
      new DraHandler() {
        @Override
        public List<DraDevice> prepare(DraClaim claim) throws Exception {
          preparing.run(claim);
          return List.of(
              new DraDevice(
                  List.of("gpu"),
                  "node-1",
                  claim.name(),
                  List.of("example.com/gpu=" + claim.name()),
                  "share-1"));
        }

        @Override
        public void unprepare(DraClaim claim) throws Exception {
          unpreparing.run(claim);
        }
      };

  private final List<AutoCloseable> opened = new ArrayList<>();

  @BeforeEach
  void makeDirectories() throws IOException {
    paths = KubeletPaths.below(root, DRIVER);
    Files.createDirectories(paths.registrarDirectory());
  }

  @AfterEach
  void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  private KubeletPlugin.Builder builder() {
    return KubeletPlugin.builder(DRIVER, handler).paths(paths);
  }

  private KubeletPlugin start(KubeletPlugin.Builder builder) throws IOException {
    KubeletPlugin plugin = builder.start();
    opened.add(plugin);
    return plugin;
  }

  private FakeKubelet kubelet(Path socket) {
    FakeKubelet kubelet = new FakeKubelet(socket);
    opened.add(kubelet);
    return kubelet;
  }

  private FakeKubelet started(KubeletPlugin.Builder builder) throws IOException {
    return kubelet(start(builder).endpoint());
  }

  private static <T> T result(Map<String, T> results, String uid) {
    assertThat(results).containsKey(uid);
    return Objects.requireNonNull(results.get(uid));
  }

  @Test
  void pluginThatRegistersLaterServesAndCannotBeFound() throws Exception {
    KubeletPlugin plugin = start(builder().registerLater());
    assertThat(plugin.endpoint()).exists();
    assertThat(plugin.registrarSocket()).doesNotExist();
    plugin.register();
    plugin.register(); // is nothing more to do
    assertThat(kubelet(plugin.registrarSocket()).info().getName()).isEqualTo(DRIVER);
    plugin.close();
    assertThat(plugin.registrarSocket()).doesNotExist();
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(plugin::register)
        .withMessage("driver gpu.example.com: the plugin is closed");
  }

  @Test
  void kubeletFindsNameEndpointAndVersions() throws Exception {
    KubeletPlugin plugin = start(builder());
    PluginInfo info = kubelet(plugin.registrarSocket()).info();
    assertThat(info.getType()).isEqualTo("DRAPlugin");
    assertThat(info.getName()).isEqualTo(DRIVER);
    assertThat(info.getEndpoint()).isEqualTo(root + "/plugins/" + DRIVER + "/dra.sock");
    assertThat(info.getSupportedVersionsList())
        .containsExactly("v1.DRAPlugin", "v1beta1.DRAPlugin");
    assertThat(plugin.registrarSocket())
        .isEqualTo(root.resolve("plugins_registry/gpu.example.com-reg.sock"));
  }

  @Test
  void healthIsAnnouncedWhereThereIsASource() throws Exception {
    KubeletPlugin plugin = start(builder().v1beta1(false).health(List::of));
    assertThat(kubelet(plugin.registrarSocket()).info().getSupportedVersionsList())
        .containsExactly("v1.DRAPlugin", "v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth");
  }

  @Test
  void answerOfTheKubeletIsTheStateOfTheRegistration() throws Exception {
    KubeletPlugin plugin = start(builder());
    assertThat(plugin.registration()).isEqualTo(RegistrationState.WAITING);
    assertThat(plugin.awaitRegistration(Duration.ofMillis(1))).isEqualTo(RegistrationState.WAITING);
    FakeKubelet kubelet = kubelet(plugin.registrarSocket());
    kubelet.confirm(false, "no such version");
    assertThat(plugin.awaitRegistration(LONG)).isEqualTo(RegistrationState.REFUSED);
    kubelet.confirm(true, "");
    assertThat(plugin.registration()).isEqualTo(RegistrationState.REGISTERED);
  }

  @ParameterizedTest
  @EnumSource(Services.Dra.class)
  void claimIsPreparedAndUnprepared(Services.Dra version) throws Exception {
    FakeKubelet kubelet = started(builder());
    PrepareResult result = result(kubelet.prepare(version, LONG, List.of(claim("a"))), "uid-a");
    assertThat(result.getError()).isEmpty();
    assertThat(result.getDevices(0).getRequestNamesList()).containsExactly("gpu");
    assertThat(result.getDevices(0).getPoolName()).isEqualTo("node-1");
    assertThat(result.getDevices(0).getDeviceName()).isEqualTo("a");
    assertThat(result.getDevices(0).getCdiDeviceIdsList()).containsExactly("example.com/gpu=a");
    assertThat(result.getDevices(0).hasShareId()).isEqualTo(version == Services.Dra.V1);
    assertThat(result(kubelet.unprepare(version, claim("a")), "uid-a").getError()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Services.Dra.class)
  void versionThatIsOffIsNotServed(Services.Dra version) throws Exception {
    boolean isV1 = version == Services.Dra.V1;
    FakeKubelet kubelet = started(builder().v1(!isV1).v1beta1(isV1));
    assertThatThrownBy(() -> kubelet.prepare(version, LONG, List.of(claim("a"))))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED));
  }

  @Test
  void bothVersionsOffIsRefused() {
    assertThatThrownBy(() -> builder().v1(false).v1beta1(false).start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("both off");
  }

  @Test
  void errorOfAClaimIsNotThatOfAnother() throws Exception {
    preparing =
        claim -> {
          switch (claim.name()) {
            case "a" -> throw new IOException("device is busy");
            case "b" -> throw new IllegalStateException();
            case "c" -> throw new StackOverflowError("deep");
            default -> {}
          }
        };
    unpreparing = preparing;
    FakeKubelet kubelet = started(builder());
    Map<String, PrepareResult> results =
        kubelet.prepare(claim("a"), claim("b"), claim("c"), claim("d"));
    assertThat(results).hasSize(4);
    assertThat(result(results, "uid-a").getError()).isEqualTo("device is busy");
    assertThat(result(results, "uid-b").getError()).isEqualTo("IllegalStateException");
    assertThat(result(results, "uid-c").getError()).isEqualTo("deep");
    assertThat(result(results, "uid-d").getError()).isEmpty();
    assertThat(kubelet.unprepare(Services.Dra.V1, claim("a"), claim("d")))
        .hasSize(2)
        .hasEntrySatisfying("uid-a", one -> assertThat(one.getError()).isNotEmpty())
        .hasEntrySatisfying("uid-d", one -> assertThat(one.getError()).isEmpty());
  }

  @Test
  void uidThatCannotBeAFileNameIsAnErrorOfItsOwn() throws Exception {
    ClaimMessage hostile = claim("a").toBuilder().setUid("../../etc/passwd").build();
    Map<String, PrepareResult> results = started(builder()).prepare(hostile, claim("b"));
    assertThat(result(results, "../../etc/passwd").getError()).contains("uid");
    assertThat(result(results, "uid-b").getError()).isEmpty();
  }

  @Test
  void claimsOfACallArePreparedAtTheSameTime() throws Exception {
    CyclicBarrier together = new CyclicBarrier(8);
    preparing = claim -> together.await(30, TimeUnit.SECONDS);
    ClaimMessage[] claims =
        IntStream.range(0, 8).mapToObj(i -> claim("c" + i)).toArray(ClaimMessage[]::new);
    assertThat(started(builder()).prepare(claims).values())
        .hasSize(8)
        .allSatisfy(one -> assertThat(one.getError()).isEmpty());
  }

  @Test
  void moreClaimsThanThreadsAreAllAnswered() throws Exception {
    ClaimMessage[] claims =
        IntStream.range(0, 500).mapToObj(i -> claim("c" + i)).toArray(ClaimMessage[]::new);
    assertThat(started(builder()).prepare(claims).values())
        .hasSize(500)
        .allSatisfy(one -> assertThat(one.getDevicesCount()).isEqualTo(1));
  }

  @Test
  void moreClaimsThanMayWaitAreRefusedOneByOne() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    preparing = claim -> open.await();
    try (ClaimCalls calls = new ClaimCalls(DRIVER, false, null)) {
      List<ClaimCalls.Asked> asked =
          IntStream.range(0, 5_000)
              .mapToObj(i -> new DraClaim("default", "c" + i, "uid-" + i))
              .map(one -> new ClaimCalls.Asked(one.uid(), one, ""))
              .toList();
      ClaimCalls.Call<Boolean> call =
          calls.start(
              "prepare",
              asked,
              Duration.ofMinutes(5),
              claim -> {
                preparing.run(claim);
                return true;
              });
      open.countDown();
      List<String> errors =
          call.all().get(1, TimeUnit.MINUTES).values().stream()
              .map(ClaimCalls.Answer::error)
              .filter(one -> !one.isEmpty())
              .toList();
      assertThat(errors)
          .isNotEmpty()
          .hasSizeLessThan(1_000)
          .allSatisfy(one -> assertThat(one).contains("more than 4096 claims", "will retry"));
    }
  }

  @Test
  void claimsTakeTurnsIfTheyAreSerialized() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    preparing =
        claim -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          Thread.sleep(2);
          now.decrementAndGet();
        };
    ClaimMessage[] claims =
        IntStream.range(0, 20).mapToObj(i -> claim("c" + i)).toArray(ClaimMessage[]::new);
    assertThat(started(builder().serialize(true).rollingUpdate("uid-1")).prepare(claims))
        .hasSize(20)
        .allSatisfy((uid, one) -> assertThat(one.getError()).isEmpty());
    assertThat(most).hasValue(1);
    assertThat(paths.pluginDirectory().resolve("serialize.lock")).exists();
  }

  @Test
  void lateClaimIsAnErrorAndTheOthersAreAnswered() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    preparing =
        claim -> {
          if (claim.name().equals("slow")) {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              interrupted.countDown();
              throw e;
            }
          }
        };
    FakeKubelet kubelet = started(builder().callLimit(Duration.ofMillis(300)));
    Map<String, PrepareResult> results = kubelet.prepare(claim("slow"), claim("fast"));
    assertThat(result(results, "uid-slow").getError()).contains("default/slow", "300 ms");
    assertThat(result(results, "uid-fast").getError()).isEmpty();
    assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    preparing = claim -> {};
    assertThat(result(kubelet.prepare(claim("slow")), "uid-slow").getError()).isEmpty();
  }

  @Test
  void deadlineOfTheCallerComesBeforeThatOfThePlugin() throws Exception {
    preparing =
        claim -> {
          if (claim.name().equals("slow")) {
            new CountDownLatch(1).await();
          }
        };
    Map<String, PrepareResult> results =
        started(builder())
            .prepare(Services.Dra.V1, Duration.ofSeconds(3), List.of(claim("slow"), claim("fast")));
    assertThat(result(results, "uid-slow").getError()).contains("did not prepare");
    assertThat(result(results, "uid-fast").getError()).isEmpty();
  }

  @Test
  void workOfACallerThatHasGoneIsInterrupted() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    preparing =
        claim -> {
          began.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
        };
    FakeKubelet kubelet = started(builder());
    Thread caller =
        new Thread(
            () -> {
              try {
                kubelet.prepare(claim("a"));
              } catch (StatusRuntimeException e) {
                assertThat(e.getStatus().isOk()).isFalse();
              }
            });
    caller.start();
    assertThat(began.await(30, TimeUnit.SECONDS)).isTrue();
    kubelet.close();
    assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    caller.join();
  }

  @Test
  void oneUidIsNeverPreparedTwiceAtOnce() throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    preparing =
        claim -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          Thread.sleep(20);
          now.decrementAndGet();
        };
    FakeKubelet kubelet = started(builder());
    List<Thread> callers =
        IntStream.range(0, 6).mapToObj(i -> new Thread(() -> kubelet.prepare(claim("a")))).toList();
    callers.forEach(Thread::start);
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(most).hasValue(1);
  }

  @Test
  void socketsAreForTheOwnerAlone() throws Exception {
    KubeletPlugin plugin = start(builder());
    for (Path socket : List.of(plugin.endpoint(), plugin.registrarSocket())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
          .isEqualTo("rw-------");
    }
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(paths.pluginDirectory())))
        .isEqualTo("rwx------");
  }

  @Test
  void socketsAreGoneAfterTheEndAndAnotherStartWorks() throws Exception {
    KubeletPlugin plugin = start(builder());
    plugin.close();
    plugin.close();
    assertThat(plugin.endpoint()).doesNotExist();
    assertThat(plugin.registrarSocket()).doesNotExist();
    assertThat(started(builder()).prepare(claim("a"))).containsKey("uid-a");
  }

  @Test
  void socketsThatAProcessLeftBehindAreReplaced() throws Exception {
    Files.createDirectories(paths.pluginDirectory());
    for (Path socket :
        List.of(
            paths.pluginDirectory().resolve("dra.sock"),
            paths.registrarDirectory().resolve(DRIVER + "-reg.sock"))) {
      try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        channel.bind(UnixDomainSocketAddress.of(socket));
      }
      assertThat(socket).exists();
    }
    KubeletPlugin plugin = start(builder());
    assertThat(kubelet(plugin.registrarSocket()).info().getName()).isEqualTo(DRIVER);
    assertThat(kubelet(plugin.endpoint()).prepare(claim("a"))).containsKey("uid-a");
  }

  @Test
  void socketsOfALivingProcessAreLeftAlone() throws Exception {
    FakeKubelet kubelet = started(builder());
    assertThatThrownBy(() -> builder().start())
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("dra.sock")
        .hasMessageContaining("another process serves");
    assertThat(kubelet.prepare(claim("a"))).containsKey("uid-a");
  }

  @Test
  void fileInPlaceOfASocketIsLeftAlone() throws Exception {
    Path file = paths.registrarDirectory().resolve(DRIVER + "-reg.sock");
    Files.writeString(file, "text");
    assertThatThrownBy(() -> builder().start()).hasMessageContaining("is not a socket");
    assertThat(file).hasContent("text");
    assertThat(paths.pluginDirectory().resolve("dra.sock")).doesNotExist();
  }

  @Test
  void missingRegistrarDirectoryIsNamed() throws Exception {
    Files.delete(paths.registrarDirectory());
    assertThatThrownBy(() -> builder().start())
        .isInstanceOf(NotDirectoryException.class)
        .hasMessageContaining("plugins_registry");
  }

  @Test
  void twoInstancesOfARollingUpdateRunSideBySide() throws Exception {
    KubeletPlugin old = start(builder().rollingUpdate("pod-1"));
    KubeletPlugin next = start(builder().rollingUpdate("pod-2"));
    assertThat(old.endpoint()).hasFileName("dra-pod-1.sock");
    assertThat(next.registrarSocket()).hasFileName(DRIVER + "-pod-2-reg.sock");
    assertThat(kubelet(old.endpoint()).prepare(claim("a"))).containsKey("uid-a");
    old.close();
    assertThat(kubelet(next.endpoint()).prepare(claim("a"))).containsKey("uid-a");
  }

  @Test
  void socketsOfPodsThatWereKilledAreRemovedByTheNext() throws Exception {
    KubeletPlugin old = start(builder().rollingUpdate("0a86fd09-a8a1-4d44-a78d-2cd21d1ee5e4"));
    String killed = "1b86fd09-a8a1-4d44-a78d-2cd21d1ee5e4";
    Path endpoint = paths.pluginSocket(killed);
    Path registrar = paths.registrarSocket(DRIVER, killed);
    Path other = paths.registrarDirectory().resolve("other.example.com-reg.sock");
    for (Path socket : List.of(endpoint, registrar, other)) {
      try (ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        channel.bind(UnixDomainSocketAddress.of(socket));
      }
    }
    start(builder().rollingUpdate("2c86fd09-a8a1-4d44-a78d-2cd21d1ee5e4"));
    assertThat(endpoint).doesNotExist();
    assertThat(registrar).doesNotExist();
    assertThat(other).exists();
    assertThat(old.endpoint()).exists();
    assertThat(old.registrarSocket()).exists();
  }

  @ParameterizedTest
  @EnumSource(Services.Health.class)
  void healthIsSentAtOnceAgainAndWhenItChanges(Services.Health version) throws Exception {
    List<DeviceHealth> health = new CopyOnWriteArrayList<>();
    health.add(DeviceHealth.of("node-1", "gpu-0", DeviceHealth.Status.HEALTHY, ""));
    KubeletPlugin plugin =
        start(builder().health(() -> health).healthInterval(Duration.ofMillis(50)));
    Iterator<WatchResponse> stream = kubelet(plugin.endpoint()).watch(version);
    for (int i = 0; i < 3; i++) { // without a change, too
      assertThat(stream.next().getDevices(0).getHealth()).isEqualTo(HealthStatus.HEALTHY);
    }
    health.set(0, DeviceHealth.of("node-1", "gpu-0", DeviceHealth.Status.UNHEALTHY, "XID 79"));
    plugin.healthChanged();
    WatchResponse response = stream.next();
    while (response.getDevices(0).getHealth() == HealthStatus.HEALTHY) {
      response = stream.next();
    }
    assertThat(response.getDevices(0).getHealth()).isEqualTo(HealthStatus.UNHEALTHY);
    assertThat(response.getDevices(0).getMessage()).isEqualTo("XID 79");
    assertThat(response.getDevices(0).getDevice().getPoolName()).isEqualTo("node-1");
    assertThat(response.getDevices(0).getDevice().getDeviceName()).isEqualTo("gpu-0");
  }

  @Test
  void healthThatCannotBeReadIsSentWhenItCan() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    KubeletPlugin plugin =
        start(
            builder()
                .health(
                    () -> {
                      if (reads.incrementAndGet() < 3) {
                        throw new IOException("no answer");
                      }
                      return List.of(
                          DeviceHealth.of("node-1", "gpu-0", DeviceHealth.Status.HEALTHY, ""));
                    })
                .healthInterval(Duration.ofMillis(20)));
    assertThat(kubelet(plugin.endpoint()).watch(Services.Health.V1).next().getDevicesCount())
        .isEqualTo(1);
    assertThat(reads.get()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void interceptorSeesEachCall() throws Exception {
    List<String> methods = new CopyOnWriteArrayList<>();
    FakeKubelet kubelet =
        started(
            builder()
                .intercept(
                    new ServerInterceptor() {
                      @Override
                      public <Q, R> ServerCall.Listener<Q> interceptCall(
                          ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
                        methods.add(call.getMethodDescriptor().getBareMethodName());
                        return next.startCall(call, headers);
                      }
                    }));
    kubelet.prepare(claim("a"));
    kubelet.unprepare(Services.Dra.V1BETA1, claim("a"));
    assertThat(methods).containsExactly("NodePrepareResources", "NodeUnprepareResources");
  }
}
