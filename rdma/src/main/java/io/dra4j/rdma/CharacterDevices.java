package io.dra4j.rdma;

import io.dra4j.linux.NativeUnavailableException;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaCharacterDevice;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.spi.Host;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.sysfs.InfinibandNode;
import io.dra4j.sysfs.InfinibandReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The character devices of an RDMA device, and the problems with them. {@code /sys} lists the
 * devices, {@code stat} reports the files in {@code /dev/infiniband}, and RDMA netlink is compared
 * with both.
 *
 * <pre>{@code
 * CharacterDevices nodes = CharacterDevices.of(Host.live(), device);
 * nodes.problems().forEach(System.err::println);
 * nodes.list().forEach(node -> System.out.println(node.path() + " " + node.major() + ":" + node.minor()));
 * }</pre>
 *
 * @param list the character devices of the RDMA device, {@code rdma_cm} last; a device whose file
 *     is missing has no mode
 * @param problems a sentence for each file that is missing, is not a character device, or has other
 *     numbers than the kernel reports
 */
public record CharacterDevices(List<CharacterDevice> list, List<String> problems) {

  private static final int MAX_PROBLEMS = 100;

  /** Copies the lists. {@inheritDoc} */
  public CharacterDevices {
    list = List.copyOf(list);
    problems = List.copyOf(problems);
  }

  /**
   * {@return the character devices of an RDMA device, and the problems} A captured host has no
   * files: the result is what its {@code /sys} reports; devices that the capture lacks are problems
   * too.
   *
   * @param host the host, live or captured
   * @param device the RDMA device; compared with netlink only if it has the kernel's number
   */
  public static CharacterDevices of(Host host, RdmaDevice device) {
    return of(host, List.of(device)).get(0);
  }

  /**
   * {@return each device's character devices and problems in order, from one reading of the host}
   *
   * @param host the host, live or captured
   * @param devices the RDMA devices, compared with netlink only if they have the kernel's number
   */
  public static List<CharacterDevices> of(Host host, List<RdmaDevice> devices) {
    if (devices.isEmpty()) {
      return List.of();
    }
    Map<Optional<String>, List<String>> problems = new HashMap<>();
    Map<Optional<String>, List<InfinibandNode>> nodes = new HashMap<>();
    List<InfinibandNode> all =
        new InfinibandReader().nodes(host, (device, problem) -> add(problem, device, problems));
    for (InfinibandNode node : all) {
      nodes.computeIfAbsent(Optional.ofNullable(node.device()), any -> new ArrayList<>()).add(node);
    }
    boolean asks = host.isLive() && devices.stream().anyMatch(one -> one.index().isPresent());
    try (RdmaNetlink rdma = asks ? RdmaNetlink.open() : null) {
      return of(host, devices, nodes, problems, rdma);
    } catch (NetlinkException | NativeUnavailableException e) {
      add("rdma netlink: " + e.getMessage(), Optional.empty(), problems);
      return of(host, devices, nodes, problems, null);
    }
  }

  /** Adds a problem: at most {@link #MAX_PROBLEMS} for each device, and for no known device. */
  private static void add(
      String problem, Optional<String> of, Map<Optional<String>, List<String>> problems) {
    List<String> known = problems.computeIfAbsent(of, any -> new ArrayList<>());
    if (known.size() < MAX_PROBLEMS) {
      known.add(problem);
    } else if (known.size() == MAX_PROBLEMS) {
      known.add(
          "more than " + MAX_PROBLEMS + " problems of character devices; the others are not shown");
    }
  }

  private static List<CharacterDevices> of(
      Host host,
      List<RdmaDevice> devices,
      Map<Optional<String>, List<InfinibandNode>> nodes,
      Map<Optional<String>, List<String>> problems,
      @Nullable RdmaNetlink rdma) {
    List<CharacterDevices> found = new ArrayList<>();
    for (RdmaDevice device : devices) {
      Optional<String> name = Optional.of(device.name());
      List<InfinibandNode> own = new ArrayList<>(nodes.getOrDefault(name, List.of()));
      own.addAll(nodes.getOrDefault(Optional.empty(), List.of()));
      List<String> wrong = new ArrayList<>(problems.getOrDefault(Optional.empty(), List.of()));
      wrong.addAll(problems.getOrDefault(name, List.of()));
      Survey survey = new Survey(device, wrong, host.isLive());
      found.add(survey.of(own, device.index().isPresent() ? rdma : null));
    }
    return List.copyOf(found);
  }

  /** Checks the devices that {@code /sys} lists, one after another. */
  static CharacterDevices of(
      RdmaDevice device, List<InfinibandNode> nodes, @Nullable RdmaNetlink rdma, boolean live) {
    return new Survey(device, new ArrayList<>(), live).of(nodes, rdma);
  }

  private record Survey(RdmaDevice device, List<String> problems, boolean live) {

    CharacterDevices of(List<InfinibandNode> nodes, @Nullable RdmaNetlink rdma) {
      boolean isSound = problems.isEmpty();
      List<CharacterDevice> found = new ArrayList<>();
      for (InfinibandNode node : nodes) {
        if (node.device() == null || node.device().equals(device.name())) {
          Optional<CharacterDevice.Kind> kind = CharacterDevice.Kind.of(node.name());
          if (kind.isEmpty()) {
            problems.add(node.name() + " is not a known kind of character device; it is ignored");
            continue;
          }
          found.add(characterDevice(kind.get(), node));
          if (rdma != null) {
            compare(kind.get(), node, rdma);
          }
        }
      }
      if (isMissing(found, CharacterDevice.Kind.UVERBS)) {
        problems.add(
            device.name() + " has no character device uverbs" + reason("ib_uverbs", isSound));
      }
      if (isMissing(found, CharacterDevice.Kind.RDMA_CM)) {
        problems.add("no character device rdma_cm" + reason("rdma_ucm", isSound));
      }
      return new CharacterDevices(found, problems);
    }

    /** The likely reason why a device is missing; empty if {@code /sys} itself is damaged. */
    private String reason(String module, boolean isSound) {
      if (!isSound) {
        return "";
      }
      return live
          ? ": is the module " + module + " loaded?"
          : ": the capture lacks it, or the module " + module + " was not loaded";
    }

    private static boolean isMissing(List<CharacterDevice> found, CharacterDevice.Kind kind) {
      return found.stream().noneMatch(node -> node.kind() == kind);
    }

    private CharacterDevice characterDevice(CharacterDevice.Kind kind, InfinibandNode node) {
      CharacterDevice known =
          new CharacterDevice(
              kind, node.name(), node.port(), node.major(), node.minor(), OptionalInt.empty());
      if (!live) {
        return known;
      }
      Optional<DeviceFile> file;
      try {
        file = DeviceFile.of(known.path());
      } catch (IOException | NativeUnavailableException e) {
        problems.add(known.path() + ": " + e.getMessage());
        return known;
      }
      if (file.isEmpty()) {
        problems.add(known.path() + " is missing: " + numbers(node.major(), node.minor()));
        return known;
      }
      if (!file.get().isCharacterDevice()) {
        problems.add(known.path() + " is not a character device");
        return known;
      }
      if (file.get().major() != node.major() || file.get().minor() != node.minor()) {
        problems.add(
            known.path()
                + ": expected "
                + numbers(node.major(), node.minor())
                + " as in /sys, found "
                + numbers(file.get().major(), file.get().minor()));
      }
      return new CharacterDevice(
          known.kind(),
          known.name(),
          known.port(),
          known.major(),
          known.minor(),
          OptionalInt.of(file.get().mode()));
    }

    /** Compares the numbers with those of netlink. Kernels before 5.3 refuse the request. */
    private void compare(CharacterDevice.Kind kind, InfinibandNode node, RdmaNetlink rdma) {
      RdmaCharacterDevice reported;
      try {
        reported =
            switch (kind) {
              case RDMA_CM -> rdma.connectionManager();
              case UVERBS, UMAD, ISSM ->
                  rdma.characterDevice(kind.toString(), device.index().getAsInt(), node.port());
              case UCM -> null;
            };
      } catch (NetlinkException.Refused
          | NetlinkException.NotFound
          | NetlinkException.Unsupported e) {
        return;
      } catch (NetlinkException e) {
        problems.add("rdma netlink: " + e.getMessage());
        return;
      }
      if (reported != null
          && (reported.major() != node.major()
              || reported.minor() != node.minor()
              || !reported.name().equals(node.name()))) {
        problems.add(
            node.name()
                + " is "
                + numbers(node.major(), node.minor())
                + " in /sys, but netlink says "
                + reported.name()
                + " "
                + numbers(reported.major(), reported.minor()));
      }
    }

    private static String numbers(int major, int minor) {
      return major + ":" + minor;
    }
  }
}
