package io.dra4j.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkNamespaceTest {

  private static final String MAY = "io.dra4j.linux.Privileges#canMakeNamespaces";

  private static String link(Path path) throws IOException {
    return Files.readSymbolicLink(path).toString();
  }

  @Test
  void theCurrentOneIsThatOfThisProcess() throws IOException {
    try (NetworkNamespace current = NetworkNamespace.current();
        NetworkNamespace own = NetworkNamespace.ofProcess(ProcessHandle.current().pid())) {
      assertThat(current.id()).isEqualTo(own.id());
      assertThat(current.id()).hasToString(link(Path.of("/proc/self/ns/net")));
    }
  }

  @Test
  void aPipeIsNoNamespaceAndNobodyWaitsForItsWriter(@TempDir Path directory) throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> NetworkNamespace.open(pipe))
        .withMessageContaining(pipe.toString());
  }

  @Test
  void anotherDescriptorOfTheSameHasTheSameIdentity() throws IOException {
    try (NetworkNamespace current = NetworkNamespace.current();
        NetworkNamespace again = NetworkNamespace.ofDescriptor(current.descriptor().number())) {
      assertThat(again.id()).isEqualTo(current.id());
      assertThat(again.descriptor().number()).isNotEqualTo(current.descriptor().number());
    }
  }

  @Test
  @EnabledIf(MAY)
  void workInsideSeesTheNamespaceAndTheCallerStaysOutside() throws IOException {
    String before = link(Path.of("/proc/thread-self/ns/net"));
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      String inside = namespace.call(() -> link(Path.of("/proc/thread-self/ns/net")));

      assertThat(inside).isEqualTo(namespace.id().toString()).isNotEqualTo(before);
      assertThat(link(Path.of("/proc/thread-self/ns/net"))).isEqualTo(before);
    }
  }

  @Test
  @EnabledIf(MAY)
  void theThreadInsideEnds() throws IOException {
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      Thread thread = namespace.call(Thread::currentThread);

      assertThat(thread.isAlive()).isFalse();
    }
  }

  @Test
  void aThreadThatIsInsideDoesTheWorkItself() throws IOException {
    try (NetworkNamespace current = NetworkNamespace.current()) {
      assertThat(current.call(Thread::currentThread)).isSameAs(Thread.currentThread());
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(
              () ->
                  current.call(
                      () -> {
                        throw new IOException("inside");
                      }))
          .withMessage("inside");
    }
  }

  @Test
  @EnabledIf(MAY)
  void workInsideOneNamespaceReachesAnother() throws IOException {
    try (NetworkNamespace one = NetworkNamespace.create();
        NetworkNamespace process = NetworkNamespace.current()) {
      String outside =
          one.call(() -> process.call(() -> link(Path.of("/proc/thread-self/ns/net"))));

      assertThat(outside).isEqualTo(process.id().toString());
    }
  }

  @Test
  void anInterruptThatTheWorkTookIsKept() throws IOException {
    try (NetworkNamespace current = NetworkNamespace.current()) {
      Thread.currentThread().interrupt();

      assertThat(current.call(Thread::interrupted)).isTrue();
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  @EnabledIf(MAY)
  void whatWorkInsideThrowsArrivesOutside() throws IOException {
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(
              () ->
                  namespace.call(
                      () -> {
                        throw new IOException("inside");
                      }))
          .withMessage("inside");
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  namespace.call(
                      () -> {
                        throw new Exception("checked");
                      }))
          .havingCause()
          .withMessage("checked");
    }
  }

  @Test
  @EnabledIf(MAY)
  void anInterruptReachesTheWorkAndIsKept() throws IOException {
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      Thread.currentThread().interrupt();
      boolean woken =
          namespace.call(
              () -> {
                try {
                  Thread.sleep(60_000);
                  return false;
                } catch (InterruptedException e) {
                  return true;
                }
              });

      assertThat(woken).isTrue();
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  @EnabledIf(MAY)
  void parametersAreReadAndSetInside() throws IOException {
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      namespace.setSysctl("net/ipv4/conf/lo/arp_ignore", "2");

      namespace.setSysctl("net/ipv4/neigh/lo/gc_stale_time", "1234");
      assertThat(namespace.sysctl("net/ipv4/neigh/lo/gc_stale_time")).isEqualTo("1234");
      assertThat(namespace.sysctl("net/ipv4/conf/lo/arp_ignore")).isEqualTo("2");
      try (NetworkNamespace other = NetworkNamespace.create()) {
        assertThat(other.sysctl("net/ipv4/conf/lo/arp_ignore")).isEqualTo("0");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kernel/hostname",
        "net/../kernel/hostname",
        "net/ipv4/../../kernel/hostname",
        "net/ipv4/conf/lo/..",
        "net//ipv4",
        "net/./ipv4",
        "net/",
        "net/a\0b",
        "/etc/passwd",
        "net",
        ""
      })
  void parametersOfOthersAreRefused(String path) throws IOException {
    try (NetworkNamespace current = NetworkNamespace.current()) {
      assertThatIllegalArgumentException().isThrownBy(() -> current.setSysctl(path, "1"));
    }
  }

  @Test
  @EnabledIf("mayMount")
  void namedOnesAreWhatIpNetnsMakes() throws IOException {
    String name = "dra4j-" + ProcessHandle.current().pid();
    try (NetworkNamespace created = NetworkNamespace.create(name)) {
      try (NetworkNamespace opened = NetworkNamespace.named(name)) {
        assertThat(opened.id()).isEqualTo(created.id());
      }
      assertThatExceptionOfType(IOException.class).isThrownBy(() -> NetworkNamespace.create(name));
    } finally {
      NetworkNamespace.delete(name);
    }
    assertThat(Path.of("/run/netns", name)).doesNotExist();
  }

  @Test
  @EnabledIf("mayMount")
  void namesAreThoseOfIp() throws IOException {
    Privileges.assumeInstalled("ip");
    String ours = "dra4j-ours-" + ProcessHandle.current().pid();
    String theirs = "dra4j-theirs-" + ProcessHandle.current().pid();
    try (NetworkNamespace created = NetworkNamespace.create(ours)) {
      run("ip netns add " + theirs);
      assertThat(run("ip netns list")).contains(ours).contains(theirs);
      assertThat(run("ip netns exec " + ours + " readlink /proc/self/ns/net"))
          .isEqualToIgnoringNewLines(created.id().toString());
      try (NetworkNamespace opened = NetworkNamespace.named(theirs)) {
        assertThat(run("ip netns exec " + theirs + " readlink /proc/self/ns/net"))
            .isEqualToIgnoringNewLines(opened.id().toString());
      }
      NetworkNamespace.delete(theirs);
      assertThat(run("ip netns list")).contains(ours).doesNotContain(theirs);
    } finally {
      run("ip netns delete " + ours);
    }
    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> NetworkNamespace.named(ours))
        .withMessage("open /run/netns/" + ours + ": ENOENT");
  }

  private static String run(String command) throws IOException {
    try {
      Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      return output;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static boolean mayMount() {
    String name = "dra4j-try-" + ProcessHandle.current().pid();
    try {
      NetworkNamespace.create(name).close();
      NetworkNamespace.delete(name);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a/b", "a\0b"})
  void namesThatLeaveTheirDirectoryAreRefused(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> NetworkNamespace.named(name));
  }

  @Test
  void aMissingOneIsNamedInTheError() {
    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> NetworkNamespace.named("dra4j-none"))
        .withMessage("open /run/netns/dra4j-none: ENOENT")
        .matches(e -> e.is(Errno.ENOENT));
  }

  @Test
  void aFileThatIsNoNetworkNamespaceIsRefused() {
    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> NetworkNamespace.open(Path.of("/proc/self/ns/uts")))
        .withMessageContaining("is not a network namespace");
    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> NetworkNamespace.open(Path.of("/proc/self/status")))
        .withMessageContaining("is not a network namespace");
  }

  @Test
  void aClosedOneCannotBeEntered() throws IOException {
    NetworkNamespace current = NetworkNamespace.current();
    current.close();
    current.close();

    assertThatIllegalStateException().isThrownBy(() -> current.call(() -> 1));
  }
}
