package io.dra4j.rdma.health;

import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.rdma.RdmaReader;
import io.dra4j.rdma.health.RdmaObservation.PortCounters;
import io.dra4j.spi.Host;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import io.dra4j.sysfs.InfinibandReader;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Reads the RDMA devices of a host repeatedly. On this machine it reads RDMA netlink if the kernel
 * supports it, otherwise {@code /sys}. Counters always come from {@code /sys}. If the devices
 * cannot be listed, it throws and never returns an empty host: pods would lose devices that seem to
 * be gone.
 */
final class RdmaObserver {

  private final Host host;
  private final Map<String, Long> wanted;
  private final InfinibandReader infiniband = new InfinibandReader();

  /** The warnings of the last reading, which are not repeated while they last. */
  private Set<String> said = Set.of();

  RdmaObserver(Host host, ErrorLimits limits) {
    this.host = host;
    this.wanted = limits.limits();
  }

  RdmaObservation observe(Consumer<String> warnings) throws IOException {
    Set<String> now = new HashSet<>();
    Consumer<String> news =
        warning -> {
          if (now.add(warning) && !said.contains(warning)) {
            warnings.accept(warning);
          }
        };
    RdmaObservation seen = look(news);
    said = now;
    return seen;
  }

  private RdmaObservation look(Consumer<String> warnings) throws IOException {
    List<RdmaDevice> devices = devices(warnings);
    List<PortCounters> counters = new ArrayList<>();
    if (!wanted.isEmpty()) {
      for (RdmaDevice device : devices) {
        for (RdmaPort port : device.ports()) {
          Map<String, Long> values =
              infiniband.counters(
                  host, device.name(), port.number(), wanted::containsKey, warnings);
          PortCounters read = new PortCounters(device.name(), port.number(), values);
          counters.add(read);
          full(read, warnings);
        }
      }
    }
    return new RdmaObservation(host.clock().instant(), devices, counters);
  }

  private static void full(PortCounters port, Consumer<String> warnings) {
    new TreeMap<>(port.values())
        .forEach(
            (counter, value) -> {
              if (ErrorLimits.isFull(counter, value)) {
                warnings.accept(
                    "counter "
                        + counter
                        + " of port "
                        + port.port()
                        + " of RDMA device "
                        + port.device()
                        + " is saturated at "
                        + value
                        + ": errors cannot be detected until it is reset");
              }
            });
  }

  private List<RdmaDevice> devices(Consumer<String> warnings) throws IOException {
    if (host.isLive()) {
      try (RdmaNetlink rdma = RdmaNetlink.open()) {
        return RdmaReader.overNetlink(rdma, warnings);
      } catch (NetlinkException.Unsupported e) { // an older kernel may have /sys
      }
    }
    SortedSet<String> names = names();
    if (names.isEmpty()) {
      return List.of();
    }
    Map<String, RdmaDevice> read = new HashMap<>();
    infiniband.devices(host, warnings).forEach(device -> read.put(device.name(), device));
    return names.stream()
        .map(name -> read.getOrDefault(name, RdmaDevice.named(name).build()))
        .toList();
  }

  private SortedSet<String> names() throws IOException {
    SortedSet<String> names = new TreeSet<>();
    Path directory = host.root().resolve("sys/class/infiniband");
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        names.add(entry.getFileName().toString());
      }
    } catch (NoSuchFileException e) {
      Path sys = host.root().resolve("sys");
      if (!Files.isDirectory(sys)) {
        throw new NoSuchFileException(
            sys.toString(),
            null,
            "is not a readable directory: the RDMA devices of the host cannot be listed");
      }
    } catch (AccessDeniedException e) {
      throw new AccessDeniedException(directory.toString(), null, "permission denied");
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }
}
