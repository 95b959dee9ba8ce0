package io.dra4j.rdma;

import static java.util.Objects.requireNonNull;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.rdma.RdmaDevice;
import io.dra4j.netlink.rdma.RdmaLink;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.Host;
import io.dra4j.sysfs.InfinibandReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A network device and its RDMA device on their way from one network namespace to another: first
 * the RDMA device, then the network device, there and back alike. What happens is said before
 * anything is changed:
 *
 * <pre>{@code
 * RdmaMove move = RdmaMove.ofNetdev(host, "eth0");
 * move.notices().forEach(notice -> System.err.println(notice.text()));
 * move.to(pod, "net1");
 * // The pod runs; the driver may be restarted meanwhile.
 * RdmaMove.ofNetdev(pod, "net1").to(host, "eth0");
 * }</pre>
 *
 * <p>Where the namespaces share RDMA devices ({@link RdmaNetlink#isShared}) there is nothing to
 * move but the network device. A kernel that takes a namespace away gives its RDMA devices back.
 */
public final class RdmaMove {

  /**
   * Something to know before a move.
   *
   * @param kind what it is about
   * @param text a sentence for people that names the devices
   */
  public record Notice(Kind kind, String text) {

    /** What a notice is about. */
    public enum Kind {
      /** RDMA devices are shared by all namespaces: the device is used everywhere, and stays. */
      SHARED,
      /** The RDMA device is made in software of the network device, and goes when that moves. */
      VANISHES,
      /** Programs that use the RDMA device lose it. */
      DISCONNECTS,
      /** Drivers that cannot take a device from the programs that use it refuse to move it. */
      MAY_BE_REFUSED,
      /**
       * The driver rxe makes the queue pair of the communication manager once in a device's life
       * ({@code qp_gsi_index} in the kernel's {@code rxe_qp.c}): a device that has moved works, but
       * no longer with {@code rdma_cm}, and its capability mask loses the bit that says so.
       */
      LOSES_CONNECTION_MANAGER,
      /** The RDMA device serves other network devices, too, which stay behind without it. */
      SERVES_OTHERS,
      /** The kernel cannot tell of a port, so that nobody knows which network device it has. */
      PORT_NOT_TOLD
    }
  }

  /** {@code RDMA_DRIVER_RXE} and {@code RDMA_DRIVER_SIW} of rdma/ib_user_ioctl_verbs.h. */
  private static final Set<Integer> SOFTWARE_DRIVERS = Set.of(14, 18);

  /** Opens what a move needs in a namespace; tests play conversations. */
  interface Sockets {

    RdmaNetlink rdma(NetworkNamespace namespace) throws IOException;

    RouteNetlink route(NetworkNamespace namespace) throws IOException;

    /** Whether RDMA devices have character devices, so that asking for one loads no module. */
    boolean haveVerbs();

    /** The kernel's. */
    Sockets KERNEL =
        new Sockets() {
          @Override
          public RdmaNetlink rdma(NetworkNamespace namespace) throws IOException {
            return RdmaNetlink.open(namespace);
          }

          @Override
          public RouteNetlink route(NetworkNamespace namespace) throws IOException {
            return RouteNetlink.open(namespace);
          }

          @Override
          public boolean haveVerbs() {
            return Files.isDirectory(Path.of("/sys/class/infiniband_verbs"));
          }
        };
  }

  private final NetworkNamespace from;
  private final Sockets sockets;
  private final @Nullable RdmaDevice device;
  private final @Nullable String netdev;
  private final boolean movesDevice;
  private final List<Notice> notices;

  private RdmaMove(
      NetworkNamespace from,
      Sockets sockets,
      @Nullable RdmaDevice device,
      @Nullable String netdev,
      boolean movesDevice,
      List<Notice> notices) {
    this.from = from;
    this.sockets = sockets;
    this.device = device;
    this.netdev = netdev;
    this.movesDevice = movesDevice;
    this.notices = List.copyOf(notices);
  }

  /**
   * Plans to move a network device, and the RDMA device whose port it is if RDMA netlink names one.
   * An IPoIB interface has none that it names: see {@link #of}.
   *
   * @param from the namespace that the network device is in; stays open until the move is over
   * @param netdev the name of the network device
   * @return the plan; nothing has changed yet
   * @throws IOException if the namespace cannot be asked; {@link NetlinkException.NotFound} if it
   *     has no such network device
   */
  public static RdmaMove ofNetdev(NetworkNamespace from, String netdev) throws IOException {
    return plan(
        requireNonNull(from, "from"), Sockets.KERNEL, null, requireNonNull(netdev, "netdev"));
  }

  /**
   * Plans to move an RDMA device that has no network device, or whose network device stays.
   *
   * @param from the namespace that the RDMA device is in; stays open until the move is over
   * @param device the name of the RDMA device
   * @return the plan; nothing has changed yet
   * @throws IOException if the namespace cannot be asked, or has no such RDMA device; {@link
   *     NetlinkException.Unsupported} if the kernel knows no RDMA, with what helps
   */
  public static RdmaMove ofDevice(NetworkNamespace from, String device) throws IOException {
    return plan(
        requireNonNull(from, "from"), Sockets.KERNEL, requireNonNull(device, "device"), null);
  }

  /**
   * Plans to move an RDMA device and a network device of it, as {@link RdmaNetdevs} found them.
   *
   * @param from the namespace that both are in; stays open until the move is over
   * @param device the name of the RDMA device
   * @param netdev the name of the network device
   * @return the plan; nothing has changed yet
   * @throws IOException if the namespace cannot be asked, or has not both; {@link
   *     NetlinkException.Unsupported} if the kernel knows no RDMA, with what helps
   */
  public static RdmaMove of(NetworkNamespace from, String device, String netdev)
      throws IOException {
    return plan(
        requireNonNull(from, "from"),
        Sockets.KERNEL,
        requireNonNull(device, "device"),
        requireNonNull(netdev, "netdev"));
  }

  static RdmaMove plan(
      NetworkNamespace from, Sockets sockets, @Nullable String deviceName, @Nullable String netdev)
      throws IOException {
    if (netdev != null) {
      try (RouteNetlink route = sockets.route(from)) {
        route.links().get(netdev);
      }
    }
    List<Notice> untold = new ArrayList<>();
    try (RdmaNetlink rdma = sockets.rdma(from)) {
      List<RdmaDevice> devices = rdma.devices();
      for (RdmaDevice device : devices) {
        if (deviceName != null && !device.name().equals(deviceName)) {
          continue;
        }
        List<Notice> own = new ArrayList<>();
        List<RdmaLink> links;
        try {
          links =
              NetlinkPorts.of(
                  rdma, device, text -> own.add(new Notice(Notice.Kind.PORT_NOT_TOLD, text)));
        } catch (NetlinkException.Refused e) {
          if (deviceName != null || !NetlinkPorts.isGone(e)) {
            throw e;
          }
          continue;
        }
        if (deviceName != null
            || links.stream().anyMatch(link -> link.netdevName().equals(netdev))) {
          return plan(from, sockets, rdma, device, links, netdev, own);
        }
        untold.addAll(own);
      }
      if (deviceName != null) {
        throw new IOException(
            "no RDMA device "
                + deviceName
                + " in "
                + from
                + ", which has "
                + (devices.isEmpty()
                    ? "none"
                    : devices.stream().map(RdmaDevice::name).collect(Collectors.joining(", "))));
      }
    } catch (NetlinkException.Unsupported e) {
      if (deviceName != null) {
        throw e;
      }
      // The kernel knows no RDMA, so that the network device has none.
    }
    return new RdmaMove(from, sockets, null, netdev, false, untold);
  }

  private static RdmaMove plan(
      NetworkNamespace from,
      Sockets sockets,
      RdmaNetlink rdma,
      RdmaDevice device,
      List<RdmaLink> links,
      @Nullable String netdev,
      List<Notice> untold)
      throws IOException {
    String name = device.name();
    boolean shared = rdma.isShared();
    boolean software = isSoftware(rdma, device, sockets);
    boolean vanishes = software && netdev != null;
    List<Notice> notices = new ArrayList<>();
    if (shared) {
      notices.add(
          new Notice(
              Notice.Kind.SHARED,
              "All network namespaces share RDMA devices: "
                  + name
                  + " stays, and can be used from every one."));
    }
    if (vanishes) {
      notices.add(
          new Notice(
              Notice.Kind.VANISHES,
              name
                  + " is made in software of "
                  + netdev
                  + " and goes when "
                  + netdev
                  + " changes its namespace; it has to be made anew there."));
    } else if (!shared) {
      notices.add(
          new Notice(
              Notice.Kind.DISCONNECTS, "Programs that use " + name + " lose it when it moves."));
      if (software) {
        notices.add(
            new Notice(
                Notice.Kind.MAY_BE_REFUSED,
                name + " is made in software: kernels before Linux 7.3 refuse to move it."));
        notices.add(
            new Notice(
                Notice.Kind.LOSES_CONNECTION_MANAGER,
                "If "
                    + name
                    + " is of rxe, rdma_cm makes no connections over it after the move, until it"
                    + " is made anew."));
      }
    }
    Set<String> others =
        links.stream()
            .map(RdmaLink::netdevName)
            .filter(other -> !other.isEmpty() && !other.equals(netdev))
            .collect(Collectors.toCollection(TreeSet::new));
    if (!shared && !vanishes && !others.isEmpty()) {
      notices.add(
          new Notice(
              Notice.Kind.SERVES_OTHERS,
              name + " also serves " + String.join(", ", others) + ", which stays without it."));
    }
    notices.addAll(untold);
    return new RdmaMove(from, sockets, device, netdev, !shared && !vanishes, notices);
  }

  /** Software devices have drivers of their own, or name the network device they are made of. */
  private static boolean isSoftware(RdmaNetlink rdma, RdmaDevice device, Sockets sockets) {
    if (sockets.haveVerbs()) {
      try {
        return SOFTWARE_DRIVERS.contains(
            rdma.characterDevice("uverbs", device.index(), OptionalInt.empty()).driver().orElse(0));
      } catch (NetlinkException e) {
        // Kernels before 5.3 do not tell; /sys does, in the namespace of this process.
      }
    }
    return new InfinibandReader()
        .devices(Host.live(), warning -> {}).stream()
            .anyMatch(one -> one.name().equals(device.name()) && one.parent() != null);
  }

  /**
   * Returns the name of the RDMA device.
   *
   * @return the name; empty if the network device has none
   */
  public Optional<String> device() {
    return Optional.ofNullable(device).map(RdmaDevice::name);
  }

  /**
   * Returns the name of the network device.
   *
   * @return the name; empty if only an RDMA device moves
   */
  public Optional<String> netdev() {
    return Optional.ofNullable(netdev);
  }

  /**
   * Returns what happens beside the move, to be said before it.
   *
   * @return the notices; empty if only a network device without an RDMA device moves and each port
   *     of all RDMA devices told its network device
   */
  public List<Notice> notices() {
    return notices;
  }

  /**
   * Moves the RDMA device, if namespaces do not share it, then the network device. If that fails,
   * the RDMA device goes back, so that nothing has changed.
   *
   * @param target the namespace to move to
   * @param netdevName the name of the network device there; of no matter if only an RDMA device
   *     moves
   * @throws IOException if the kernel refuses: {@link NetlinkException.Unsupported} if the driver
   *     of the RDMA device cannot be moved, {@link NetlinkException.Exists} if the target has a
   *     network device of that name, {@link NetlinkException.PermissionDenied} without the right;
   *     what else failed on the way back is {@linkplain Throwable#getSuppressed suppressed} in it
   */
  public void to(NetworkNamespace target, String netdevName) throws IOException {
    requireNonNull(target, "target");
    requireNonNull(netdevName, "netdevName");
    RdmaDevice moving = movesDevice ? device : null;
    if (netdev == null) {
      if (moving != null) {
        move(moving, from, target);
      }
      return;
    }
    checkFree(target, netdevName, netdev);
    if (moving != null) {
      move(moving, from, target);
    }
    try {
      move(netdev, target, netdevName);
    } catch (IOException | RuntimeException | Error failure) {
      if (moving != null) {
        try {
          move(moving, target, from);
        } catch (IOException | RuntimeException another) {
          failure.addSuppressed(another);
        }
      }
      throw failure;
    }
  }

  /**
   * The kernel looks whether a new name is free only after it has moved a link: then the link is in
   * the target under its old name, and the answer is EEXIST (seen on Linux 6.18).
   */
  private void checkFree(NetworkNamespace target, String name, String of) throws IOException {
    try (RouteNetlink route = sockets.route(target)) {
      route.links().get(name);
    } catch (NetlinkException.NotFound e) {
      return;
    }
    throw NetlinkException.existing("move " + of + " to " + target + " as " + name);
  }

  private void move(String link, NetworkNamespace target, String name) throws IOException {
    try (RouteNetlink route = sockets.route(from)) {
      Link before = route.links().get(link);
      try {
        route.links().change(before, LinkSettings.none().name(name).namespace(target));
      } catch (NetlinkException failure) {
        try (RouteNetlink there = sockets.route(target)) {
          // Somebody has taken the name meanwhile.
          if (route.links().list().stream().noneMatch(other -> other.name().equals(link))) {
            there.links().change(there.links().get(link), LinkSettings.none().namespace(from));
            if (before.isUp()) {
              route.links().change(route.links().get(link), LinkSettings.none().up());
            }
          }
        } catch (IOException | RuntimeException another) {
          failure.addSuppressed(another);
        }
        throw failure;
      }
    }
  }

  /**
   * Moves the RDMA device, and the network device under the name that it has.
   *
   * @param target the namespace to move to
   * @throws IOException as for {@link #to(NetworkNamespace, String)}
   */
  public void to(NetworkNamespace target) throws IOException {
    to(target, Objects.requireNonNullElse(netdev, ""));
  }

  /** The number of a device is the same in all namespaces. */
  private void move(RdmaDevice moving, NetworkNamespace here, NetworkNamespace there)
      throws IOException {
    try (RdmaNetlink rdma = sockets.rdma(here)) {
      rdma.move(moving.index(), there);
    }
  }
}
