package io.dra4j.node;

import static io.dra4j.node.NodeCluster.await;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A program of the real node or of its API server, which can be killed, stopped and started. */
final class NodeProgram {

  private final String name;
  private final List<String> command;
  private final List<String> environment;
  private ProcessHandle process;

  private NodeProgram(String name, ProcessHandle process) throws IOException {
    this.name = name;
    this.process = process;
    this.command = command(process);
    this.environment = read(process, "environ");
  }

  /** Finds {@code kubelet}, {@code containerd} or {@code apiserver}. */
  static NodeProgram find(String name) throws IOException {
    return new NodeProgram(name, running(name).orElseThrow());
  }

  private static Optional<ProcessHandle> running(String name) {
    return ProcessHandle.allProcesses().filter(one -> isProgram(command(one), name)).findFirst();
  }

  /** Kills the program, and starts it again as it was started. */
  void restart() throws Exception {
    kill();
    start();
  }

  void kill() throws Exception {
    ProcessHandle old = process;
    old.destroyForcibly();
    await(name + " has ended", () -> !old.isAlive());
  }

  /** Starts the program again; the stack itself does so with an API server that is killed. */
  void start() throws Exception {
    if (name.equals("apiserver")) {
      await("the API server is started again", () -> running(name).isPresent());
      process = running(name).orElseThrow();
      return;
    }
    File log = new File(System.getenv("KUBESTACK_LOGS"), name + ".log");
    ProcessBuilder next =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    next.environment().clear();
    environment.forEach(
        one -> {
          int equals = one.indexOf('=');
          if (equals > 0) {
            next.environment().put(one.substring(0, equals), one.substring(equals + 1));
          }
        });
    Process started = next.start();
    process = started.toHandle();
    // The stack knows the first process only, and would wait for one that outlives the tests.
    Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
  }

  /** Stops the program: its connections stay, and nothing answers. */
  void hang() throws Exception {
    NodeCluster.run("kill", "-STOP", String.valueOf(process.pid()));
  }

  void resume() throws Exception {
    NodeCluster.run("kill", "-CONT", String.valueOf(process.pid()));
  }

  private static boolean isProgram(List<String> command, String program) {
    return command.size() > 1
        && (command.get(0).endsWith("/" + program)
            || command.get(0).equals(program)
            || (command.get(0).endsWith("kubestack") && command.get(1).equals(program)));
  }

  static List<String> command(ProcessHandle process) {
    try {
      return read(process, "cmdline");
    } catch (IOException e) {
      return List.of(); // it has ended
    }
  }

  @SuppressWarnings("StringSplitter") // no word is dropped but empty ones at the end
  private static List<String> read(ProcessHandle process, String file) throws IOException {
    String text =
        new String(
            Files.readAllBytes(Path.of("/proc/" + process.pid(), file)), StandardCharsets.UTF_8);
    return List.of(text.split("\0", 0));
  }
}
