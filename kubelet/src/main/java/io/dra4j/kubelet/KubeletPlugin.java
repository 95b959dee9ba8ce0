package io.dra4j.kubelet;

import io.dra4j.kubelet.ClaimCalls.Answer;
import io.dra4j.kubelet.ClaimCalls.Asked;
import io.dra4j.kubelet.wire.ClaimMessage;
import io.dra4j.kubelet.wire.DeviceMessage;
import io.dra4j.kubelet.wire.InfoRequest;
import io.dra4j.kubelet.wire.PluginInfo;
import io.dra4j.kubelet.wire.PrepareRequest;
import io.dra4j.kubelet.wire.PrepareResponse;
import io.dra4j.kubelet.wire.PrepareResult;
import io.dra4j.kubelet.wire.RegistrationStatus;
import io.dra4j.kubelet.wire.RegistrationStatusResponse;
import io.dra4j.kubelet.wire.UnprepareRequest;
import io.dra4j.kubelet.wire.UnprepareResponse;
import io.dra4j.kubelet.wire.UnprepareResult;
import io.dra4j.kubelet.wire.WatchResponse;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A driver as a plugin of the kubelet. It has two unix sockets: at one the kubelet finds the
 * driver, at the other it prepares claims and watches the health of devices.
 *
 * <pre>{@code
 * try (KubeletPlugin plugin = KubeletPlugin.builder("gpu.example.com", handler).start()) {
 *   plugin.awaitRegistration(Duration.ofSeconds(30));
 *   ...
 * }
 * }</pre>
 *
 * <p>The answer to each call has one entry for each UID, and is sent before the kubelet's timeout
 * of 45 s. An error of one claim does not affect other claims, and a claim that is late gets an
 * error as its entry. Sockets have mode 0600; the directory of the driver is created with mode
 * 0700.
 *
 * <p>The kubelet finds the driver only when the plugin can serve claims. {@link #close} first
 * removes the registration, then waits for calls. Sockets of ended processes are replaced; sockets
 * of running processes are not. Thread-safe.
 */
public final class KubeletPlugin implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KubeletPlugin.class);

  /**
   * The default limit of a call, below the kubelet's timeout of 45 s (pkg/kubelet/cm/dra/plugin).
   */
  private static final Duration CALL_LIMIT = Duration.ofSeconds(43);

  /** The part of a caller's deadline that is reserved for sending the answer. */
  private static final Duration CALL_MARGIN = Duration.ofMillis(500);

  /** The interval of reports: a third of the 30 s for which the kubelet considers one valid. */
  private static final Duration HEALTH_INTERVAL = Duration.ofSeconds(10);

  private final String driver;
  private final Path endpoint;
  private final DraHandler handler;
  private final Duration callLimit;
  private final ClaimCalls calls;
  private final @Nullable HealthStreams health;
  private final EventLoopGroup group;
  private final List<String> announced = new ArrayList<>();
  private final UnixServer draServer;
  private final Path registrarSocket;
  private final Builder options;
  private final KubeletPaths paths;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition registrationChanged = lock.newCondition();
  private RegistrationState registration = RegistrationState.WAITING;
  private @Nullable UnixServer registrar; // null before the plugin registers
  private boolean isClosed;

  private KubeletPlugin(Builder options, KubeletPaths paths) throws IOException {
    driver = options.driver;
    handler = options.handler;
    callLimit = options.callLimit;
    endpoint = paths.pluginSocket(options.podUid);
    registrarSocket = paths.registrarSocket(driver, options.podUid);
    this.options = options;
    this.paths = paths;
    prepareDirectories(paths);
    removeStaleSockets();

    calls =
        new ClaimCalls(
            driver,
            options.isSerial,
            options.podUid == null ? null : paths.pluginDirectory().resolve("serialize.lock"));
    HealthSource source = options.health;
    health = source == null ? null : new HealthStreams(driver, source, options.healthInterval);
    group = eventLoop(driver);

    UnixServer first = null;
    try {
      AtomicBoolean isWarm = new AtomicBoolean();
      first = startDraServer(isWarm);
      draServer = first;
      WarmUp.run(endpoint, group, options.hasV1 ? Services.Dra.V1 : Services.Dra.V1BETA1);
      isWarm.set(true);
      if (!options.isRegisteredLater) {
        registrar = startRegistrar();
      }
    } catch (IOException | RuntimeException e) {
      if (first != null) {
        first.close();
      }
      stopThreads();
      throw e;
    }
    LOG.atInfo().log("driver {}: serving {} at {}", driver, announced, endpoint);
  }

  private static EventLoopGroup eventLoop(String driver) {
    return new MultiThreadIoEventLoopGroup(
        1,
        (ThreadFactory) work -> ClaimCalls.daemon(work, "dra4j-kubelet-" + driver),
        NioIoHandler.newFactory());
  }

  private UnixServer startDraServer(AtomicBoolean isWarm) throws IOException {
    return UnixServer.start(
        endpoint,
        group,
        draServices(options),
        options.interceptors.stream().map(one -> WarmUp.afterwards(isWarm, one)).toList());
  }

  /** Removes the sockets of killed pods, which the kubelet would try to connect to forever. */
  private void removeStaleSockets() {
    if (options.podUid != null) {
      UnixServer.removeStale(paths.pluginDirectory(), KubeletPaths.PLUGIN_SOCKETS);
      UnixServer.removeStale(paths.registrarDirectory(), KubeletPaths.registrarSockets(driver));
    }
  }

  /**
   * Registers the driver with the kubelet, unless it is registered already. For a plugin that was
   * built with {@link Builder#registerLater}.
   *
   * @throws IOException if the socket cannot be created; its path is in the message
   * @throws IllegalStateException if the plugin is closed
   */
  public void register() throws IOException {
    lock.lock();
    try {
      if (isClosed) {
        throw new IllegalStateException("driver %s: the plugin is closed".formatted(driver));
      }
      if (registrar != null) {
        return;
      }
      removeStaleSockets(); // of instances that ended since this plugin was started
      registrar = startRegistrar();
    } finally {
      lock.unlock();
    }
  }

  private UnixServer startRegistrar() throws IOException {
    UnixServer started =
        UnixServer.start(
            registrarSocket, group, List.of(registrationService()), options.interceptors);
    LOG.atInfo().log("driver {}: registering at {}", driver, registrarSocket);
    return started;
  }

  /**
   * {@return a builder for the plugin of a driver}
   *
   * @param driver the name of the driver, a DNS subdomain of at most 63 bytes
   * @param handler prepares the claims
   * @throws IllegalArgumentException if the name is not a DNS subdomain
   */
  public static Builder builder(String driver, DraHandler handler) {
    return new Builder(driver, handler);
  }

  /** Collects the options of a plugin. */
  public static final class Builder {

    private final String driver;
    private final DraHandler handler;
    private final List<ServerInterceptor> interceptors = new ArrayList<>();
    private @Nullable KubeletPaths paths;
    private @Nullable HealthSource health;
    private @Nullable String podUid;
    private boolean isSerial;
    private boolean isRegisteredLater;
    private boolean hasV1 = true;
    private boolean hasV1beta1 = true;
    private Duration callLimit = CALL_LIMIT;
    private Duration healthInterval = HEALTH_INTERVAL;

    private Builder(String driver, DraHandler handler) {
      this.driver = Names.checkedDriver(Objects.requireNonNull(driver, "driver"));
      this.handler = Objects.requireNonNull(handler, "handler");
    }

    /**
     * Sets the directories of the sockets. The default is {@link KubeletPaths#below} {@code
     * /var/lib/kubelet}.
     *
     * @param value the directories
     * @return this builder
     */
    public Builder paths(KubeletPaths value) {
      paths = Objects.requireNonNull(value, "value");
      return this;
    }

    /**
     * Prepares and unprepares one claim at a time, also among the two processes of a rolling
     * update. By default, claims are prepared in parallel.
     *
     * @param serialize whether claims are prepared one at a time
     * @return this builder
     */
    public Builder serialize(boolean serialize) {
      isSerial = serialize;
      return this;
    }

    /**
     * Serves DRAPlugin v1, which kubelets of Kubernetes 1.34 and newer use. On by default.
     *
     * @param v1 whether DRAPlugin v1 is served
     * @return this builder
     */
    public Builder v1(boolean v1) {
      hasV1 = v1;
      return this;
    }

    /**
     * Serves DRAPlugin v1beta1, for kubelets before Kubernetes 1.34. On by default.
     *
     * @param v1beta1 whether DRAPlugin v1beta1 is served
     * @return this builder
     */
    public Builder v1beta1(boolean v1beta1) {
      hasV1beta1 = v1beta1;
      return this;
    }

    /**
     * Offers the health of devices to the kubelet (KEP-4680), as v1 and v1alpha1. Without a source,
     * the plugin does not have this service.
     *
     * @param source reports the health of the devices
     * @return this builder
     */
    public Builder health(HealthSource source) {
      health = Objects.requireNonNull(source, "source");
      return this;
    }

    /**
     * Allows two pods of a driver to run at the same time while a DaemonSet replaces one with the
     * other. Each has its own sockets, and the kubelet uses the newer pod. Requires a kubelet of
     * Kubernetes 1.33 or newer. Close the plugin at the end: the sockets of a killed pod stay, and
     * the kubelet tries to connect to them, until the next pod of the driver removes them.
     *
     * @param uid the UID of the pod of this process
     * @return this builder
     * @throws IllegalArgumentException if the UID cannot be a part of a file name
     */
    public Builder rollingUpdate(String uid) {
      if (!Names.isFileName(uid, 253)) {
        throw new IllegalArgumentException(
            "pod UID \"%s\" must be letters, digits, '-', '.' and '_'".formatted(Names.shown(uid)));
      }
      podUid = uid;
      return this;
    }

    /**
     * Starts the plugin without registering it; {@link KubeletPlugin#register} does that later. The
     * kubelet calls the instance that registered last, which must not be an instance on standby.
     *
     * @return this builder
     */
    public Builder registerLater() {
      isRegisteredLater = true;
      return this;
    }

    /**
     * Adds an interceptor of all calls, for metrics or logs. It must not block. Interceptors are
     * called in the order in which they were added.
     *
     * @param interceptor the interceptor
     * @return this builder
     */
    public Builder intercept(ServerInterceptor interceptor) {
      interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
      return this;
    }

    /**
     * Limits the time for a claim. A shorter deadline of the kubelet takes precedence. The default
     * is 43 s, since the kubelet cancels a call after 45 s.
     *
     * @param limit the limit, positive
     * @return this builder
     * @throws IllegalArgumentException if the limit is not positive
     */
    public Builder callLimit(Duration limit) {
      if (limit.isNegative() || limit.isZero()) {
        throw new IllegalArgumentException("limit of a call: expected more than 0, found " + limit);
      }
      callLimit = limit;
      return this;
    }

    Builder healthInterval(Duration interval) {
      healthInterval = interval;
      return this;
    }

    /**
     * Starts the plugin. It serves claims before the kubelet can find it.
     *
     * @return the running plugin
     * @throws IOException if a directory is missing or a socket not created; it names the path
     * @throws IllegalStateException if both versions of DRAPlugin are off
     * @throws IllegalArgumentException if the path of a socket has more than 107 bytes
     */
    public KubeletPlugin start() throws IOException {
      if (!hasV1 && !hasV1beta1) {
        throw new IllegalStateException(
            "driver %s: v1 and v1beta1 are both off: enable the one that the kubelet uses"
                .formatted(driver));
      }
      KubeletPaths chosen =
          paths == null ? KubeletPaths.below(Path.of("/var/lib/kubelet"), driver) : paths;
      return new KubeletPlugin(this, chosen);
    }
  }

  private static void prepareDirectories(KubeletPaths paths) throws IOException {
    if (!Files.isDirectory(paths.registrarDirectory())) {
      throw new NotDirectoryException(
          paths.registrarDirectory()
              + ": the directory does not exist: check that the kubelet uses this root"
              + " directory and that it is mounted into the container");
    }
    Files.createDirectories(
        paths.pluginDirectory(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private List<ServerServiceDefinition> draServices(Builder options) {
    List<ServerServiceDefinition> services = new ArrayList<>();
    if (options.hasV1) {
      services.add(draService(Services.Dra.V1));
    }
    if (options.hasV1beta1) {
      services.add(draService(Services.Dra.V1BETA1));
    }
    HealthStreams streams = health;
    if (streams != null) {
      for (Services.Health version : Services.Health.values()) {
        announced.add(version.service);
        services.add(
            ServerServiceDefinition.builder(version.service)
                .addMethod(
                    version.watch,
                    ServerCalls.asyncServerStreamingCall(
                        (request, stream) ->
                            streams.add((ServerCallStreamObserver<WatchResponse>) stream)))
                .build());
      }
    }
    return services;
  }

  private ServerServiceDefinition draService(Services.Dra version) {
    announced.add(version.announced);
    boolean hasShares = version == Services.Dra.V1;
    return ServerServiceDefinition.builder(version.service)
        .addMethod(
            version.prepare,
            ServerCalls.asyncUnaryCall((request, stream) -> prepare(request, hasShares, stream)))
        .addMethod(version.unprepare, ServerCalls.asyncUnaryCall(this::unprepare))
        .build();
  }

  private void prepare(
      PrepareRequest request, boolean hasShares, StreamObserver<PrepareResponse> stream) {
    run(
        "prepare",
        request.getClaimsList(),
        claim -> result(claim, handler.prepare(claim), hasShares),
        stream,
        answers -> {
          PrepareResponse.Builder response = PrepareResponse.newBuilder();
          answers.forEach(
              (uid, answer) -> {
                PrepareResult value = answer.value();
                response.putClaims(
                    uid,
                    value == null
                        ? PrepareResult.newBuilder().setError(answer.error()).build()
                        : value);
              });
          return response.build();
        });
  }

  private void unprepare(UnprepareRequest request, StreamObserver<UnprepareResponse> stream) {
    run(
        "unprepare",
        request.getClaimsList(),
        claim -> {
          handler.unprepare(claim);
          return true;
        },
        stream,
        answers -> {
          UnprepareResponse.Builder response = UnprepareResponse.newBuilder();
          answers.forEach(
              (uid, answer) ->
                  response.putClaims(
                      uid, UnprepareResult.newBuilder().setError(answer.error()).build()));
          return response.build();
        });
  }

  private static PrepareResult result(DraClaim claim, List<DraDevice> devices, boolean hasShares) {
    if (devices == null) {
      throw new IllegalStateException("the handler returned null for claim " + claim);
    }
    PrepareResult.Builder result = PrepareResult.newBuilder();
    for (DraDevice device : devices) {
      DeviceMessage.Builder message =
          DeviceMessage.newBuilder()
              .addAllRequestNames(device.requests())
              .setPoolName(device.pool())
              .setDeviceName(device.device())
              .addAllCdiDeviceIds(device.cdiDeviceIds());
      String share = device.shareId();
      if (share != null && hasShares) {
        message.setShareId(share);
      }
      result.addDevices(message);
    }
    return result.build();
  }

  private <T, R> void run(
      String verb,
      List<ClaimMessage> claims,
      ClaimCalls.Work<T> work,
      StreamObserver<R> stream,
      Function<Map<String, Answer<T>>, R> response) {
    ClaimCalls.Call<T> call =
        calls.start(verb, claims.stream().map(KubeletPlugin::asked).toList(), limit(), work);
    ((ServerCallStreamObserver<R>) stream).setOnCancelHandler(call::cancel);
    call.all()
        .thenAccept(answers -> send(stream, response.apply(answers)))
        .exceptionally(
            e -> {
              LOG.atError()
                  .setCause(e)
                  .log("driver {}: cannot send an answer to the kubelet", driver);
              return null;
            });
  }

  static Asked asked(ClaimMessage message) {
    try {
      return new Asked(
          message.getUid(),
          new DraClaim(message.getNamespace(), message.getName(), message.getUid()),
          "");
    } catch (IllegalArgumentException e) {
      return new Asked(message.getUid(), null, String.valueOf(e.getMessage()));
    }
  }

  private Duration limit() {
    Deadline deadline = Context.current().getDeadline();
    if (deadline == null) {
      return callLimit;
    }
    long left = deadline.timeRemaining(TimeUnit.NANOSECONDS);
    Duration mine = Duration.ofNanos(left - Math.min(CALL_MARGIN.toNanos(), left / 4));
    return mine.compareTo(callLimit) < 0 ? mine : callLimit;
  }

  private static <R> void send(StreamObserver<R> stream, R response) {
    try {
      stream.onNext(response);
      stream.onCompleted();
    } catch (StatusRuntimeException | IllegalStateException e) {
      LOG.atDebug().setCause(e).log("the kubelet cancelled a call before its answer");
    }
  }

  private ServerServiceDefinition registrationService() {
    return ServerServiceDefinition.builder("pluginregistration.Registration")
        .addMethod(Services.GET_INFO, ServerCalls.asyncUnaryCall(this::info))
        .addMethod(Services.NOTIFY, ServerCalls.asyncUnaryCall(this::registered))
        .build();
  }

  private void info(InfoRequest request, StreamObserver<PluginInfo> stream) {
    send(
        stream,
        PluginInfo.newBuilder()
            .setType(Services.DRA_PLUGIN_TYPE)
            .setName(driver)
            .setEndpoint(endpoint.toString())
            .addAllSupportedVersions(announced)
            .build());
  }

  private void registered(
      RegistrationStatus status, StreamObserver<RegistrationStatusResponse> stream) {
    if (status.getPluginRegistered()) {
      LOG.atInfo().log("driver {}: registered with the kubelet", driver);
    } else {
      LOG.atError()
          .log(
              "driver {}: the kubelet refused the plugin: {}",
              driver,
              Names.shown(status.getError()));
    }
    lock.lock();
    try {
      registration =
          status.getPluginRegistered() ? RegistrationState.REGISTERED : RegistrationState.REFUSED;
      registrationChanged.signalAll();
    } finally {
      lock.unlock();
    }
    send(stream, RegistrationStatusResponse.getDefaultInstance());
  }

  /** {@return the state of the registration that the kubelet reported last} */
  public RegistrationState registration() {
    lock.lock();
    try {
      return registration;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the kubelet has registered or refused the plugin.
   *
   * @param limit the longest wait
   * @return the state of the registration; {@link RegistrationState#WAITING} after the longest wait
   * @throws InterruptedException if the thread is interrupted
   */
  public RegistrationState awaitRegistration(Duration limit) throws InterruptedException {
    long left = limit.toNanos();
    lock.lock();
    try {
      while (registration == RegistrationState.WAITING && left > 0) {
        left = registrationChanged.awaitNanos(left);
      }
      return registration;
    } finally {
      lock.unlock();
    }
  }

  /** Sends the changed health of devices soon. Does nothing without a health source. */
  public void healthChanged() {
    if (health != null) {
      health.sendSoon();
    }
  }

  /** {@return the path of the socket at which the kubelet calls the driver} */
  public Path endpoint() {
    return endpoint;
  }

  /** {@return the path of the socket at which the kubelet finds the driver} */
  public Path registrarSocket() {
    return registrarSocket;
  }

  /**
   * Removes the registration, ends running calls, and removes the sockets. Claims stay prepared.
   * This takes up to 20 s if a handler does not react to an interrupt. A second call does nothing.
   */
  @Override
  public void close() {
    UnixServer registered;
    lock.lock();
    try {
      if (isClosed) {
        return;
      }
      isClosed = true;
      registered = registrar;
    } finally {
      lock.unlock();
    }
    if (registered != null) {
      registered.close();
    }
    if (health != null) {
      health.close();
    }
    calls.close();
    draServer.close();
    stopThreads();
  }

  private void stopThreads() {
    if (health != null) {
      health.close();
    }
    calls.close();
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(4, TimeUnit.SECONDS);
  }
}
