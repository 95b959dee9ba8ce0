package io.dra4j.linux;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/**
 * An open network namespace. The namespace exists as long as something holds it: this object, a
 * process in it, or a name in {@code /run/netns}. Immutable and thread-safe, except for {@link
 * #close}.
 *
 * <pre>{@code
 * try (NetworkNamespace pod = NetworkNamespace.ofProcess(pid);
 *     RouteNetlink route = RouteNetlink.open(pod)) {
 *   System.out.println(route.links().list());
 *   pod.setSysctl("net/ipv4/ip_forward", "1");
 * }
 * }</pre>
 */
public final class NetworkNamespace implements AutoCloseable {

  private static final Path NAMES = Path.of("/run/netns");

  /** A path below net, without empty or dot elements. */
  private static final Pattern SYSCTL = Pattern.compile("net(/(?!\\.{0,2}(/|$))[^/\\x00]+)+");

  private static final int CLONE_NEWNET = 0x40000000;

  /** The file of the namespace of the calling thread. */
  private static final String OWN = "/proc/thread-self/ns/net";

  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int STATX_INO = 0x100;
  private static final long MS_BIND = 0x1000;
  private static final long MS_REC = 0x4000;
  private static final long MS_SHARED = 0x100000;
  private static final int MNT_DETACH = 2;

  /** {@code _IO(0xb7, 3)} of {@code linux/nsfs.h}. */
  private static final long NS_GET_NSTYPE = 0xb703;

  private final FileDescriptor descriptor;
  private final NamespaceId id;

  private NetworkNamespace(FileDescriptor descriptor, NamespaceId id) {
    this.descriptor = descriptor;
    this.id = id;
  }

  /**
   * {@return the namespace that the calling thread is in, newly opened}
   *
   * @throws LinuxException if the kernel refuses
   */
  public static NetworkNamespace current() throws LinuxException {
    return current(NativeAccess.system());
  }

  /**
   * {@return the calling thread's network namespace, opened through a given port to the kernel}
   *
   * @param access the port, which the namespace and everything opened in it will use
   * @throws LinuxException if the kernel refuses
   */
  public static NetworkNamespace current(NativeAccess access) throws LinuxException {
    return open(access, Path.of(OWN));
  }

  /**
   * {@return the namespace of a process, newly opened}
   *
   * @param process the process ID
   * @throws LinuxException if there is no such process, or the kernel refuses
   */
  public static NetworkNamespace ofProcess(long process) throws LinuxException {
    return open(Path.of("/proc/" + process + "/ns/net"));
  }

  /**
   * {@return the namespace of a name, newly opened, as {@code ip netns} does}
   *
   * @param name its name in {@code /run/netns}
   * @throws LinuxException if there is none of that name, or the kernel refuses
   * @throws IllegalArgumentException if it is not a valid name
   */
  public static NetworkNamespace named(String name) throws LinuxException {
    return open(pathOf(name));
  }

  /**
   * {@return the namespace of a file, newly opened}
   *
   * @param path for example {@code /run/netns/blue} or {@code /proc/1/ns/net}
   * @throws LinuxException if the kernel refuses; EINVAL if the file is not a network namespace
   */
  public static NetworkNamespace open(Path path) throws LinuxException {
    return open(NativeAccess.system(), path);
  }

  /**
   * {@return the network namespace of a file, opened through a given port to the kernel}
   *
   * @param access the port, which the namespace and everything opened in it will use
   * @param path for example {@code /run/netns/blue} or {@code /proc/1/ns/net}
   * @throws LinuxException if the kernel refuses; EINVAL if the file is not a network namespace
   */
  public static NetworkNamespace open(NativeAccess access, Path path) throws LinuxException {
    int flags = Architecture.O_RDONLY | Architecture.O_NONBLOCK; // a pipe would wait for a writer
    return of(FileDescriptor.open(access, path.toString(), flags), path.toString());
  }

  /**
   * {@return a namespace that another owner has open, opened again}
   *
   * @param number the file descriptor, which stays with its owner
   * @throws LinuxException if the kernel refuses; EINVAL if it is not a network namespace
   */
  public static NetworkNamespace ofDescriptor(int number) throws LinuxException {
    return ofDescriptor(NativeAccess.system(), number);
  }

  /**
   * {@return a network namespace that another owner has open, opened again through a given port}
   *
   * @param access the port, which the namespace and everything opened in it will use
   * @param number the file descriptor, which stays with its owner
   * @throws LinuxException if the kernel refuses; EINVAL if it is not a network namespace
   */
  public static NetworkNamespace ofDescriptor(NativeAccess access, int number)
      throws LinuxException {
    return of(FileDescriptor.duplicate(access, number), "file descriptor " + number);
  }

  /**
   * {@return a new, empty namespace without a name, its loopback device down; it ends when this
   * object is closed and nothing else holds it}
   *
   * @throws IOException if the kernel refuses; EPERM without CAP_SYS_ADMIN
   */
  public static NetworkNamespace create() throws IOException {
    return create(NativeAccess.system());
  }

  /**
   * {@return a new namespace without a name, as from {@link #create()}, through a given port}
   *
   * @param access the port, which the namespace and everything opened in it will use
   * @throws IOException if the kernel refuses; EPERM without CAP_SYS_ADMIN
   */
  public static NetworkNamespace create(NativeAccess access) throws IOException {
    return onOwnThread(
        () -> {
          LinuxException.check(access.unshare(CLONE_NEWNET), "create a network namespace");
          return current(access);
        });
  }

  /**
   * Creates a namespace with a name, as {@code ip netns add} does: it exists until it is deleted.
   *
   * @param name a name for {@code /run/netns}
   * @return an empty namespace, its loopback device down
   * @throws IOException if the name is in use, or the kernel refuses
   * @throws IllegalArgumentException if it is not a valid name
   */
  public static NetworkNamespace create(String name) throws IOException {
    return create(NativeAccess.system(), name);
  }

  /**
   * {@return a new namespace with a name, as from {@link #create(String)}, through a given port}
   *
   * @param access the port, which the namespace and everything opened in it will use
   * @param name a name for {@code /run/netns}
   * @throws IOException if the name is in use, or the kernel refuses
   * @throws IllegalArgumentException if it is not a valid name
   */
  public static NetworkNamespace create(NativeAccess access, String name) throws IOException {
    Path path = pathOf(name);
    Files.createDirectories(NAMES);
    shareNames(access);
    Files.createFile(path);
    try {
      return onOwnThread(
          () -> {
            LinuxException.check(access.unshare(CLONE_NEWNET), "create a network namespace");
            LinuxException.check(
                access.mount(OWN, path.toString(), "none", MS_BIND), "mount " + path);
            return current(access);
          });
    } catch (IOException | RuntimeException | Error failure) {
      try {
        delete(access, name); // it may be mounted already
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
  }

  /**
   * Removes the name of a namespace, which ends if nothing else holds it.
   *
   * @param name its name in {@code /run/netns}
   * @throws IOException if there is none of that name, or the kernel refuses
   * @throws IllegalArgumentException if it is not a valid name
   */
  public static void delete(String name) throws IOException {
    delete(NativeAccess.system(), name);
  }

  /**
   * Removes the name of a network namespace, through a given port to the kernel. The namespace ends
   * if nothing else holds it.
   *
   * @param access the port
   * @param name its name in {@code /run/netns}
   * @throws IOException if there is none of that name, or the kernel refuses
   * @throws IllegalArgumentException if it is not a valid name
   */
  public static void delete(NativeAccess access, String name) throws IOException {
    Path path = pathOf(name);
    int result = access.unmount(path.toString(), MNT_DETACH);
    if (result != -Errno.EINVAL.code()) { // a leftover name, with nothing mounted on it
      LinuxException.check(result, "unmount " + path);
    }
    Files.delete(path);
  }

  /**
   * Makes mounts propagate to other mount namespaces, as {@code ip netns} does. Otherwise these
   * would keep a namespace alive after its name is removed.
   */
  private static void shareNames(NativeAccess access) throws LinuxException {
    String names = NAMES.toString();
    int result = access.mount("", names, "none", MS_SHARED | MS_REC);
    if (result == -Errno.EINVAL.code()) {
      LinuxException.check(access.mount(names, names, "none", MS_BIND | MS_REC), "mount " + names);
      result = access.mount("", names, "none", MS_SHARED | MS_REC);
    }
    LinuxException.check(result, "share " + names);
  }

  private static Path pathOf(String name) {
    if (name.isEmpty()
        || name.length() > 255
        || name.equals(".")
        || name.equals("..")
        || name.indexOf('/') >= 0
        || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("not a name of a network namespace: '" + name + "'");
    }
    return NAMES.resolve(name);
  }

  private static NetworkNamespace of(FileDescriptor descriptor, String what) throws LinuxException {
    try {
      NamespaceId id = identify(descriptor, what);
      NativeAccess access = descriptor.access();
      int type;
      try (FileDescriptor.Hold held = descriptor.hold()) {
        type = access.deviceControl(held.number(), NS_GET_NSTYPE, 0);
      }
      if (type == -Errno.ENOTTY.code() || (type >= 0 && type != CLONE_NEWNET)) {
        throw new LinuxException(what + " is not a network namespace", Errno.EINVAL.code());
      }
      LinuxException.check(type, "ask for the type of namespace " + what);
      return new NetworkNamespace(descriptor, id);
    } catch (LinuxException | RuntimeException | Error failure) {
      descriptor.close();
      throw failure;
    }
  }

  private static NamespaceId identify(FileDescriptor descriptor, String what)
      throws LinuxException {
    NativeAccess access = descriptor.access();
    ByteBuffer status = statusBuffer();
    try (FileDescriptor.Hold held = descriptor.hold()) {
      LinuxException.check(
          access.status(held.number(), "", AT_EMPTY_PATH, STATX_INO, access.address(status)),
          "stat " + what);
    } finally {
      Reference.reachabilityFence(status);
    }
    return idIn(status);
  }

  private static ByteBuffer statusBuffer() {
    return ByteBuffer.allocateDirect(StructureLayout.STATX_SIZE).order(ByteOrder.nativeOrder());
  }

  private static NamespaceId idIn(ByteBuffer status) {
    long major = status.getInt(StructureLayout.STATX_DEVICE_MAJOR);
    long minor = Integer.toUnsignedLong(status.getInt(StructureLayout.STATX_DEVICE_MINOR));
    return new NamespaceId(major << 32 | minor, status.getLong(StructureLayout.STATX_INODE));
  }

  /** {@return an ID from device and inode of the file, equal however the namespace was opened} */
  public NamespaceId id() {
    return id;
  }

  /**
   * {@return the open file of the namespace, for netlink, which stays with this object} Use {@link
   * FileDescriptor#hold} to pass its number to the kernel.
   */
  public FileDescriptor descriptor() {
    return descriptor;
  }

  /**
   * {@return the same namespace, opened again, to be closed separately}
   *
   * @throws LinuxException if the kernel refuses
   * @throws IllegalStateException if this one is closed
   */
  public NetworkNamespace duplicate() throws LinuxException {
    return new NetworkNamespace(descriptor.duplicate(), id);
  }

  /**
   * Returns the port to the kernel that this namespace was opened through. Sockets and other files
   * that are opened in the namespace use the same port.
   *
   * @return the port; {@link NativeAccess#system} unless another was given
   */
  public NativeAccess access() {
    return descriptor.access();
  }

  /**
   * Runs work inside the namespace, on a separate thread that ends afterwards. A namespace is a
   * property of a thread, and a pool thread that fails to return from it would run other work
   * there. If the calling thread is in the namespace already, it runs the work itself, which needs
   * no capability. Files that are opened inside, such as sockets, stay in the namespace.
   *
   * <p>A thread that the work starts also stays in the namespace, and keeps it alive. The work
   * should start no threads, and no processes: for each process the JVM starts a thread, which it
   * keeps for another minute. To start programs inside, use {@code nsenter --net=/proc/PID/fd/N}
   * with the number of {@link #descriptor()}.
   *
   * <p>Java's network classes that open a socket work inside, and the socket stays in the
   * namespace: {@link java.net.Socket}, {@link java.net.DatagramSocket}, the channels of {@code
   * java.nio}. {@link java.net.NetworkInterface} must not be used inside, because it mixes two
   * namespaces: it queries links with IPv4 addresses from a socket, which is inside, but reads IPv6
   * from {@code /proc/net/if_inet6}, which belongs to the namespace of the process. {@code
   * RouteNetlink} of package {@code io.dra4j.netlink.route} reads the namespace correctly.
   *
   * <p>The same applies to files: {@code /proc/net} shows the namespace of the process, {@code
   * /proc/thread-self/net} shows this namespace, and {@code /sys/class/net} shows the namespace in
   * which {@code /sys} was mounted.
   *
   * <p>If the calling thread is interrupted, the separate thread is interrupted too, and the call
   * still waits for it. A virtual thread may call this method: the thread that enters the namespace
   * is always a platform thread.
   *
   * @param <T> the type of the result
   * @param work the work
   * @return the result of the work
   * @throws LinuxException if the kernel refuses to let the thread enter; EPERM without
   *     CAP_SYS_ADMIN
   * @throws IOException if the work throws it
   * @throws IllegalStateException if the namespace is closed, or the work threw another checked
   *     exception, which is the cause
   */
  public <T> T call(Callable<T> work) throws IOException {
    if (isThatOfTheCallingThread()) {
      return onThisThread(work);
    }
    return onOwnThread(
        () -> {
          try (FileDescriptor.Hold held = descriptor.hold()) {
            LinuxException.check(
                access().setNamespace(held.number(), CLONE_NEWNET),
                "enter network namespace " + id);
          }
          return work.call();
        });
  }

  /**
   * Sets a kernel parameter of the namespace. In an unprivileged container {@code /proc/sys} is
   * read-only: mount the host's {@code /proc/sys/net} as {@code net} in another directory, and set
   * the path of that directory in the environment variable {@code DRA4J_SYSCTL_ROOT}.
   *
   * @param path below {@code /proc/sys}, with slashes, because names of interfaces may have dots:
   *     for example {@code net/ipv4/conf/eth0.100/arp_ignore}
   * @param value its value
   * @throws IOException if there is no such parameter, or the kernel refuses; with EROFS the
   *     message explains what to mount
   * @throws IllegalArgumentException if the path does not begin with {@code net/}, or leads out of
   *     it
   */
  public void setSysctl(String path, String value) throws IOException {
    String file = sysctlPath(path);
    SysctlFiles.check(file, value);
    this.<Boolean>call(
        () -> {
          new SysctlFiles(descriptor.access()).write(file, value);
          return true;
        });
  }

  /**
   * {@return a kernel parameter of the namespace, without the line end}
   *
   * @param path as for {@link #setSysctl}
   * @throws IOException if there is no such parameter, or the kernel refuses
   * @throws IllegalArgumentException if the path does not begin with {@code net/}, or leaves it
   */
  public String sysctl(String path) throws IOException {
    String file = sysctlPath(path);
    return call(() -> new SysctlFiles(descriptor.access()).read(file));
  }

  private static String sysctlPath(String path) {
    if (!SYSCTL.matcher(path).matches()) {
      throw new IllegalArgumentException("not a parameter of a network namespace: '" + path + "'");
    }
    return path;
  }

  /**
   * Returns whether the calling thread is in this namespace. If the kernel does not report it, the
   * answer is no, and a separate thread is used.
   */
  private boolean isThatOfTheCallingThread() {
    try (FileDescriptor.Hold held = descriptor.hold()) {
      ByteBuffer status = statusBuffer();
      try {
        int result =
            access().status(held.number(), OWN, 0, STATX_INO, access().address(status)); // absolute
        return result == 0 && idIn(status).equals(id);
      } finally {
        Reference.reachabilityFence(status);
      }
    }
  }

  private static <T> T onThisThread(Callable<T> work) throws IOException {
    boolean interrupted = Thread.currentThread().isInterrupted();
    Outcome<T> outcome = new Outcome<>(work);
    outcome.run();
    if (interrupted) {
      Thread.currentThread().interrupt(); // if the work handled the interrupt itself
    }
    return outcome.get();
  }

  private static <T> T onOwnThread(Callable<T> work) throws IOException {
    Outcome<T> outcome = new Outcome<>(work);
    Thread thread = new Thread(outcome, "network namespace");
    thread.setDaemon(true);
    thread.start();
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
        thread.interrupt();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return outcome.get();
  }

  /** Releases the namespace. */
  @Override
  public void close() {
    descriptor.close();
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
