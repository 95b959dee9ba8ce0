package io.dra4j.dranet.cloud;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.dranet.AttributeProvider;
import io.dra4j.dranet.ConfigProvider;
import io.dra4j.dranet.ProfileProvider;
import io.dra4j.dranet.ProfileRequest;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.discovery.NetworkDevice;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.configuration.ConfigurationException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of a server that provides attributes, configurations and profiles of devices. It uses
 * the webhook protocol of DraNet: JSON by POST to {@code /GetDeviceAttributes}, {@code
 * /GetDeviceConfig}, {@code /GetProfileConfig} and {@code /ReleaseProfileConfig}. A response is
 * bounded to 10 seconds and 1 MiB.
 *
 * <p>Attributes are cached, and refreshed after a minute on a thread of this object. A discovery
 * waits for the attributes of new devices: once, for one second at most. Configurations and
 * profiles are requested when a claim is prepared. A profile that cannot be released is released
 * later. Thread-safe.
 */
public final class Webhook
    implements AttributeProvider, ConfigProvider, ProfileProvider, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIME = Duration.ofSeconds(10);
  private static final long FIRST_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MOST_DEVICES = 1_024;
  private static final int MOST_ATTRIBUTES = 64;
  private static final int MOST_SAID = 200;

  /** Statuses that mean that the server does not know the profile: bad request, not found, gone. */
  private static final Set<Integer> NOTHING_TO_RELEASE = Set.of(400, 404, 410);

  private final URI server;
  private final String ownDomain;
  private final JsonExchange http;
  private final Map<String, Known> known;
  private final Set<String> asking = ConcurrentHashMap.newKeySet();
  private final ExecutorService asker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "dra4j webhook");
            thread.setDaemon(true);
            return thread;
          });

  /** The cached attributes of a device, and when they expire. */
  private record Known(Map<String, DeviceAttribute> attributes, long untilNanos) {

    boolean isFresh() {
      return untilNanos - System.nanoTime() > 0;
    }
  }

  /** A cache that evicts the least recently used device. */
  private static final class Newest extends LinkedHashMap<String, Known> {

    private static final long serialVersionUID = 1;

    private final int most;

    Newest(int most) {
      super(16, 0.75f, true);
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
      return size() > most;
    }
  }

  /**
   * The functions that a server supports.
   *
   * @param attributes whether it provides attributes and configurations of devices
   * @param profiles whether it provides profiles
   */
  public record Abilities(boolean attributes, boolean profiles) {}

  private Webhook(URI server, String driver, int mostDevices) {
    this.server = server;
    this.http = JsonExchange.with(server, TIME);
    this.ownDomain = driver + "/";
    this.known = Collections.synchronizedMap(new Newest(mostDevices));
  }

  /**
   * {@return a client, which has sent no request yet}
   *
   * @param server scheme, host and port of the server, for example {@code http://127.0.0.1:8080};
   *     or a unix socket, for example {@code unix:///run/webhook.sock}
   * @param driver the name of the driver, whose own attributes the server may replace
   * @throws IllegalArgumentException if the scheme is not supported, or host or path is missing
   */
  public static Webhook at(URI server, String driver) {
    return at(server, driver, MOST_DEVICES);
  }

  /** Like {@link #at(URI, String)}, with a limit of the devices whose attributes are cached. */
  static Webhook at(URI server, String driver, int mostDevices) {
    String text = server.toString();
    return new Webhook(
        text.endsWith("/") ? URI.create(text.substring(0, text.length() - 1)) : server,
        Objects.requireNonNull(driver, "driver"),
        mostDevices);
  }

  /**
   * Asks the server which functions it supports.
   *
   * @return the functions
   * @throws IOException if the server does not respond, or its response is not valid
   */
  public Abilities abilities() throws IOException {
    JsonNode answer = answer("GET", "/health", "");
    return new Abilities(
        answer.path("cloudProvider").asBoolean(), answer.path("profileProvider").asBoolean());
  }

  /** Requests the attributes of new devices, and waits for them for a second at most. */
  @Override
  public void expect(List<NetworkDevice> devices) {
    long end = System.nanoTime() + FIRST_NANOS;
    List<CountDownLatch> first = new ArrayList<>();
    for (NetworkDevice one : devices) {
      String key = key(one);
      boolean isNew = !known.containsKey(key);
      CountDownLatch asked = askIfOld(key);
      if (isNew && asked != null) {
        first.add(asked);
      }
    }
    for (CountDownLatch one : first) {
      if (!await(one, end - System.nanoTime())) {
        LOG.debug(
            "the webhook has not responded within a second: continuing without its attributes");
        return;
      }
    }
  }

  /** Returns cached attributes at once; none for a device that was not {@link #expect expected}. */
  @Override
  public Map<String, DeviceAttribute> attributesOf(NetworkDevice device) {
    String key = key(device);
    askIfOld(key);
    Known now = known.get(key);
    return now == null ? Map.of() : now.attributes;
  }

  private static String key(NetworkDevice device) {
    return identity(device, device.interfaceName()).toString();
  }

  /**
   * Requests the attributes of a device if they have expired. Returns null if no request is sent,
   * because the attributes are current or were already requested.
   */
  private @Nullable CountDownLatch askIfOld(String key) {
    Known now = known.get(key);
    if ((now != null && now.isFresh()) || asker.isShutdown() || !asking.add(key)) {
      return null;
    }
    CountDownLatch asked = new CountDownLatch(1);
    asker.execute(() -> ask(key, asked));
    return asked;
  }

  private void ask(String key, CountDownLatch asked) {
    long now = System.nanoTime();
    try {
      JsonNode answer = post("/GetDeviceAttributes", JSON.readTree(key));
      known.put(key, new Known(attributes(answer), now + FRESH_NANOS));
    } catch (IOException | RuntimeException e) { // the cached attributes stay
      LOG.warn("cannot get attributes of {} from the webhook: {}", key, e.getMessage());
      known.putIfAbsent(
          key, new Known(Map.of(), now)); // waited for once, and requested again later
    } finally {
      asking.remove(key);
      asked.countDown();
    }
  }

  private static boolean await(CountDownLatch asked, long nanos) {
    try {
      return asked.await(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Map<String, DeviceAttribute> attributes(JsonNode answer) throws IOException {
    if (answer.size() > MOST_ATTRIBUTES) {
      throw new IOException(
          "the webhook returned more than " + MOST_ATTRIBUTES + " attributes for one device");
    }
    Map<String, DeviceAttribute> read = new TreeMap<>();
    for (Map.Entry<String, JsonNode> one : answer.properties()) {
      String name = one.getKey();
      read.put(
          name.startsWith(ownDomain) ? name.substring(ownDomain.length()) : name,
          attribute(name, one.getValue()));
    }
    return Map.copyOf(read);
  }

  private static DeviceAttribute attribute(String name, JsonNode value) throws IOException {
    JsonNode one =
        value.size() == 1 ? value.elements().next() : JsonNodeFactory.instance.missingNode();
    String type = value.size() == 1 ? value.fieldNames().next() : "";
    if (type.equals("string") && one.isTextual()) {
      return DeviceAttribute.of(one.textValue());
    } else if (type.equals("int") && one.canConvertToLong() && one.isIntegralNumber()) {
      return DeviceAttribute.of(one.longValue());
    } else if (type.equals("bool") && one.isBoolean()) {
      return DeviceAttribute.of(one.booleanValue());
    } else if (type.equals("version") && one.isTextual()) {
      return new DeviceAttribute.VersionValue(one.textValue());
    }
    throw new IOException(
        "attribute " + name + ": expected an object with string, int, bool or version");
  }

  @Override
  public NetworkConfig configurationOf(NetworkDevice device) throws DriverException {
    try {
      return config(post("/GetDeviceConfig", identity(device, device.name())));
    } catch (IOException e) {
      throw DriverException.failed("webhook: " + e.getMessage(), e);
    }
  }

  @Override
  public NetworkConfig acquire(ProfileRequest request) throws DriverException {
    try {
      return config(post("/GetProfileConfig", body(request)));
    } catch (Refused e) {
      throw e.isOfRequest()
          ? DriverException.invalid("webhook: " + e.getMessage())
          : DriverException.unavailable("webhook: " + e.getMessage());
    } catch (IOException e) {
      throw DriverException.failed("webhook: " + e.getMessage(), e);
    }
  }

  /** Releases a profile; one unknown to the server, as it refused it, counts as released. */
  @Override
  public void release(ProfileRequest request) throws DriverException {
    String path = "/ReleaseProfileConfig";
    try {
      JsonExchange.Answer answer = http.send("POST", path, body(request).toString());
      int status = answer.status();
      if (status / 100 != 2 && !NOTHING_TO_RELEASE.contains(status)) {
        throw new Refused("POST " + server + path, status, answer.body());
      }
    } catch (IOException e) {
      throw DriverException.failed("webhook: " + e.getMessage(), e);
    }
  }

  private static NetworkConfig config(JsonNode answer) throws DriverException {
    try {
      return answer.isEmpty() ? NetworkConfig.EMPTY : NetworkConfig.parse(answer.toString());
    } catch (ConfigurationException e) {
      throw DriverException.failed(
          "the webhook returned an invalid configuration: " + e.problems(), e);
    }
  }

  private static ObjectNode body(ProfileRequest request) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.putObject("device").put("name", request.device());
    body.put("claim_uid", request.claimUid());
    body.putObject("config").put("profile", request.profile());
    return body;
  }

  private static ObjectNode identity(NetworkDevice device, String name) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("name", name);
    if (device.link() != null) {
      body.put("mac_address", device.link().link().address().toString());
    }
    if (device.function() != null) {
      body.put("pci_address", device.function().address().toString());
    }
    return body;
  }

  private JsonNode post(String path, JsonNode body) throws IOException {
    return answer("POST", path, body.toString());
  }

  /** Sends a request; returns the JSON object of the response, empty if it is empty or null. */
  private JsonNode answer(String method, String path, String json) throws IOException {
    String what = method + " " + server + path;
    JsonExchange.Answer answer = http.send(method, path, json);
    if (answer.status() != 200) {
      throw new Refused(what, answer.status(), answer.body());
    }
    try {
      JsonNode read = JSON.readTree(answer.body());
      if (read.isObject()) {
        return read;
      } else if (read.isMissingNode() || read.isNull()) {
        return JsonNodeFactory.instance.objectNode();
      }
    } catch (JsonProcessingException e) {
      throw new IOException(what + ": the response is not valid JSON", e);
    }
    throw new IOException(what + ": the response is not a JSON object");
  }

  /** Ends the thread. Cached attributes stay available. */
  @Override
  public void close() {
    asker.shutdownNow();
  }

  /** A status other than 200. */
  private static final class Refused extends IOException {

    private static final long serialVersionUID = 1;

    private final int status;

    Refused(String what, int status, String said) {
      super(
          "%s: status %d%s"
              .formatted(
                  what,
                  status,
                  said.isBlank()
                      ? ""
                      : ": "
                          + said.strip().substring(0, Math.min(said.strip().length(), MOST_SAID))));
      this.status = status;
    }

    /** Returns whether a retry would get the same response. */
    boolean isOfRequest() {
      return status == 400 || status == 404;
    }
  }
}
