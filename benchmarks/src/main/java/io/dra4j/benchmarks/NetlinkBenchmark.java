package io.dra4j.benchmarks;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Reading the links of the network namespace that it runs in; {@code benchmarks/netlink} makes one.
 * Single calls are timed, because the programs that it is compared with print their fastest call.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NetlinkBenchmark {

  /** The link that is read alone. */
  @Param("lo")
  public String link = "lo";

  private @Nullable RouteNetlink route;
  private @Nullable NetworkNamespace other;
  private Path otherPath = Path.of("");

  /**
   * Opens a socket, and makes a namespace to enter.
   *
   * @throws IOException if the kernel refuses
   */
  @Setup
  public void open() throws IOException {
    route = RouteNetlink.open();
    NetworkNamespace made = NetworkNamespace.create();
    other = made;
    otherPath = Path.of("/proc/self/fd/" + made.descriptor().number());
  }

  /** Closes both. */
  @TearDown
  public void close() {
    route().close();
    if (other != null) {
      other.close();
    }
  }

  private RouteNetlink route() {
    if (route == null) {
      throw new IllegalStateException("not set up");
    }
    return route;
  }

  /**
   * All links with kinds, virtual functions and statistics.
   *
   * @return the links
   * @throws NetlinkException if the kernel refuses
   */
  @Benchmark
  public List<Link> full() throws NetlinkException {
    return route().links().list();
  }

  /**
   * All links without virtual functions and statistics.
   *
   * @return the links
   * @throws NetlinkException if the kernel refuses
   */
  @Benchmark
  public List<Link> lean() throws NetlinkException {
    return route().links().list(LinkQuery.lean());
  }

  /**
   * One link.
   *
   * @return the link
   * @throws NetlinkException if the kernel refuses
   */
  @Benchmark
  public Link byName() throws NetlinkException {
    return route().links().get(link);
  }

  /**
   * Opens a namespace, enters it on a thread of its own, opens a socket there and closes all.
   *
   * @return the socket, closed
   * @throws IOException if the kernel refuses
   */
  @Benchmark
  public RouteNetlink namespaceRoundTrip() throws IOException {
    try (NetworkNamespace namespace = NetworkNamespace.open(otherPath);
        RouteNetlink inside = RouteNetlink.open(namespace)) {
      return inside;
    }
  }
}
