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
   * Returns the port to the kernel that this process runs on. The first call loads native code.
   *
   * @return the same port each time
   * @throws NativeUnavailableException if that is not possible: the JVM denies native access, the
   *     folder for temporary files is not writable or is mounted {@code noexec}, the C library is
   *     musl, the JVM has 32 bits or an unknown architecture, or the system is not Linux. The
   *     message says which, and what to do. It is thrown by each call.
   */
  static NativeAccess system() {
    return NativeLoading.access();
  }

  /**
   * Where a direct buffer begins.
   *
   * @param direct a direct buffer
   * @return the address of its byte 0, whatever its position
   * @throws IllegalArgumentException if it is not direct
   */
  long address(ByteBuffer direct);

  /**
   * Makes a socket.
   *
   * @param domain the address family
   * @param type the type, with flags
   * @param protocol the protocol
   * @return a file descriptor, or the negative error
   */
  int socket(int domain, int type, int protocol);

  /**
   * Gives a socket its address.
   *
   * @param fd the socket
   * @param address where the address is
   * @param length its length in bytes
   * @return 0, or the negative error
   */
  int bind(int fd, long address, int length);

  /**
   * Returns the address of a socket ({@code getsockname}).
   *
   * @param fd the socket
   * @param address where the address goes
   * @param length where a 32-bit number is: the room there, and afterwards the length
   * @return 0, or the negative error
   */
  int socketName(int fd, long address, long length);

  /**
   * Sets an option of a socket ({@code setsockopt}).
   *
   * @param fd the socket
   * @param level the protocol level
   * @param option the option
   * @param value where its value is
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
   * @param value where its value goes
   * @param length where a 32-bit number is: the room there, and afterwards the length
   * @return 0, or the negative error
   */
  int getOption(int fd, int level, int option, long value, long length);

  /**
   * Sends a datagram.
   *
   * @param fd the socket
   * @param buffer where it is
   * @param length its length in bytes
   * @param flags flags of {@code send}
   * @return how many bytes were sent, or the negative error
   */
  int send(int fd, long buffer, int length, int flags);

  /**
   * Receives a datagram ({@code recvmsg}).
   *
   * @param fd the socket
   * @param header where the {@code struct msghdr} is that says where the datagram goes
   * @param flags flags of {@code recvmsg}
   * @return how many bytes came, or the negative error
   */
  int receive(int fd, long header, int flags);

  /**
   * Waits for descriptors.
   *
   * @param descriptors where the {@code struct pollfd}s are
   * @param count how many
   * @param milliseconds how long at most; negative for ever
   * @return how many are ready, or the negative error
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
   * Gives the calling thread namespaces of its own.
   *
   * @param flags which, {@code CLONE_NEW...}
   * @return 0, or the negative error
   */
  int unshare(int flags);

  /**
   * Opens a file.
   *
   * @param path its path
   * @param flags how; see {@link Architecture}
   * @return a file descriptor, or the negative error
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
   * Does something with a file descriptor ({@code fcntl}).
   *
   * @param fd the descriptor
   * @param command what
   * @param argument its argument
   * @return what the command gives, or the negative error
   */
  int control(int fd, int command, long argument);

  /**
   * Does something with a device ({@code ioctl}).
   *
   * @param fd the descriptor
   * @param request what
   * @param argument its argument, mostly an address
   * @return what the request gives, or the negative error
   */
  int deviceControl(int fd, long request, long argument);

  /**
   * Makes an event counter ({@code eventfd}).
   *
   * @param flags its flags
   * @return a file descriptor, or the negative error
   */
  int eventDescriptor(int flags);

  /**
   * Writes to a file descriptor.
   *
   * @param fd the descriptor
   * @param buffer where the bytes are
   * @param length how many
   * @return how many were written, or the negative error
   */
  int write(int fd, long buffer, int length);

  /**
   * Reads from a file descriptor.
   *
   * @param fd the descriptor
   * @param buffer where the bytes go
   * @param length how many there is room for
   * @return how many were read, 0 at the end of the file, or the negative error
   */
  int read(int fd, long buffer, int length);

  /**
   * Does something with BPF programs ({@code bpf}, which the C library does not wrap).
   *
   * @param command what, {@code enum bpf_cmd} of {@code linux/bpf.h}
   * @param attributes where its {@code union bpf_attr} is
   * @param size how many bytes of it there are
   * @return what the command gives, or the negative error; ENOSYS where the kernel has no BPF
   */
  int bpf(int command, long attributes, int size);

  /**
   * Describes a file ({@code statx}, whose structure is the same on every architecture).
   *
   * @param fd a descriptor that {@code path} is relative to
   * @param path a path; empty for the descriptor itself
   * @param flags flags of {@code statx}
   * @param mask which fields are wanted
   * @param buffer where 256 bytes go
   * @return 0, or the negative error
   */
  int status(int fd, String path, int flags, int mask, long buffer);

  /**
   * Mounts a file system.
   *
   * @param source what
   * @param target where
   * @param type the type of the file system
   * @param flags how
   * @return 0, or the negative error
   */
  int mount(String source, String target, String type, long flags);

  /**
   * Unmounts a file system ({@code umount2}).
   *
   * @param target where it is mounted
   * @param flags how
   * @return 0, or the negative error
   */
  int unmount(String target, int flags);
}
