package io.dra4j.linux;

/**
 * Where the fields of kernel structures are: the same on x86_64 and aarch64, and on every
 * architecture that Linux runs on, except for {@code ifreq}, which holds a pointer.
 */
public final class StructureLayout {

  /** The size of {@code struct sockaddr_nl} ({@code linux/netlink.h}). */
  public static final int SOCKADDR_NL_SIZE = 12;

  /** {@code sockaddr_nl.nl_family}, 16 bits. */
  public static final int SOCKADDR_NL_FAMILY = 0;

  /** {@code sockaddr_nl.nl_pid}, 32 bits. */
  public static final int SOCKADDR_NL_PORT = 4;

  /** {@code sockaddr_nl.nl_groups}, 32 bits. */
  public static final int SOCKADDR_NL_GROUPS = 8;

  /** The size of {@code struct pollfd} ({@code asm-generic/poll.h}). */
  public static final int POLLFD_SIZE = 8;

  /** {@code pollfd.events}, 16 bits. */
  public static final int POLLFD_EVENTS = 4;

  /** {@code pollfd.revents}, 16 bits. */
  public static final int POLLFD_RETURNED = 6;

  /** The size of {@code struct statx} ({@code linux/stat.h}). */
  public static final int STATX_SIZE = 256;

  /** {@code statx.stx_ino}, 64 bits. */
  public static final int STATX_INODE = 32;

  /** {@code statx.stx_dev_major}, 32 bits; {@code stx_dev_minor} follows. */
  public static final int STATX_DEVICE_MAJOR = 136;

  /** {@code statx.stx_dev_minor}, 32 bits. */
  public static final int STATX_DEVICE_MINOR = 140;

  private StructureLayout() {}
}
