package io.dra4j.benchmarks;

import io.dra4j.dranet.NetworkDriver;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.TopologyReaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures how long it takes until many pods that start at the same time have their links, each pod
 * a claim of several, beside {@code ip -batch} that takes the same steps for all pods at the same
 * time. Afterwards all links must be on the host again. In a network namespace of its own. Prints
 * one line of JSON.
 */
public final class PodsTime {

  private final NetworkNamespace host;
  private final List<NetworkNamespace> pods = new ArrayList<>();
  private final int links;
  private final Path directory;

  private PodsTime(NetworkNamespace host, int links, Path directory) {
    this.host = host;
    this.links = links;
    this.directory = directory;
  }

  private interface OfPod {
    void run(int pod) throws Exception;
  }

  /**
   * Runs the measurement.
   *
   * @param args how many pods, how many links each, how often, and a directory
   * @throws Exception if the kernel or the driver refuses, or a link is lost
   */
  public static void main(String[] args) throws Exception {
    if (args.length != 4) {
      throw new IllegalArgumentException("expected PODS LINKS RUNS DIRECTORY");
    }
    try (NetworkNamespace host = NetworkNamespace.current()) {
      PodsTime time = new PodsTime(host, Integer.parseInt(args[1]), Path.of(args[3]));
      try {
        time.measure(Integer.parseInt(args[0]), Integer.parseInt(args[2]));
      } finally {
        time.pods.forEach(NetworkNamespace::close);
      }
    }
  }

  private void measure(int count, int runs) throws Exception {
    StringBuilder make = new StringBuilder();
    for (int i = 0; i < count * links; i++) {
      make.append("link add nic%d type veth peer name other%d%n".formatted(i, i));
      make.append("link set other%d up%n".formatted(i));
    }
    DriverTime.ip(write("make", make.toString()), List.of());
    List<Path> away = new ArrayList<>();
    List<Path> inside = new ArrayList<>();
    List<Path> back = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      NetworkNamespace pod = NetworkNamespace.create();
      pods.add(pod);
      away.add(write("away-" + i, DriverTime.away(i * links, links, pod)));
      inside.add(write("inside-" + i, DriverTime.inside(i * links, links)));
      back.add(write("back-" + i, DriverTime.back(i * links, links, host)));
    }
    long[] prepare = new long[runs];
    long[] attach = new long[runs];
    long[] home = new long[runs];
    long[] batch = new long[runs];
    long[] batchHome = new long[runs];
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try (NetworkDriver driver =
            NetworkDriver.builder().namespace(host).filter((name, one) -> true).build();
        DriverRuntime runtime =
            DriverRuntime.builder()
                .driver(driver)
                .readers(TopologyReaders.of())
                .watchers(List.of())
                .store(directory.resolve("claims-pods-" + System.nanoTime()))
                .build()) {
      runtime.start();
      for (int run = -1; run < runs; run++) { // once to warm up
        int at = Math.max(run, 0);
        String prefix = "uid-" + run + "-";
        if (!runtime.rescan(Duration.ofMinutes(1))) { // ip has moved the links meanwhile
          throw new IllegalStateException("no discovery");
        }
        prepare[at] =
            all(
                threads,
                pod -> runtime.prepare(DriverTime.claim(pod * links, links, prefix + pod)));
        attach[at] = all(threads, pod -> runtime.attach(prefix + pod, sandbox(pod)));
        check("after attach", pod -> linksIn(pods.get(pod), "net") == links);
        home[at] = all(threads, pod -> runtime.detach(prefix + pod, sandbox(pod).id()));
        check("after detach", pod -> linksIn(host, "nic") == (long) count * links);
        all(threads, pod -> runtime.unprepare(prefix + pod));
        batch[at] =
            all(
                threads,
                pod -> {
                  DriverTime.ip(away.get(pod), List.of());
                  DriverTime.ip(inside.get(pod), enter(pod));
                });
        batchHome[at] = all(threads, pod -> DriverTime.ip(back.get(pod), enter(pod)));
      }
    } finally {
      threads.shutdownNow();
    }
    System.out.printf(
        Locale.ROOT,
        "{\"pods\":%d,\"links\":%d,\"prepareNanos\":%d,\"attachNanos\":%d,\"homeNanos\":%d,"
            + "\"ipBatchNanos\":%d,\"ipHomeNanos\":%d,\"lost\":0}%n",
        count,
        links,
        DriverTime.median(prepare),
        DriverTime.median(attach),
        DriverTime.median(home),
        DriverTime.median(batch),
        DriverTime.median(batchHome));
  }

  /** For all pods at the same time; gives the time until the last one is done. */
  private long all(ExecutorService threads, OfPod work) throws Exception {
    List<Callable<String>> calls = new ArrayList<>();
    for (int i = 0; i < pods.size(); i++) {
      int pod = i;
      calls.add(
          () -> {
            work.run(pod);
            return "";
          });
    }
    long from = System.nanoTime();
    for (Future<String> one : threads.invokeAll(calls)) {
      one.get();
    }
    return System.nanoTime() - from;
  }

  private interface Check {
    boolean isRight(int pod) throws IOException;
  }

  private void check(String when, Check check) throws IOException {
    for (int i = 0; i < pods.size(); i++) {
      if (!check.isRight(i)) {
        throw new IllegalStateException(when + ": a link of pod " + i + " is lost");
      }
    }
  }

  private static long linksIn(NetworkNamespace namespace, String prefix) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(namespace)) {
      return route.links().list().stream().filter(one -> one.name().startsWith(prefix)).count();
    }
  }

  private Sandbox sandbox(int pod) {
    return Sandbox.ofPod("sandbox-" + pod, "pod-" + pod)
        .pod("default", "pod-" + pod)
        .networkNamespace(Path.of(DriverTime.path(pods.get(pod))))
        .build();
  }

  private List<String> enter(int pod) {
    return List.of("nsenter", "--net=" + DriverTime.path(pods.get(pod)));
  }

  private Path write(String name, String lines) throws IOException {
    return Files.writeString(directory.resolve(name), lines);
  }
}
