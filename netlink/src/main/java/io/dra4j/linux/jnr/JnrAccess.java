package io.dra4j.linux.jnr;

import io.dra4j.linux.Architecture;
import io.dra4j.linux.NativeAccess;
import java.nio.ByteBuffer;
import jnr.ffi.LastError;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/** System calls through jnr-ffi. */
public final class JnrAccess implements NativeAccess {

  private final LibC libc;
  private final Runtime runtime;

  /** Binds the C library. */
  public JnrAccess() {
    this.libc = LibraryLoader.create(LibC.class).failImmediately().load("c");
    this.runtime = Runtime.getRuntime(libc);
  }

  /** jnr-ffi keeps errno per thread until that thread's next call. */
  private int checked(int result) {
    return result < 0 ? -LastError.getLastError(runtime) : result;
  }

  private int checked(long result) {
    return result < 0 ? -LastError.getLastError(runtime) : (int) result;
  }

  @Override
  public long address(ByteBuffer direct) {
    if (!direct.isDirect()) {
      throw new IllegalArgumentException("not a direct buffer");
    }
    return Pointer.wrap(runtime, direct).address() - direct.position();
  }

  @Override
  public int socket(int domain, int type, int protocol) {
    return checked(libc.socket(domain, type, protocol));
  }

  @Override
  public int bind(int fd, long address, int length) {
    return checked(libc.bind(fd, address, length));
  }

  @Override
  public int socketName(int fd, long address, long length) {
    return checked(libc.getsockname(fd, address, length));
  }

  @Override
  public int setOption(int fd, int level, int option, long value, int length) {
    return checked(libc.setsockopt(fd, level, option, value, length));
  }

  @Override
  public int getOption(int fd, int level, int option, long value, long length) {
    return checked(libc.getsockopt(fd, level, option, value, length));
  }

  @Override
  public int send(int fd, long buffer, int length, int flags) {
    return checked(libc.send(fd, buffer, length, flags));
  }

  @Override
  public int receive(int fd, long header, int flags) {
    return checked(libc.recvmsg(fd, header, flags));
  }

  @Override
  public int poll(long descriptors, int count, int milliseconds) {
    return checked(libc.poll(descriptors, count, milliseconds));
  }

  @Override
  public int setNamespace(int fd, int type) {
    return checked(libc.setns(fd, type));
  }

  @Override
  public int unshare(int flags) {
    return checked(libc.unshare(flags));
  }

  @Override
  public int open(String path, int flags) {
    return checked(libc.open(path, flags, 0));
  }

  @Override
  public int close(int fd) {
    return checked(libc.close(fd));
  }

  @Override
  public int control(int fd, int command, long argument) {
    return checked(libc.fcntl(fd, command, argument));
  }

  @Override
  public int deviceControl(int fd, long request, long argument) {
    return checked(libc.ioctl(fd, request, argument));
  }

  @Override
  public int eventDescriptor(int flags) {
    return checked(libc.eventfd(0, flags));
  }

  @Override
  public int write(int fd, long buffer, int length) {
    return checked(libc.write(fd, buffer, length));
  }

  @Override
  public int read(int fd, long buffer, int length) {
    return checked(libc.read(fd, buffer, length));
  }

  @Override
  public int bpf(int command, long attributes, int size) {
    return checked(libc.syscall(Architecture.current().bpfCall(), command, attributes, size));
  }

  @Override
  public int status(int fd, String path, int flags, int mask, long buffer) {
    return checked(libc.statx(fd, path, flags, mask, buffer));
  }

  @Override
  public int mount(String source, String target, String type, long flags) {
    return checked(libc.mount(source, target, type, flags, 0));
  }

  @Override
  public int unmount(String target, int flags) {
    return checked(libc.umount2(target, flags));
  }
}
