package io.dra4j.linux;

import java.nio.ByteBuffer;

/**
 * The system calls that this library needs. Memory is passed by address, so that no call copies or
 * allocates; the caller that passes an address keeps its buffer reachable until the call is over.
 *
 * <p>A call that fails returns the negative error number, as the kernel itself does: {@code -2} is
 * {@link Errno#ENOENT}. Calls are not repeated after {@link Errno#EINTR}. Implementations are
 * thread-safe.
 */
public interface NativeAccess {

  /**
   * {@return the port to this process's kernel, always the same} The first call loads native code.
   *
   * @throws NativeUnavailableException if that is not possible: the JVM denies native access, the
   *     directory for temporary files is not writable or is mounted {@code noexec}, the C library
   *     is musl, the JVM has 32 bits or an unknown architecture, or the system is not Linux. The
   *     message has the cause and what to do. Each further call throws it again.
   */
  static NativeAccess system() {
    return NativeLoading.access();
  }

  /**
   * {@return the address of byte 0 of a direct buffer, whatever its position}
   *
   * @param direct a direct buffer
   * @throws IllegalArgumentException if it is not direct
   */
  long address(ByteBuffer direct);

  /**
   * {@return the file descriptor of a new socket, or the negative error}
   *
   * @param domain the address family
   * @param type the type, with flags
   * @param protocol the protocol
   */
  int socket(int domain, int type, int protocol);

  /**
   * Gives a socket its address.
   *
   * @param fd the socket
   * @param address the address of the {@code sockaddr}
   * @param length its length in bytes
   * @return 0, or the negative error
   */
  int bind(int fd, long address, int length);

  /**
   * Returns the address of a socket ({@code getsockname}).
   *
   * @param fd the socket
   * @param address the memory for the {@code sockaddr}
   * @param length the address of a 32-bit number: the size of that memory, then of the result
   * @return 0, or the negative error
   */
  int socketName(int fd, long address, long length);

  /**
   * Sets an option of a socket ({@code setsockopt}).
   *
   * @param fd the socket
   * @param level the protocol level
   * @param option the option
   * @param value the address of the value
   * @param length the length of the value in bytes
   * @return 0, or the negative error
   */
  int setOption(int fd, int level, int option, long value, int length);

  /**
   * Reads an option of a socket ({@code getsockopt}).
   *
   * @param fd the socket
   * @param level the protocol level
   * @param option the option
   * @param value the memory for the value
   * @param length the address of a 32-bit number: the size of that memory, then of the result
   * @return 0, or the negative error
   */
  int getOption(int fd, int level, int option, long value, long length);

  /**
   * Sends a datagram.
   *
   * @param fd the socket
   * @param buffer the address of the datagram
   * @param length its length in bytes
   * @param flags flags of {@code send}
   * @return the number of bytes sent, or the negative error
   */
  int send(int fd, long buffer, int length, int flags);

  /**
   * Receives a datagram ({@code recvmsg}).
   *
   * @param fd the socket
   * @param header the address of a {@code struct msghdr}, which has the memory for the datagram
   * @param flags flags of {@code recvmsg}
   * @return the number of bytes received, or the negative error
   */
  int receive(int fd, long header, int flags);

  /**
   * Waits for descriptors.
   *
   * @param descriptors the address of the {@code struct pollfd}s
   * @param count their number
   * @param milliseconds the longest time to wait; negative for no limit
   * @return the number of ready descriptors, or the negative error
   */
  int poll(long descriptors, int count, int milliseconds);

  /**
   * Moves the calling thread into a namespace ({@code setns}).
   *
   * @param fd the namespace
   * @param type its type, {@code CLONE_NEW...}
   * @return 0, or the negative error
   */
  int setNamespace(int fd, int type);

  /**
   * Moves the calling thread into new namespaces.
   *
   * @param flags the types of the namespaces, {@code CLONE_NEW...}
   * @return 0, or the negative error
   */
  int unshare(int flags);

  /**
   * {@return the file descriptor of a newly opened file, or the negative error}
   *
   * @param path its path
   * @param flags the flags; see {@link Architecture}
   */
  int open(String path, int flags);

  /**
   * Closes a file descriptor.
   *
   * @param fd the descriptor
   * @return 0, or the negative error
   */
  int close(int fd);

  /**
   * {@return the result of an operation on a descriptor ({@code fcntl}), or the negative error}
   *
   * @param fd the descriptor
   * @param command the operation
   * @param argument its argument
   */
  int control(int fd, int command, long argument);

  /**
   * {@return the result of an operation on a device ({@code ioctl}), or the negative error}
   *
   * @param fd the descriptor
   * @param request the operation
   * @param argument its argument, usually an address
   */
  int deviceControl(int fd, long request, long argument);

  /**
   * {@return the file descriptor of a new event counter ({@code eventfd}), or the negative error}
   *
   * @param flags its flags
   */
  int eventDescriptor(int flags);

  /**
   * Writes to a file descriptor.
   *
   * @param fd the descriptor
   * @param buffer the address of the bytes
   * @param length their number
   * @return the number of bytes written, or the negative error
   */
  int write(int fd, long buffer, int length);

  /**
   * Reads from a file descriptor.
   *
   * @param fd the descriptor
   * @param buffer the memory for the bytes
   * @param length its size in bytes
   * @return the number of bytes read, 0 at the end of the file, or the negative error
   */
  int read(int fd, long buffer, int length);

  /**
   * Performs an operation on BPF programs ({@code bpf}, which the C library does not wrap).
   *
   * @param command the operation, {@code enum bpf_cmd} of {@code linux/bpf.h}
   * @param attributes the address of its {@code union bpf_attr}
   * @param size the size of these attributes in bytes
   * @return the result of the operation, or the negative error; ENOSYS if the kernel has no BPF
   */
  int bpf(int command, long attributes, int size);

  /**
   * Describes a file ({@code statx}, whose structure is the same on every architecture).
   *
   * @param fd a descriptor that {@code path} is relative to
   * @param path a path; empty for the descriptor itself
   * @param flags flags of {@code statx}
   * @param mask the requested fields
   * @param buffer the memory for 256 bytes
   * @return 0, or the negative error
   */
  int status(int fd, String path, int flags, int mask, long buffer);

  /**
   * Mounts a file system.
   *
   * @param source the source
   * @param target the mount point
   * @param type the type of the file system
   * @param flags the mount flags
   * @return 0, or the negative error
   */
  int mount(String source, String target, String type, long flags);

  /**
   * Unmounts a file system ({@code umount2}).
   *
   * @param target the mount point
   * @param flags the flags
   * @return 0, or the negative error
   */
  int unmount(String target, int flags);
}
