package io.dra4j.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.linux.Errno;
import io.dra4j.linux.FaultyAccess;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.generic.GenericNetlink;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever call of the kernel fails: it is said, and no descriptor is left open. */
class NthCallFailsTest {

  private static final String MAY = "io.dra4j.linux.Privileges#canMakeNamespaces";

  /** What programs begin with. */
  private enum Beginning {
    CURRENT_NAMESPACE {
      @Override
      void run(FaultyAccess kernel) throws IOException {
        NetworkNamespace.current(kernel.access()).close();
      }
    },
    NEW_NAMESPACE {
      @Override
      void run(FaultyAccess kernel) throws IOException {
        NetworkNamespace.create(kernel.access()).close();
      }
    },
    LINKS {
      @Override
      void run(FaultyAccess kernel) throws IOException {
        try (NetworkNamespace namespace = NetworkNamespace.current(kernel.access());
            RouteNetlink route = RouteNetlink.open(namespace)) {
          assertThat(route.links().list()).isNotEmpty();
        }
      }
    },
    GENERIC_FAMILY {
      @Override
      void run(FaultyAccess kernel) throws IOException {
        try (NetworkNamespace namespace = NetworkNamespace.current(kernel.access());
            GenericNetlink generic = GenericNetlink.open(namespace)) {
          assertThat(generic.family("nlctrl").id()).isEqualTo(16);
        }
      }
    },
    DRIVER {
      @Override
      void run(FaultyAccess kernel) throws IOException {
        try (NetworkNamespace namespace = NetworkNamespace.current(kernel.access())) {
          try {
            Ethtool.driver(namespace, LinkKey.of("lo"));
          } catch (LinuxException e) {
            if (!e.is(Errno.EOPNOTSUPP)) {
              throw e;
            }
          }
        }
      }
    };

    abstract void run(FaultyAccess kernel) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  @EnabledIf(MAY)
  void noDescriptorIsLeftAndTheErrorIsNamed(Beginning beginning) throws IOException {
    FaultyAccess kernel = FaultyAccess.overSystem();
    beginning.run(kernel); // everything is loaded
    int calls = kernel.during(() -> beginning.run(kernel));
    assertThat(calls).isPositive();

    for (int n = 1; n <= calls; n++) {
      Map<String, String> before = descriptors();
      Optional<Exception> outcome = kernel.failing(n, Errno.EIO, () -> beginning.run(kernel));

      assertThat(before).as("call %d of %d", n, calls).containsAllEntriesOf(descriptors());
      outcome.ifPresent(
          e -> assertThat(e).isInstanceOf(IOException.class).hasMessageContaining("EIO"));
    }
  }

  @Test
  void callsThatAreNotToFailAreThoseOfTheKernel() throws IOException {
    FaultyAccess kernel = FaultyAccess.overSystem();

    int calls = kernel.during(() -> NetworkNamespace.current(kernel.access()).close());

    assertThat(kernel.calls()).hasSize(calls).startsWith("open").endsWith("close");
    assertThat(kernel.failures()).isZero();
  }

  private static Map<String, String> descriptors() throws IOException {
    Map<String, String> open = new TreeMap<>();
    try (Stream<Path> numbers = Files.list(Path.of("/proc/self/fd"))) {
      for (Path number : numbers.toList()) {
        String target = target(number);
        if (target.startsWith("socket:") || target.startsWith("net:") || target.contains("event")) {
          open.put(number.getFileName().toString(), target);
        }
      }
    }
    return open;
  }

  private static String target(Path number) {
    try {
      return Files.readSymbolicLink(number).toString();
    } catch (IOException e) { // the one of this listing
      return "";
    }
  }
}
