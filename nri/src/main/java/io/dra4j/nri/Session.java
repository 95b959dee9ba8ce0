package io.dra4j.nri;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dra4j.nri.ttrpc.ProtocolException;
import io.dra4j.nri.ttrpc.StatusCode;
import io.dra4j.nri.ttrpc.TtrpcConnection;
import io.dra4j.nri.wire.WireConfigure;
import io.dra4j.nri.wire.WireConfigured;
import io.dra4j.nri.wire.WireContainer;
import io.dra4j.nri.wire.WireContainerCreated;
import io.dra4j.nri.wire.WireCreateContainer;
import io.dra4j.nri.wire.WirePod;
import io.dra4j.nri.wire.WirePodEvent;
import io.dra4j.nri.wire.WireRegister;
import io.dra4j.nri.wire.WireStateChange;
import io.dra4j.nri.wire.WireSynchronize;
import io.dra4j.nri.wire.WireSynchronized;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The plugin service on a connection: turns calls into tasks for pools, answers each in time. */
final class Session implements TtrpcConnection.Receiver {
  static final String PLUGIN = "nri.pkg.api.v1alpha1.Plugin";
  static final String RUNTIME = "nri.pkg.api.v1alpha1.Runtime";

  /** The maximum size of all chunks of a synchronization, in bytes. */
  static final long MAX_SYNCHRONIZE = 64L << 20;

  /**
   * The maximum number of pods and containers in all chunks: small messages become large objects.
   */
  static final int MAX_OBJECTS = 100_000;

  /** The threads of a plugin; they outlive its connections. */
  record Threads(
      FairPool control,
      FairPool handlers,
      ScheduledExecutorService deadlines,
      ScheduledExecutorService watchdog) {}

  private final NriHandler handler;
  private final Threads threads;
  private final Runnable onSynchronized;
  private final List<WirePod> pods = new ArrayList<>();
  private final List<WireContainer> containers = new ArrayList<>();
  private long collected;
  private volatile Duration requestTimeout = Duration.ofSeconds(2);

  Session(NriHandler handler, Threads threads, Runnable onSynchronized) {
    this.handler = handler;
    this.threads = threads;
    this.onSynchronized = onSynchronized;
  }

  /** Registers the plugin; an error of the runtime ends the connection. */
  static void register(
      TtrpcConnection connection, String name, String index, Consumer<String> refused)
      throws IOException {
    ByteString message =
        WireRegister.newBuilder().setPluginName(name).setPluginIndex(index).build().toByteString();
    var unused =
        connection
            .call(RUNTIME, "RegisterPlugin", message, Duration.ofSeconds(5))
            .whenComplete(
                (answer, error) -> {
                  if (error != null) {
                    refused.accept(error.getMessage());
                  }
                });
  }

  @Override
  public void receive(TtrpcConnection.Call call) throws IOException {
    if (!call.service().equals(PLUGIN)) {
      call.fail(StatusCode.UNIMPLEMENTED, "unknown service " + call.service());
      return;
    }
    try {
      dispatch(call);
    } catch (InvalidProtocolBufferException e) {
      call.fail(
          StatusCode.INVALID_ARGUMENT,
          "the message of " + call.method() + " cannot be read: " + e.getMessage());
    }
  }

  private void dispatch(TtrpcConnection.Call call) throws IOException {
    switch (call.method()) {
      case "Configure" -> configure(call, WireConfigure.parseFrom(call.payload()));
      case "Synchronize" -> synchronize(call, WireSynchronize.parseFrom(call.payload()));
      case "RunPodSandbox" ->
          podEvent(call, NriEvent.RUN_POD_SANDBOX, WirePodEvent.parseFrom(call.payload()).getPod());
      case "StopPodSandbox" ->
          podEvent(
              call, NriEvent.STOP_POD_SANDBOX, WirePodEvent.parseFrom(call.payload()).getPod());
      case "RemovePodSandbox" ->
          podEvent(
              call, NriEvent.REMOVE_POD_SANDBOX, WirePodEvent.parseFrom(call.payload()).getPod());
      case "CreateContainer" -> create(call, WireCreateContainer.parseFrom(call.payload()));
      case "StateChange" -> stateChange(call, WireStateChange.parseFrom(call.payload()));
      case "Shutdown",
          "UpdatePodSandbox",
          "PostUpdatePodSandbox",
          "PostCreateContainer",
          "StartContainer",
          "PostStartContainer",
          "UpdateContainer",
          "PostUpdateContainer",
          "StopContainer",
          "RemoveContainer",
          "ValidateContainerAdjustment" ->
          call.succeed(
              ByteString.EMPTY); // All answers without content; an empty validation accepts.
      default -> call.fail(StatusCode.UNIMPLEMENTED, "unknown method " + call.method());
    }
  }

  private void configure(TtrpcConnection.Call call, WireConfigure message) {
    NriRuntime runtime = Wire.runtime(message);
    requestTimeout = runtime.requestTimeout();
    submit(
        call,
        threads.control(),
        "",
        false,
        () -> {
          handler.configure(runtime);
          return WireConfigured.newBuilder()
              .setEvents(NriEvent.mask(handler.events()))
              .build()
              .toByteString();
        });
  }

  private void synchronize(TtrpcConnection.Call call, WireSynchronize message)
      throws ProtocolException {
    collect(call.payload().size(), message);
    if (message.getMore()) {
      call.succeed(WireSynchronized.newBuilder().setMore(true).build().toByteString());
      return;
    }
    List<PodSandbox> allPods = pods.stream().map(Wire::pod).toList();
    List<NriContainer> allContainers = containers.stream().map(Wire::container).toList();
    pods.clear();
    containers.clear();
    collected = 0;
    submit(
        call,
        threads.control(),
        "",
        false,
        () -> {
          WireSynchronized.Builder answer = WireSynchronized.newBuilder();
          handler
              .synchronize(allPods, allContainers)
              .forEach(update -> answer.addUpdates(Wire.update(update)));
          if (!call.answered()) {
            onSynchronized.run();
          }
          return answer.build().toByteString();
        });
  }

  /** Adds a chunk of the runtime's state. */
  private void collect(int size, WireSynchronize message) throws ProtocolException {
    collected += size;
    if (collected > MAX_SYNCHRONIZE) {
      throw new ProtocolException(
          "Synchronize: expected at most %d bytes in all chunks, found %d"
              .formatted(MAX_SYNCHRONIZE, collected));
    }
    int objects =
        pods.size() + containers.size() + message.getPodsCount() + message.getContainersCount();
    if (objects > MAX_OBJECTS) {
      throw new ProtocolException(
          "Synchronize: expected at most %d pods and containers in all chunks, found %d"
              .formatted(MAX_OBJECTS, objects));
    }
    pods.addAll(message.getPodsList());
    containers.addAll(message.getContainersList());
  }

  /** Handles events in the form of containerd 1.7 and 2.1. */
  private void stateChange(TtrpcConnection.Call call, WireStateChange message) {
    for (NriEvent event : NriEvent.values()) {
      if (event.number() == message.getEvent() && event != NriEvent.CREATE_CONTAINER) {
        podEvent(call, event, message.getPod());
        return;
      }
    }
    call.succeed(ByteString.EMPTY);
  }

  private void podEvent(TtrpcConnection.Call call, NriEvent event, WirePod message) {
    if (message.getId().isEmpty()) {
      call.fail(StatusCode.INVALID_ARGUMENT, call.method() + ": the pod sandbox has no ID");
      return;
    }
    PodSandbox pod = Wire.pod(message);
    submit(
        call,
        threads.handlers(),
        pod.id(),
        event != NriEvent.RUN_POD_SANDBOX,
        () -> {
          switch (event) {
            case RUN_POD_SANDBOX -> handler.runPodSandbox(pod);
            case STOP_POD_SANDBOX -> handler.stopPodSandbox(pod);
            case REMOVE_POD_SANDBOX -> handler.removePodSandbox(pod);
            case CREATE_CONTAINER -> throw new IllegalStateException("not an event of a pod");
          }
          return ByteString.EMPTY;
        });
  }

  private void create(TtrpcConnection.Call call, WireCreateContainer message) {
    PodSandbox pod = Wire.pod(message.getPod());
    NriContainer container = Wire.container(message.getContainer());
    submit(
        call,
        threads.handlers(),
        pod.id(),
        false,
        () ->
            WireContainerCreated.newBuilder()
                .setAdjustment(Wire.adjustment(handler.createContainer(pod, container)))
                .build()
                .toByteString());
  }

  /**
   * Runs work for a call, always or only if not answered in the queue. The answer is sent within
   * 3/4 of the runtime's time; after all of it, the runtime closes the connection and lets the pod
   * start.
   */
  private void submit(
      TtrpcConnection.Call call,
      FairPool pool,
      String key,
      boolean always,
      Callable<ByteString> work) {
    long nanos = requestTimeout.toNanos();
    if (call.timeoutNanos() > 0) {
      nanos = Math.min(nanos, call.timeoutNanos());
    }
    long limit = nanos / 4 * 3;
    Future<?> deadline;
    try {
      deadline =
          threads
              .deadlines()
              .schedule(
                  () ->
                      call.fail(
                          StatusCode.ABORTED,
                          "%s has not finished after %d ms"
                              .formatted(call.method(), TimeUnit.NANOSECONDS.toMillis(limit))),
                  limit,
                  TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      call.fail(StatusCode.ABORTED, "the plugin is closed");
      return;
    }
    boolean queued =
        pool.submit(
            key,
            () -> {
              if (always || !call.answered()) {
                run(call, work);
              }
              deadline.cancel(false);
            });
    if (!queued) {
      deadline.cancel(false);
      call.fail(
          StatusCode.RESOURCE_EXHAUSTED,
          call.method() + " is rejected: too many calls are queued, or the plugin is closed");
    }
  }

  /**
   * Runs work. Any error of a handler becomes the answer: without an answer the pod would start.
   */
  private static void run(TtrpcConnection.Call call, Callable<ByteString> work) {
    try {
      ByteString answer = work.call();
      Thread.interrupted(); // A write by an interrupted thread would close the socket.
      call.succeed(answer);
    } catch (Throwable e) {
      Thread.interrupted();
      String text = e.getMessage();
      call.fail(StatusCode.UNKNOWN, text == null || text.isBlank() ? e.toString() : text);
    }
  }
}
