package io.dra4j.kubelet;

import io.dra4j.kubelet.wire.DeviceHealthMessage;
import io.dra4j.kubelet.wire.DeviceIdentifier;
import io.dra4j.kubelet.wire.HealthStatus;
import io.dra4j.kubelet.wire.WatchResponse;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the health of all devices to the kubelets that watch, at regular intervals. */
final class HealthStreams implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HealthStreams.class);

  private final String driver;
  private final HealthSource source;
  private final Set<ServerCallStreamObserver<WatchResponse>> streams =
      ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService thread;

  @SuppressWarnings("FutureReturnValueIgnored") // send() reports what fails
  HealthStreams(String driver, HealthSource source, Duration interval) {
    this.driver = driver;
    this.source = source;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            work -> ClaimCalls.daemon(work, "dra4j-health-" + driver));
    long nanos = interval.toNanos();
    thread.scheduleWithFixedDelay(this::send, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  void add(ServerCallStreamObserver<WatchResponse> stream) {
    stream.setOnCancelHandler(() -> streams.remove(stream));
    streams.add(stream);
    sendSoon();
  }

  void sendSoon() {
    try {
      thread.execute(this::send);
    } catch (RejectedExecutionException e) {
      LOG.atDebug().log("driver {} is stopping: its health is not sent", driver);
    }
  }

  /** Runs on a single thread, so that a stream has one writer at a time. */
  @SuppressWarnings("CatchingUnchecked") // an error of a driver; the next call may succeed
  private void send() {
    if (streams.isEmpty()) {
      return;
    }
    WatchResponse response;
    try {
      response = read();
    } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      LOG.atWarn()
          .setCause(e)
          .log(
              "driver {}: cannot read the health of the devices; the kubelet will soon report"
                  + " it as unknown",
              driver);
      return;
    }
    for (ServerCallStreamObserver<WatchResponse> stream : List.copyOf(streams)) {
      try {
        if (stream.isCancelled()) {
          streams.remove(stream);
        } else if (stream.isReady()) { // a slow reader gets the next report, which has all devices
          stream.onNext(response);
        }
      } catch (StatusRuntimeException | IllegalStateException e) {
        LOG.atDebug().setCause(e).log("driver {}: a watcher of health has disconnected", driver);
        streams.remove(stream);
      }
    }
  }

  private WatchResponse read() throws Exception {
    long now = Clock.systemUTC().instant().getEpochSecond();
    WatchResponse.Builder response = WatchResponse.newBuilder();
    for (DeviceHealth health : source.read()) {
      response.addDevices(
          DeviceHealthMessage.newBuilder()
              .setDevice(
                  DeviceIdentifier.newBuilder()
                      .setPoolName(health.pool())
                      .setDeviceName(health.device()))
              .setHealth(
                  switch (health.status()) {
                    case UNKNOWN -> HealthStatus.UNKNOWN;
                    case HEALTHY -> HealthStatus.HEALTHY;
                    case UNHEALTHY -> HealthStatus.UNHEALTHY;
                  })
              .setLastUpdatedTime(now)
              .setHealthCheckTimeoutSeconds(health.timeout().toSeconds())
              .setMessage(health.message()));
    }
    return response.build();
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(2, TimeUnit.SECONDS)) {
        LOG.atWarn().log("driver {}: reading the health has not ended after an interrupt", driver);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (ServerCallStreamObserver<WatchResponse> stream : streams) {
      try {
        stream.onCompleted();
      } catch (StatusRuntimeException | IllegalStateException e) {
        LOG.atDebug().setCause(e).log("driver {}: a watcher of health has disconnected", driver);
      }
    }
    streams.clear();
  }
}
