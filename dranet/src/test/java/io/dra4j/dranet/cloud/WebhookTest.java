package io.dra4j.dranet.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.dra4j.dranet.ProfileRequest;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.PciFunction;
import io.dra4j.topology.PciAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The webhook protocol with a server on the loopback address. */
class WebhookTest {

  private static final NetworkDevice DEVICE = new NetworkDevice("rail0", null, null, null);
  private static final ProfileRequest REQUEST =
      new ProfileRequest("acme.example/rails", "uid-1", "rail0", "rail0");

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private volatile int status = 200;
  private HttpServer server;
  private Webhook webhook;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
    webhook = Webhook.at(address(), "dra.net");
  }

  private URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    webhook.close();
    server.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    asked.add(exchange.getRequestMethod() + " " + path + " " + body);
    byte[] answer = answers.getOrDefault(path, "{}").getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  @Test
  void saysWhatItCan() throws Exception {
    answers.put("/health", "{\"cloudProvider\": true, \"profileProvider\": false}");

    assertThat(webhook.abilities()).isEqualTo(new Webhook.Abilities(true, false));
    assertThat(asked).containsExactly("GET /health ");
  }

  @Test
  void attributesAreAskedForOnce() {
    answers.put(
        "/GetDeviceAttributes",
        "{\"dra.net/rdma\": {\"bool\": true}, \"acme.example/rail\": {\"int\": 3},"
            + " \"acme.example/plane\": {\"string\": \"a\"}, \"acme.example/fw\": {\"version\":"
            + " \"1.2.3\"}}");

    Map<String, DeviceAttribute> first = attributes(DEVICE);

    assertThat(first)
        .containsOnly(
            Map.entry("rdma", DeviceAttribute.of(true)),
            Map.entry("acme.example/rail", DeviceAttribute.of(3)),
            Map.entry("acme.example/plane", DeviceAttribute.of("a")),
            Map.entry("acme.example/fw", new DeviceAttribute.VersionValue("1.2.3")));
    assertThat(attributes(DEVICE)).isEqualTo(first);
    assertThat(asked).containsExactly("POST /GetDeviceAttributes {\"name\":\"\"}");
  }

  @Test
  void anAttributeOfAnotherFormHidesTheWholeAnswer() {
    answers.put("/GetDeviceAttributes", "{\"acme.example/rail\": {\"int\": \"three\"}}");

    assertThat(attributes(DEVICE)).isEmpty();
  }

  /** As a discovery asks for them. */
  private Map<String, DeviceAttribute> attributes(NetworkDevice device) {
    webhook.expect(List.of(device));
    return webhook.attributesOf(device);
  }

  /** The first request blocks the only thread; the deadline applies to all devices. */
  @Test
  void aServerThatDoesNotAnswerIsWaitedForOnce() throws Exception {
    CountDownLatch answering = new CountDownLatch(1);
    server.removeContext("/");
    server.createContext(
        "/",
        exchange -> {
          try {
            answering.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          serve(exchange);
        });
    List<NetworkDevice> devices = devices(40);
    answers.put("/GetDeviceAttributes", "{\"acme.example/rail\": {\"int\": 3}}");

    CompletableFuture<Void> discoveries =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 20; i++) { // of which only the first waits
                webhook.expect(devices);
                devices.forEach(one -> assertThat(webhook.attributesOf(one)).isEmpty());
              }
            });
    discoveries.get(30, TimeUnit.SECONDS); // a second for each device would take far longer

    answering.countDown();
    while (webhook.attributesOf(devices.get(39)).isEmpty()) {
      Thread.sleep(10);
    }
    assertThat(asked).hasSize(40);
  }

  @Test
  void oneDeviceIsForgottenForOneThatComes() {
    webhook.close();
    webhook = Webhook.at(address(), "dra.net", 4);
    answers.put("/GetDeviceAttributes", "{\"acme.example/rail\": {\"int\": 3}}");
    List<NetworkDevice> devices = devices(5);
    webhook.expect(devices.subList(0, 4));
    assertThat(attributes(devices.get(0))).isNotEmpty();
    assertThat(asked).hasSize(4);

    assertThat(attributes(devices.get(4))).isNotEmpty();

    for (int i : List.of(0, 2, 3, 4)) {
      assertThat(webhook.attributesOf(devices.get(i))).isNotEmpty();
    }
    assertThat(asked).hasSize(5);
    assertThat(webhook.attributesOf(devices.get(1))).isEmpty(); // not asked for longest
  }

  /** A server that is down is queried again at each discovery, without waiting. */
  @Test
  void aRefusalIsAskedForAgain() throws Exception {
    status = 503;
    assertThat(attributes(DEVICE)).isEmpty();
    status = 200;
    answers.put("/GetDeviceAttributes", "{\"acme.example/rail\": {\"int\": 3}}");
    while (attributes(DEVICE).isEmpty()) {
      Thread.sleep(10);
    }
    assertThat(asked).hasSize(2);
  }

  private static List<NetworkDevice> devices(int count) {
    List<NetworkDevice> devices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      devices.add(
          new NetworkDevice(
              "pci" + i,
              PciFunction.at(new PciAddress(0, i / 256, i / 8 % 32, i % 8)).build(),
              null,
              null));
    }
    return devices;
  }

  @Test
  void configurationsAndProfiles() throws Exception {
    answers.put("/GetDeviceConfig", "{\"interface\": {\"mtu\": 8896}}");
    answers.put("/GetProfileConfig", "{\"interface\": {\"addresses\": [\"10.0.0.7/24\"]}}");

    assertThat(webhook.configurationOf(DEVICE).link().mtu()).isEqualTo(8896);
    assertThat(webhook.acquire(REQUEST).toJson()).contains("10.0.0.7/24");
    webhook.release(REQUEST);

    String body =
        "{\"device\":{\"name\":\"rail0\"},\"claim_uid\":\"uid-1\",\"config\":{\"profile\":\"acme.example/rails\"}}";
    assertThat(asked)
        .containsExactly(
            "POST /GetDeviceConfig {\"name\":\"rail0\"}",
            "POST /GetProfileConfig " + body,
            "POST /ReleaseProfileConfig " + body);
  }

  @Test
  void aRefusalSaysWhetherAnotherTryMayHelp() {
    answers.put("/GetProfileConfig", "no such profile");
    status = 404;
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> webhook.acquire(REQUEST))
        .withMessageContaining("no such profile")
        .extracting(DriverException::kind)
        .isEqualTo(DriverException.Kind.INVALID);
    status = 409;
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> webhook.acquire(REQUEST))
        .extracting(DriverException::kind)
        .isEqualTo(DriverException.Kind.UNAVAILABLE);
    assertThatExceptionOfType(DriverException.class).isThrownBy(() -> webhook.release(REQUEST));
  }

  @Test
  void aProfileThatTheServerDoesNotKnowIsGivenBack() throws Exception {
    answers.put("/ReleaseProfileConfig", "no such profile");
    for (int unknown : new int[] {400, 404, 410, 204}) {
      status = unknown;
      webhook.release(REQUEST);
    }
    status = 503;
    assertThatExceptionOfType(DriverException.class).isThrownBy(() -> webhook.release(REQUEST));
    assertThat(asked).hasSize(5);
  }

  @Test
  void whatIsNoConfigurationIsRefused() {
    answers.put("/GetDeviceConfig", "{\"interface\": {\"mtu\": \"big\"}}");
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> webhook.configurationOf(DEVICE))
        .withMessageContaining("invalid configuration");
    answers.put("/GetDeviceConfig", "[]");
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> webhook.configurationOf(DEVICE))
        .withMessageContaining("not a JSON object");
  }

  @Test
  void anAddressOfAnotherFormIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Webhook.at(URI.create("ftp://host"), "dra.net"))
        .withMessageContaining("ftp://host");
  }
}
