package io.dra4j.nri;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Writes calls down; a pod can be held, or refused. */
final class Recorder implements NriHandler {
  final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
  final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
  final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
  volatile List<PodSandbox> pods = List.of();
  volatile List<NriContainer> containers = List.of();
  volatile ContainerAdjustment adjustment = ContainerAdjustment.NONE;
  volatile String refusal = "";
  volatile List<ContainerUpdate> updates = List.of();

  CountDownLatch hold(String pod) {
    CountDownLatch latch = new CountDownLatch(1);
    held.put(pod, latch);
    return latch;
  }

  private void note(String call, String pod) throws IOException, InterruptedException {
    CountDownLatch latch = held.get(pod);
    if (latch != null && !latch.await(30, TimeUnit.SECONDS)) {
      throw new IOException("held for 30 s");
    }
    calls.add(call + " " + pod);
    if (pod.equals("interrupts")) {
      Thread.currentThread().interrupt();
    }
    if (pod.equals("asserts")) {
      throw new AssertionError("a bug");
    }
    if (!refusal.isEmpty()) {
      throw new IOException(refusal);
    }
  }

  /** The next call; waits for it. */
  String next() throws InterruptedException {
    String call = calls.poll(30, TimeUnit.SECONDS);
    return call == null ? "none" : call;
  }

  /** The next reason for which a connection ended; waits for it. */
  String nextEnd() throws InterruptedException {
    String end = ends.poll(30, TimeUnit.SECONDS);
    return end == null ? "none" : end;
  }

  @Override
  public void configure(NriRuntime runtime) {
    calls.add("configure " + runtime.name() + " " + runtime.config());
  }

  @Override
  public List<ContainerUpdate> synchronize(List<PodSandbox> all, List<NriContainer> running) {
    pods = all;
    containers = running;
    calls.add("synchronize " + all.size() + " " + running.size());
    return updates;
  }

  @Override
  public void runPodSandbox(PodSandbox pod) throws Exception {
    note("run", pod.id());
  }

  @Override
  public void stopPodSandbox(PodSandbox pod) throws Exception {
    note("stop", pod.id());
  }

  @Override
  public void removePodSandbox(PodSandbox pod) throws Exception {
    note("remove", pod.id());
  }

  @Override
  public ContainerAdjustment createContainer(PodSandbox pod, NriContainer container)
      throws Exception {
    note("create " + container.name(), pod.id());
    return adjustment;
  }

  @Override
  public void disconnected(String reason, Duration retryAfter) {
    ends.add(reason);
  }
}
