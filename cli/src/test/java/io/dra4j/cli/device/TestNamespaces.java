package io.dra4j.cli.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.linux.NetworkNamespace;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Network namespaces that stand for hosts and pods, and programs that run in them. */
final class TestNamespaces implements AutoCloseable {

  private final List<NetworkNamespace> open = new ArrayList<>();

  /** Whether this process may make them, as root or below {@code unshare -Urn}, with IPv6. */
  static boolean canMake() {
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      return Files.exists(Path.of("/proc/sys/net/ipv6")) && namespace.descriptor().isOpen();
    } catch (IOException e) {
      return false;
    }
  }

  NetworkNamespace make() throws IOException {
    NetworkNamespace namespace = NetworkNamespace.create();
    open.add(namespace);
    return namespace;
  }

  /** Skips the test if a required program is not installed. */
  private static void assumeInstalled(String program) {
    boolean there =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    assumeTrue(there, "needs the program " + program);
  }

  /** Returns the path of a namespace for other processes, valid while this process runs. */
  static String path(NetworkNamespace namespace) {
    return "/proc/%d/fd/%d"
        .formatted(ProcessHandle.current().pid(), namespace.descriptor().number());
  }

  /** The command line that runs a command in a namespace. Without it the test is skipped. */
  static List<String> inside(NetworkNamespace namespace, List<String> command) {
    assumeInstalled("nsenter");
    if (!command.get(0).contains("/")) {
      assumeInstalled(command.get(0));
    }
    List<String> line = new ArrayList<>(List.of("nsenter", "--net=" + path(namespace)));
    line.addAll(command);
    return line;
  }

  /** Runs a command, which must succeed, and returns its output. */
  static String run(NetworkNamespace namespace, String command) throws Exception {
    List<String> line = inside(namespace, List.of(command.split(" ", -1)));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", line, output).isZero();
    return output;
  }

  /** The command line of a Java program with the class path of this one. */
  static List<String> java(String mainClass) {
    return List.of(
        ProcessHandle.current().info().command().orElse("java"),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        mainClass);
  }

  @Override
  public void close() {
    open.forEach(NetworkNamespace::close);
  }
}
