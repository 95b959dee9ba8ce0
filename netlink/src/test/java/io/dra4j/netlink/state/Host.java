package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.linux.LinkSysctls;
import io.dra4j.linux.NativeAccess;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.linux.Privileges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** A network namespace, and iproute2 in it. */
final class Host implements AutoCloseable {

  static final String MAY = "io.dra4j.linux.Privileges#canMakeNamespaces";

  /** Which member of a bond is in use, and what the bond has found out about it. */
  private static final Set<String> OF_THE_BOND =
      Set.of("state", "mii_status", "link_failure_count");

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What changes by itself: numbers, counters, carrier. */
  private static final List<String> CHANGING =
      List.of("ifindex", "link_index", "operstate", "stats64", "promiscuity", "allmulti");

  private static final Pattern TIMERS = Pattern.compile("\"[a-z_]+_timer\":[0-9.]+");

  /** Where a stored state has the time: behind the index of a link. */
  private static final Pattern LINK = Pattern.compile("(\n(?:link|upper) \\d+ )(\\d+) ");

  private static final Set<String> CARRIER = Set.of("LOWER_UP", "NO-CARRIER");

  private static final Set<String> STATES = Set.of("linkdown", "dead");

  private static final Set<String> OF_THIS_HOST =
      Set.of("local", "broadcast", "anycast", "multicast");

  final NetworkNamespace namespace;

  Host() throws IOException {
    this(NetworkNamespace.create());
  }

  Host(NativeAccess access) throws IOException {
    this(NetworkNamespace.create(access));
  }

  Host(NetworkNamespace namespace) {
    this.namespace = namespace;
  }

  /** Makes a pair of links that are up, NAME and pNAME, without addresses of the kernel's. */
  void pair(String name) throws IOException {
    ip("link add " + name + " type veth peer name p" + name);
    for (String one : List.of(name, "p" + name)) {
      LinkSysctls.of(namespace, one).set("ipv6/conf/addr_gen_mode", "1");
    }
    ip("link set p" + name + " up", "link set " + name + " up");
  }

  /** The state of a link of it, through its text. */
  LinkState captured(String name) throws IOException {
    return LinkState.parse(LinkState.capture(namespace, name).toText());
  }

  /** The state of a link of it and of those on it, captured that much earlier. */
  LinkState captured(String name, long secondsAgo) throws IOException {
    String text = LinkState.capture(namespace, name).toText();
    String earlier =
        LINK.matcher(text)
            .replaceAll(line -> line.group(1) + (Long.parseLong(line.group(2)) - secondsAgo) + " ");
    return LinkState.parse(Scenario.sealed(earlier));
  }

  /** What a restoration leaves of a link, which a second one leaves, too. */
  List<String> left(LinkState before, String name) throws IOException {
    List<String> left = new ArrayList<>();
    before.restore(namespace, name).left().forEach(one -> left.add(one.toString()));
    assertThat(before.restore(namespace, name).left()).hasSameSizeAs(left);
    return left;
  }

  /** Runs lines of {@code ip}, all of which must succeed. */
  void ip(String... lines) throws IOException {
    run(String.join("\n", lines), "ip", "-force", "-batch", "-");
  }

  /** What a command prints as JSON. */
  JsonNode json(String command) throws IOException {
    String output = run("", command.split(" "));
    return JSON.readTree(output.isBlank() ? "[]" : output);
  }

  /**
   * Runs a command, which must succeed, and gives what it prints. Without it the test is skipped.
   */
  String run(String command) throws IOException {
    return run("", command.split(" "));
  }

  /** From outside, so that no thread of this process stays in the namespace. */
  private String run(String input, String... command) throws IOException {
    Privileges.assumeInstalled("nsenter");
    Privileges.assumeInstalled(command[0]);
    List<String> line = new ArrayList<>();
    String descriptor = "/proc/%d/fd/%d";
    line.add("nsenter");
    line.add(
        "--net="
            + descriptor.formatted(ProcessHandle.current().pid(), namespace.descriptor().number()));
    line.addAll(List.of(command));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      assertThat(process.waitFor()).as("%s: %s", line, output).isZero();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return output;
  }

  /** All that {@code ip} says of a link and what belongs to it, one line each. */
  List<String> seen(String name) throws IOException {
    List<String> seen = new ArrayList<>();
    ObjectNode link = (ObjectNode) json("ip -d -j addr show dev " + name).get(0);
    link.remove(CHANGING);
    JsonNode info = link.path("linkinfo");
    if (info.path("info_slave_kind").asText().equals("bond")) {
      ((ObjectNode) info.get("info_slave_data")).remove(OF_THE_BOND);
    }
    Set<String> flags = new TreeSet<>();
    link.get("flags").forEach(flag -> flags.add(flag.asText()));
    flags.removeAll(CARRIER);
    link.put("flags", flags.toString());
    JsonNode addresses = link.remove("addr_info");
    for (JsonNode one : addresses) {
      ObjectNode address = (ObjectNode) one;
      if (address.get("valid_life_time").asLong() < 0xffff_ffffL) {
        address.remove(List.of("valid_life_time", "preferred_life_time"));
      }
      address.remove("tentative");
      if (!address.get("local").asText().startsWith("fe80:")) { // comes some time after up
        seen.add(address.toString());
      }
    }
    seen.add(0, TIMERS.matcher(link.toString()).replaceAll("\"timer\":0"));
    for (String command :
        List.of(
            "ip -d -j -4 route show table all dev " + name,
            "ip -d -j -6 route show table all dev " + name,
            "ip -d -j nexthop show",
            "ip -d -j rule show",
            "ip -d -j -6 rule show",
            "ip -d -j neigh show nud permanent dev " + name,
            "ip -d -j neigh show proxy dev " + name)) {
      for (JsonNode one : json(command)) {
        ObjectNode object = (ObjectNode) one;
        object.remove("expires");
        String destination = object.path("dst").asText();
        if (!isOfAnAddress(object)
            && !destination.startsWith("fe80:")
            && !destination.startsWith("ff00:")) {
          STATES.forEach(state -> withoutState(object, state));
          seen.add(command.substring(9) + ": " + object);
        }
      }
    }
    return seen;
  }

  /** The routes that a command prints, but for what they say of the carrier. */
  List<String> routes(String command) throws IOException {
    List<String> routes = new ArrayList<>();
    for (JsonNode route : json(command)) {
      STATES.forEach(state -> withoutState(route, state));
      routes.add(route.toString());
    }
    return routes;
  }

  /** The kernel makes these some time after the address, even if nobody looks for duplicates. */
  private static boolean isOfAnAddress(JsonNode route) {
    boolean isOfThisHost = OF_THIS_HOST.contains(route.path("type").asText());
    return route.path("protocol").asText().equals("kernel")
        && (route.path("table").asText().equals("local") || isOfThisHost);
  }

  /** What a route or one of its ways says of the carrier comes and goes with that. */
  private static void withoutState(JsonNode route, String state) {
    if (route.path("flags") instanceof ArrayNode flags) {
      flags.removeIf(flag -> flag.asText().equals(state));
    }
    route.path("nexthops").forEach(hop -> withoutState(hop, state));
  }

  @Override
  public void close() {
    namespace.close();
  }
}
