package io.dra4j.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.kubelet.DraClaim;
import io.dra4j.kubelet.DraDevice;
import io.dra4j.runtime.ClaimException;
import io.dra4j.runtime.DriverRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimHandlerTest {

  @TempDir private Path directory;
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final Map<String, String> notices = new ConcurrentHashMap<>();
  private final Map<String, String> devices = new ConcurrentHashMap<>(); // "a" unless it says so
  private DriverRuntime runtime;
  private ClaimHandler handler;
  private AttachGate gate;

  @BeforeEach
  void start() throws Exception {
    runtime = PlugDriver.runtime(directory.resolve("claims.db"), new PlugDriver());
    ClaimFiles files =
        ClaimFiles.open(directory.resolve("cdi"), directory.resolve("own"), PlugDriver.NAME);
    gate =
        new AttachGate(
            runtime,
            new SandboxClaims(runtime, pod -> Set.of()),
            Map.of(PlugDriver.NAME, files),
            claim -> {},
            new PlugDriver.Notices(),
            new AttachGate.Threads(threads, threads));
    DeviceReleases releases = new DeviceReleases();
    runtime.addClaimListener(releases);
    handler =
        new ClaimHandler(
            runtime,
            PlugDriver.NAME,
            claim ->
                Optional.of(
                    PlugDriver.claim(claim.name(), devices.getOrDefault(claim.name(), "a"), "pod")),
            gate,
            files,
            releases,
            (claim, failure) -> notices.put(claim.name(), String.valueOf(failure.getMessage())));
  }

  @AfterEach
  void stop() {
    runtime.close();
    threads.shutdownNow();
  }

  @Test
  void containersReadTheirDevicesUntilTheClaimIsUnprepared() throws Exception {
    List<DraDevice> devices = handler.prepare(claim("c"));
    assertThat(devices.get(0).cdiDeviceIds())
        .containsExactly(
            "plug.example.com/claim=uid-c-0", "plug.example.com/claim=uid-c-metadata-plug");
    Path file = directory.resolve("own/dra-device-metadata/uid-c/plug/metadata.json");
    assertThat(Files.readString(file))
        .contains("metadata.resource.k8s.io/v1beta1", "\"name\":\"a\"", "\"generation\":1");
    gate.run(PlugDriver.sandbox("s1", "pod"), Duration.ofSeconds(30));
    assertThat(Files.readString(file)).contains("\"generation\":1"); // plugs have no network data
    assertThat(Files.readString(directory.resolve("cdi/plug.example.com_uid-c.json")))
        .contains(
            file.toString(),
            "/var/run/kubernetes.io/dra-device-attributes/resourceclaims/c/plug/plug.example.com-metadata.json");
    gate.stop("s1", Duration.ofSeconds(30));
    assertThat(file).exists();
    handler.unprepare(claim("c"));
    assertThat(file).doesNotExist();
  }

  @Test
  void claimIsUnpreparedByItsUid() throws Exception {
    handler.prepare(claim("c"));
    handler.unprepare(new DraClaim("default", "c", "uid-of-another"));
    assertThat(runtime.claims()).hasSize(1);
    handler.unprepare(new DraClaim("default", "renamed", "uid-c"));
    assertThat(runtime.claims()).isEmpty();
  }

  private static DraClaim claim(String name) {
    return new DraClaim("default", name, "uid-" + name);
  }

  @Test
  void claimThatCannotBePreparedHasAnEvent() {
    devices.put("wrong", "no-such-device");
    assertThatExceptionOfType(ClaimException.class)
        .isThrownBy(() -> handler.prepare(claim("wrong")));
    assertThat(notices).containsOnlyKeys("wrong");
    assertThat(notices.get("wrong")).contains("no-such-device");
  }

  @Test
  void deviceOfAPodThatWasDeletedByForceIsAwaited() throws Exception {
    handler.prepare(claim("before"));
    Future<List<DraDevice>> next = threads.submit(() -> handler.prepare(claim("next")));
    handler.unprepare(claim("before"));
    assertThat(next.get(30, TimeUnit.SECONDS)).extracting(DraDevice::device).containsExactly("a");
    assertThat(runtime.claims()).extracting(one -> one.uid()).containsExactly("uid-next");
  }
}
