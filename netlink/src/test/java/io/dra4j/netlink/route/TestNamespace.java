package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.linux.Privileges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A network namespace, empty at first, our view of it and that of iproute2. */
final class TestNamespace implements AutoCloseable {

  static final String MAY = "io.dra4j.linux.Privileges#canMakeNamespaces";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Links that the kernel makes in every namespace once it has loaded what tunnels need. */
  private static final Set<String> FALLBACKS =
      Set.of(
          "tunl0",
          "gre0",
          "gretap0",
          "erspan0",
          "sit0",
          "ip_vti0",
          "ip6tnl0",
          "ip6gre0",
          "ip6_vti0");

  final NetworkNamespace namespace;
  final RouteNetlink route;

  TestNamespace() throws IOException {
    this(NetworkNamespace.create());
  }

  private TestNamespace(NetworkNamespace namespace) throws IOException {
    this.namespace = namespace;
    this.route = RouteNetlink.open(namespace);
  }

  /** That of this process, which is neither empty nor ends with the test. */
  static TestNamespace current() throws IOException {
    return new TestNamespace(NetworkNamespace.current());
  }

  /**
   * Runs a command inside, which must succeed; gives its output. Without it the test is skipped.
   */
  String run(String... command) throws IOException {
    List<String> line = new ArrayList<>();
    for (String part : command) {
      line.addAll(List.of(part.split(" ")));
    }
    Privileges.assumeInstalled(line.get(0));
    return namespace.call(
        () -> {
          Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
          process.getOutputStream().close();
          String output =
              new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
          assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
          assertThat(process.exitValue()).as("%s: %s", line, output).isZero();
          return output;
        });
  }

  /** What {@code ip -d -j} prints. */
  JsonNode ip(String arguments) throws IOException {
    return json("ip -d -s -j " + arguments);
  }

  /** What a command prints as JSON. */
  JsonNode json(String command) throws IOException {
    String output = run(command);
    return JSON.readTree(output.isBlank() ? "[]" : output);
  }

  /** What it prints about one link. */
  JsonNode ipLink(String name) throws IOException {
    return ip("link show dev " + name).get(0);
  }

  /** Links without those that come with tunnels. */
  static List<Link> own(List<Link> links) {
    return links.stream().filter(link -> !FALLBACKS.contains(link.name())).toList();
  }

  /** Names without those of links that come with tunnels. */
  static List<String> ownNames(List<String> names) {
    return names.stream().filter(name -> !FALLBACKS.contains(name)).toList();
  }

  /** Makes a pair of links and gives the first. */
  Link veth(String name, String peer) throws IOException {
    route.links().create(NewLink.veth(name, peer));
    return route.links().get(name);
  }

  /** Waits until a link works and its routes know: the kernel tells them some time after. */
  void awaitCarrier(String name) throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!ipLink(name).get("operstate").asText().equals("UP")
        || json("ip -j route show table all dev " + name).toString().contains("linkdown")) {
      assertThat(System.nanoTime()).as("%s has no carrier", name).isLessThan(deadline);
      LockSupport.parkNanos(20_000_000);
    }
  }

  /** Whether the kernel has a kind of link. */
  boolean has(NewLink link) throws IOException {
    try {
      route.links().create(link);
      return true;
    } catch (io.dra4j.netlink.NetlinkException.Unsupported e) {
      return false;
    }
  }

  @Override
  public void close() {
    route.close();
    namespace.close();
  }
}
