package io.dra4j.linux.jnr;

import jnr.ffi.annotations.Encoding;

/**
 * The C library, bound by jnr-ffi. Addresses and sizes are {@code long}: C's {@code long} has 64
 * bits on every supported architecture, and jnr-ffi passes it without an object. Functions with
 * variable arguments can be bound like others, because Linux passes both the same way on x86_64 and
 * aarch64. No function has six parameters: jnr-ffi 2.3.4 crashes when it calls such a function on
 * x86_64.
 *
 * <p>Every further interface and method costs time at the start, when jnr-ffi generates byte code:
 * this is the only interface.
 */
@Encoding("UTF-8") // of names of links in paths, independent of the locale
@SuppressWarnings("MissingSummary") // see the manual pages of section 2
public interface LibC {

  int socket(int domain, int type, int protocol);

  int bind(int fd, long address, int length);

  int getsockname(int fd, long address, long length);

  int setsockopt(int fd, int level, int name, long value, int length);

  int getsockopt(int fd, int level, int name, long value, long length);

  long send(int fd, long buffer, long length, int flags);

  long recvmsg(int fd, long header, int flags);

  int poll(long descriptors, long count, int milliseconds);

  int setns(int fd, int type);

  int unshare(int flags);

  int open(String path, int flags, int mode);

  int close(int fd);

  int fcntl(int fd, int command, long argument);

  int ioctl(int fd, long request, long argument);

  int eventfd(int value, int flags);

  long write(int fd, long buffer, long length);

  long read(int fd, long buffer, long length);

  long syscall(long number, int first, long second, int third);

  int statx(int fd, String path, int flags, int mask, long buffer);

  int mount(String source, String target, String type, long flags, long data);

  int umount2(String target, int flags);
}
