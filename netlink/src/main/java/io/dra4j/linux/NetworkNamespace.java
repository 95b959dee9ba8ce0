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
 * An open network namespace. It lives as long as it is held: by this object, a process in it, or a
 * name in {@code /run/netns}. Immutable and thread-safe, apart from being closed.
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

  /** Below net, through no empty folder and none of dots. */
  private static final Pattern SYSCTL = Pattern.compile("net(/(?!\\.{0,2}(/|$))[^/\\x00]+)+");

  private static final int CLONE_NEWNET = 0x40000000;

  /** The namespace of the thread that asks. */
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
   * The namespace that the calling thread is in.
   *
   * @return the namespace
   * @throws LinuxException if the kernel refuses
   */
  public static NetworkNamespace current() throws LinuxException {
    return current(NativeAccess.system());
  }

  /**
   * Opens the network namespace that the calling thread is in, through a given port to the kernel.
   *
   * @param access the port, which the namespace and all that is opened in it go through
   * @return the namespace
   * @throws LinuxException if the kernel refuses
   */
  public static NetworkNamespace current(NativeAccess access) throws LinuxException {
    return open(access, Path.of(OWN));
  }

  /**
   * The namespace of a process.
   *
   * @param process its number
   * @return the namespace
   * @throws LinuxException if there is no such process, or the kernel refuses
   */
  public static NetworkNamespace ofProcess(long process) throws LinuxException {
    return open(Path.of("/proc/" + process + "/ns/net"));
  }

  /**
   * The namespace that {@code ip netns} knows by a name.
   *
   * @param name its name in {@code /run/netns}
   * @return the namespace
   * @throws LinuxException if there is none of that name, or the kernel refuses
   * @throws IllegalArgumentException if it cannot be a name
   */
  public static NetworkNamespace named(String name) throws LinuxException {
    return open(pathOf(name));
  }

  /**
   * The namespace that a file stands for.
   *
   * @param path for example {@code /run/netns/blue} or {@code /proc/1/ns/net}
   * @return the namespace
   * @throws LinuxException if the kernel refuses; EINVAL if the file is no network namespace
   */
  public static NetworkNamespace open(Path path) throws LinuxException {
    return open(NativeAccess.system(), path);
  }

  /**
   * Opens the network namespace that a file stands for, through a given port to the kernel.
   *
   * @param access the port, which the namespace and all that is opened in it go through
   * @param path for example {@code /run/netns/blue} or {@code /proc/1/ns/net}
   * @return the namespace
   * @throws LinuxException if the kernel refuses; EINVAL if the file is no network namespace
   */
  public static NetworkNamespace open(NativeAccess access, Path path) throws LinuxException {
    int flags = Architecture.O_RDONLY | Architecture.O_NONBLOCK; // a pipe would wait for a writer
    return of(FileDescriptor.open(access, path.toString(), flags), path.toString());
  }

  /**
   * The namespace that another owner has open.
   *
   * @param number the file descriptor, which stays with its owner
   * @return the namespace
   * @throws LinuxException if the kernel refuses; EINVAL if it is no network namespace
   */
  public static NetworkNamespace ofDescriptor(int number) throws LinuxException {
    return ofDescriptor(NativeAccess.system(), number);
  }

  /**
   * Opens the network namespace that another owner has open, through a given port to the kernel.
   *
   * @param access the port, which the namespace and all that is opened in it go through
   * @param number the file descriptor, which stays with its owner
   * @return the namespace
   * @throws LinuxException if the kernel refuses; EINVAL if it is no network namespace
   */
  public static NetworkNamespace ofDescriptor(NativeAccess access, int number)
      throws LinuxException {
    return of(FileDescriptor.duplicate(access, number), "file descriptor " + number);
  }

  /**
   * Makes a namespace without a name: it ends when it is closed and nothing else holds it.
   *
   * @return an empty namespace, its loopback device down
   * @throws IOException if the kernel refuses; EPERM without CAP_SYS_ADMIN
   */
  public static NetworkNamespace create() throws IOException {
    return create(NativeAccess.system());
  }

  /**
   * Makes a network namespace without a name, through a given port to the kernel.
   *
   * @param access the port, which the namespace and all that is opened in it go through
   * @return an empty namespace, its loopback device down; it ends when it is closed and nothing
   *     else holds it
   * @throws IOException if the kernel refuses; EPERM without CAP_SYS_ADMIN
   */
  public static NetworkNamespace create(NativeAccess access) throws IOException {
    return onOwnThread(
        () -> {
          LinuxException.check(access.unshare(CLONE_NEWNET), "make a network namespace");
          return current(access);
        });
  }

  /**
   * Makes a namespace with a name, as {@code ip netns add} does: it stays until it is deleted.
   *
   * @param name a name for {@code /run/netns}
   * @return an empty namespace, its loopback device down
   * @throws IOException if the name is taken, or the kernel refuses
   * @throws IllegalArgumentException if it cannot be a name
   */
  public static NetworkNamespace create(String name) throws IOException {
    return create(NativeAccess.system(), name);
  }

  /**
   * Makes a network namespace with a name, as {@code ip netns add} does, through a given port to
   * the kernel.
   *
   * @param access the port, which the namespace and all that is opened in it go through
   * @param name a name for {@code /run/netns}
   * @return an empty namespace, its loopback device down; it stays until it is deleted
   * @throws IOException if the name is taken, or the kernel refuses
   * @throws IllegalArgumentException if it cannot be a name
   */
  public static NetworkNamespace create(NativeAccess access, String name) throws IOException {
    Path path = pathOf(name);
    Files.createDirectories(NAMES);
    shareNames(access);
    Files.createFile(path);
    try {
      return onOwnThread(
          () -> {
            LinuxException.check(access.unshare(CLONE_NEWNET), "make a network namespace");
            LinuxException.check(
                access.mount(OWN, path.toString(), "none", MS_BIND), "mount " + path);
            return current(access);
          });
    } catch (IOException | RuntimeException | Error failure) {
      try {
        delete(access, name); // it may be mounted by now
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
  }

  /**
   * Takes the name from a namespace, which ends if nothing else holds it.
   *
   * @param name its name in {@code /run/netns}
   * @throws IOException if there is none of that name, or the kernel refuses
   * @throws IllegalArgumentException if it cannot be a name
   */
  public static void delete(String name) throws IOException {
    delete(NativeAccess.system(), name);
  }

  /**
   * Takes the name from a network namespace, through a given port to the kernel. The namespace ends
   * if nothing else holds it.
   *
   * @param access the port
   * @param name its name in {@code /run/netns}
   * @throws IOException if there is none of that name, or the kernel refuses
   * @throws IllegalArgumentException if it cannot be a name
   */
  public static void delete(NativeAccess access, String name) throws IOException {
    Path path = pathOf(name);
    int result = access.unmount(path.toString(), MNT_DETACH);
    if (result != -Errno.EINVAL.code()) { // a name left over, with nothing mounted on it
      LinuxException.check(result, "unmount " + path);
    }
    Files.delete(path);
  }

  /**
   * Mounts made later must appear in the mount namespaces of others, or those would keep the
   * namespace alive after its name is gone (as {@code ip netns} does it).
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
        throw new LinuxException(what + " is no network namespace", Errno.EINVAL.code());
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

  /**
   * Returns what identifies the namespace among all that are open: device and inode of its file.
   *
   * @return equal for the same namespace, however it was opened
   */
  public NamespaceId id() {
    return id;
  }

  /**
   * Returns the open file that stands for the namespace, as netlink wants it. {@link
   * FileDescriptor#hold} it to pass its number to the kernel.
   *
   * @return the descriptor, which stays with this object
   */
  public FileDescriptor descriptor() {
    return descriptor;
  }

  /**
   * Opens the same namespace again, to be closed on its own.
   *
   * @return the same namespace
   * @throws LinuxException if the kernel refuses
   * @throws IllegalStateException if this one is closed
   */
  public NetworkNamespace duplicate() throws LinuxException {
    return new NetworkNamespace(descriptor.duplicate(), id);
  }

  /**
   * Returns the port to the kernel that this namespace was opened through. What is opened in the
   * namespace, such as sockets, goes through the same.
   *
   * @return the port; {@link NativeAccess#system} unless another was given
   */
  public NativeAccess access() {
    return descriptor.access();
  }

  /**
   * Does something inside the namespace, on a thread of its own that ends afterwards: a namespace
   * belongs to a thread, and a thread of a pool that could not return would take others there. A
   * calling thread that is in the namespace already does it itself, which needs no capability. What
   * is opened inside, such as a socket, stays in the namespace.
   *
   * <p>So does a thread that the work starts, and it keeps the namespace alive as long as it lives.
   * Start none, and no process either: the JVM starts a thread of its own for each, which it keeps
   * for another minute. Let {@code nsenter --net=/proc/PID/fd/N} with the number of {@link
   * #descriptor()} start programs inside.
   *
   * <p>Of Java's own network classes, those that open a socket work inside, and the socket stays in
   * the namespace: {@link java.net.Socket}, {@link java.net.DatagramSocket}, the channels of {@code
   * java.nio}. {@link java.net.NetworkInterface} must not be used inside, because it mixes two
   * namespaces: it asks a socket for links with IPv4 addresses, which are those inside, but reads
   * {@code /proc/net/if_inet6} for IPv6, which is that of the process. {@code RouteNetlink} of
   * package {@code io.dra4j.netlink.route} reads what is inside.
   *
   * <p>So it is with files: {@code /proc/net} is that of the process, {@code /proc/thread-self/net}
   * that of the namespace, and {@code /sys/class/net} that of the namespace in which {@code /sys}
   * was mounted.
   *
   * <p>If the calling thread is interrupted, the other one is too, and is still waited for. A
   * virtual thread may call this: a thread that enters a namespace is always a platform thread.
   *
   * @param <T> what it gives
   * @param work what to do
   * @return what it gave
   * @throws LinuxException if the kernel does not let the thread in; EPERM without CAP_SYS_ADMIN
   * @throws IOException what the work threw
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
   * Sets a kernel parameter of the namespace. In a container that is not privileged {@code
   * /proc/sys} is read-only: mount the host's {@code /proc/sys/net} as {@code net} in another
   * folder, and name that folder in the environment variable {@code DRA4J_SYSCTL_ROOT}.
   *
   * @param path below {@code /proc/sys}, with slashes, because names of interfaces may have dots:
   *     for example {@code net/ipv4/conf/eth0.100/arp_ignore}
   * @param value its value
   * @throws IOException if there is no such parameter, or the kernel refuses; EROFS says what to
   *     mount
   * @throws IllegalArgumentException if the path does not begin with {@code net/}, or leads out
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
   * Reads a kernel parameter of the namespace.
   *
   * @param path as for {@link #setSysctl}
   * @return its value, without the line end
   * @throws IOException if there is no such parameter, or the kernel refuses
   * @throws IllegalArgumentException if the path does not begin with {@code net/}, or leads out
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

  /** What the kernel does not report is no: the thread of its own then fails, or does not. */
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
      Thread.currentThread().interrupt(); // if the work took it for its own
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

  /** Lets the namespace go. */
  @Override
  public void close() {
    descriptor.close();
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
