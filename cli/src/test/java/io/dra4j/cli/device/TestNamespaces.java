package io.dra4j.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.linux.NetworkNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Network namespaces that stand for hosts and pods, and programs that run in them. */
final class TestNamespaces implements AutoCloseable {

  private final List<NetworkNamespace> open = new ArrayList<>();

  /** Whether this process may make them: as root, or below {@code unshare -Urn}. */
  static boolean canMake() {
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      return namespace.descriptor().isOpen();
    } catch (IOException e) {
      return false;
    }
  }

  NetworkNamespace make() throws IOException {
    NetworkNamespace namespace = NetworkNamespace.create();
    open.add(namespace);
    return namespace;
  }

  /** Where other processes find a namespace, as long as this one lives. */
  static String path(NetworkNamespace namespace) {
    return "/proc/%d/fd/%d"
        .formatted(ProcessHandle.current().pid(), namespace.descriptor().number());
  }

  /** The command line that runs a command in a namespace. */
  static List<String> inside(NetworkNamespace namespace, List<String> command) {
    List<String> line = new ArrayList<>(List.of("nsenter", "--net=" + path(namespace)));
    line.addAll(command);
    return line;
  }

  /** Runs a command, which must succeed, and gives what it prints. */
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
