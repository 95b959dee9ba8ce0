package io.dra4j.dranet.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.linux.NetworkNamespace;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A network namespace, and iproute2 in it. */
public final class TestHost implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Values that change without a command: numbers, counters, carrier. */
  private static final List<String> CHANGING =
      List.of("ifindex", "link_index", "operstate", "stats64", "promiscuity", "allmulti");

  private static final Set<String> CARRIER = Set.of("LOWER_UP", "NO-CARRIER", "linkdown", "dead");

  private final NetworkNamespace namespace;

  public TestHost() throws IOException {
    namespace = NetworkNamespace.create();
  }

  private static boolean isInstalled(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  /**
   * Whether this process may make network namespaces, as root or below {@code unshare -Urn}, these
   * have IPv6, and iproute2 can look into them.
   */
  public static boolean canMakeNamespaces() {
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      return namespace.descriptor().isOpen()
          && Files.exists(Path.of("/proc/sys/net/ipv6"))
          && isInstalled("nsenter")
          && isInstalled("ip");
    } catch (IOException e) {
      return false;
    }
  }

  public NetworkNamespace namespace() {
    return namespace;
  }

  /** Runs lines of {@code ip}, all of which must succeed. */
  public void ip(String... lines) throws IOException {
    run(String.join("\n", lines), List.of("ip", "-force", "-batch", "-"));
  }

  /** What a command prints as JSON. */
  public JsonNode json(String command) throws IOException {
    String output = run(command);
    return JSON.readTree(output.isBlank() ? "[]" : output);
  }

  /**
   * Runs a command, which must succeed, and returns its output. Skips the test if the command is
   * not installed.
   */
  public String run(String command) throws IOException {
    return runWords(command.split(" "));
  }

  /** As {@link #run}, of a command whose words may have spaces. */
  public String runWords(String... command) throws IOException {
    return run("", List.of(command));
  }

  /**
   * Runs a command like {@link #run}, without the carrier flags of routes, which appear some time
   * after up.
   */
  public String routes(String command) throws IOException {
    return run(command).replace(" linkdown", "");
  }

  /** From outside, so that no thread of this process stays in the namespace. */
  private String run(String input, List<String> command) throws IOException {
    assumeTrue(isInstalled(command.get(0)), "needs the program " + command.get(0));
    List<String> line = new ArrayList<>();
    line.add("nsenter");
    line.add(
        "--net=/proc/%d/fd/%d"
            .formatted(ProcessHandle.current().pid(), namespace.descriptor().number()));
    line.addAll(command);
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

  /** Returns the output of {@code ip} about a link and its settings, one line each. */
  public List<String> seen(String name) throws IOException {
    List<String> seen = new ArrayList<>();
    ObjectNode link = (ObjectNode) json("ip -j addr show dev " + name).get(0);
    link.remove(CHANGING);
    forgetCarrier(link);
    for (JsonNode one : link.remove("addr_info")) {
      ObjectNode address = (ObjectNode) one;
      address.remove("tentative");
      if (!address.get("local").asText().startsWith("fe80:")) { // comes some time after up
        seen.add(address.toString());
      }
    }
    seen.add(0, link.toString());
    for (String command :
        List.of(
            "ip -d -j -4 route show table all dev " + name,
            "ip -d -j -6 route show table all dev " + name,
            "ip -d -j rule show",
            "ip -d -j -6 rule show",
            "ip -d -j neigh show nud permanent dev " + name)) {
      for (JsonNode one : json(command)) {
        ObjectNode object = (ObjectNode) one;
        object.remove("expires");
        forgetCarrier(object);
        String destination = object.path("dst").asText();
        if (command.contains("-6 route") && object.path("type").asText().equals("local")) {
          continue; // of an address; the kernel adds it some time after the address
        }
        if (!destination.startsWith("fe80:") && !destination.startsWith("ff00:")) {
          seen.add(command.substring(9) + ": " + object);
        }
      }
    }
    return seen;
  }

  /** The kernel updates the carrier of links and routes some time after the link is up. */
  private static void forgetCarrier(ObjectNode object) {
    Set<String> flags = new TreeSet<>();
    object.path("flags").forEach(flag -> flags.add(flag.asText()));
    flags.removeAll(CARRIER);
    object.put("flags", flags.toString());
  }

  @Override
  public void close() {
    namespace.close();
  }
}
