package io.dra4j.linux;

/**
 * The offsets of fields in kernel structures, which are the same on x86_64 and aarch64. Only {@code
 * msghdr} and {@code iovec}, which contain addresses, differ on 32-bit architectures.
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

  /** The size of {@code struct msghdr} ({@code bits/socket.h}). */
  public static final int MSGHDR_SIZE = 56;

  /** {@code msghdr.msg_name}, an address. */
  public static final int MSGHDR_NAME = 0;

  /** {@code msghdr.msg_namelen}, 32 bits. */
  public static final int MSGHDR_NAME_LENGTH = 8;

  /** {@code msghdr.msg_iov}, an address. */
  public static final int MSGHDR_VECTORS = 16;

  /** {@code msghdr.msg_iovlen}, 64 bits. */
  public static final int MSGHDR_VECTOR_COUNT = 24;

  /** The size of {@code struct iovec} ({@code bits/types/struct_iovec.h}). */
  public static final int IOVEC_SIZE = 16;

  /** {@code iovec.iov_base}, an address. */
  public static final int IOVEC_BASE = 0;

  /** {@code iovec.iov_len}, 64 bits. */
  public static final int IOVEC_LENGTH = 8;

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
