package io.dra4j.linux;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What this process may do to the kernel, and which programs are there to compare with. */
public final class Privileges {

  private Privileges() {}

  /**
   * Whether it may make network namespaces, as root or below {@code unshare -Urn}, and these have
   * IPv6.
   *
   * @return whether it may
   */
  public static boolean canMakeNamespaces() {
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      return Files.exists(Path.of("/proc/sys/net/ipv6")) && namespace.descriptor().isOpen();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Skips the test that asks for a program which is not installed.
   *
   * @param program its name
   */
  public static void assumeInstalled(String program) {
    boolean there =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    assumeTrue(there, "needs the program " + program);
  }
}
