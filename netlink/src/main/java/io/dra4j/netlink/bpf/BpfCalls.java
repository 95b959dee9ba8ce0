package io.dra4j.netlink.bpf;

import io.dra4j.linux.Errno;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NativeAccess;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The commands of {@code bpf(2)} that programs of links need, in the network namespace of the
 * calling thread. Layouts are those of {@code union bpf_attr}, {@code struct bpf_prog_info} and
 * {@code struct bpf_link_info} in {@code linux/bpf.h}, the same on every architecture. Not
 * thread-safe.
 */
final class BpfCalls {

  private static final int PROG_DETACH = 9;
  private static final int PROG_GET_FD_BY_ID = 13;
  private static final int OBJ_GET_INFO_BY_FD = 15;
  private static final int PROG_QUERY = 16;
  private static final int LINK_GET_FD_BY_ID = 30;
  private static final int LINK_GET_NEXT_ID = 31;
  private static final int LINK_DETACH = 34;

  private static final int LINK_TYPE_XDP = 6;
  private static final int MOST = 64; // BPF_MPROG_MAX
  private static final int MOST_LINKS = 1 << 20;
  private static final int ATTEMPTS = 5; // as many as libbpf has

  private static final int ATTRIBUTES = 64;
  private static final int PROGRAMS = ATTRIBUTES;
  private static final int LINKS = PROGRAMS + 4 * MOST;
  private static final int INFO = LINKS + 4 * MOST;
  private static final int INFO_SIZE = 80;
  private static final int PROGRAM_NAME = INFO + 64;
  private static final int NAME_SIZE = 16;

  private final NativeAccess access;
  private final ByteBuffer memory =
      ByteBuffer.allocateDirect(INFO + INFO_SIZE).order(ByteOrder.nativeOrder());
  private final long address;

  BpfCalls(NativeAccess access) {
    this.access = access;
    this.address = access.address(memory);
  }

  private void clear() {
    for (int at = 0; at < memory.capacity(); at += 8) {
      memory.putLong(at, 0);
    }
  }

  private static boolean isPassing(int result) {
    return result == -Errno.EINTR.code() || result == -Errno.EAGAIN.code();
  }

  private int call(int command) {
    try {
      int result = access.bpf(command, address, ATTRIBUTES);
      for (int i = 1; i < ATTEMPTS && isPassing(result); i++) {
        result = access.bpf(command, address, ATTRIBUTES);
      }
      return result;
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /** An attached program, and the BPF link that holds it, or 0. */
  record Attached(int program, int bpfLink) {}

  /**
   * Returns the programs of a tcx or netkit place. Returns none if the kernel is too old (ENOSYS,
   * EINVAL) or the link is not of that kind (ENXIO, or EACCES for the peer of a netkit pair).
   */
  List<Attached> query(int index, AttachPoint point) throws LinuxException {
    clear();
    memory.putInt(0, index).putInt(4, point.number());
    memory.putLong(16, address + PROGRAMS).putInt(24, MOST).putLong(40, address + LINKS);
    int result = call(PROG_QUERY);
    if (isNone(result, point)) {
      return List.of();
    }
    LinuxException.check(result, "list programs at " + point + " of link " + index);
    int count = Math.min(MOST, Math.max(0, memory.getInt(24)));
    List<Attached> attached = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      attached.add(new Attached(memory.getInt(PROGRAMS + 4 * i), memory.getInt(LINKS + 4 * i)));
    }
    return attached;
  }

  private static boolean isNone(int result, AttachPoint point) {
    boolean netkit = point == AttachPoint.NETKIT_PRIMARY || point == AttachPoint.NETKIT_PEER;
    return result == -Errno.ENOSYS.code()
        || result == -Errno.EINVAL.code()
        || result == -Errno.EOPNOTSUPP.code()
        || (netkit && (result == -Errno.ENXIO.code() || result == -Errno.EACCES.code()));
  }

  FileDescriptor program(int number) throws LinuxException {
    return byNumber(PROG_GET_FD_BY_ID, number, "open BPF program ");
  }

  FileDescriptor link(int number) throws LinuxException {
    return byNumber(LINK_GET_FD_BY_ID, number, "open BPF link ");
  }

  private FileDescriptor byNumber(int command, int number, String operation) throws LinuxException {
    clear();
    memory.putInt(0, number);
    int descriptor = LinuxException.check(call(command), operation + number);
    return new FileDescriptor(access, descriptor);
  }

  /** Fills {@link #INFO}. */
  private void information(FileDescriptor of, String operation) throws LinuxException {
    clear();
    memory.putInt(0, of.number()).putInt(4, INFO_SIZE).putLong(8, address + INFO);
    LinuxException.check(call(OBJ_GET_INFO_BY_FD), operation);
  }

  /** Returns the name of a program; empty if it is gone, or the caller lacks the permission. */
  String name(int number) throws LinuxException {
    try (FileDescriptor program = program(number)) {
      information(program, "describe BPF program " + number);
      byte[] name = new byte[NAME_SIZE];
      memory.get(PROGRAM_NAME, name);
      int length = 0;
      while (length < NAME_SIZE && name[length] != 0) {
        length++;
      }
      return new String(name, 0, length, StandardCharsets.UTF_8);
    } catch (LinuxException e) {
      if (e.is(Errno.EPERM) || e.is(Errno.ENOENT)) {
        return "";
      }
      throw e;
    }
  }

  /**
   * Returns the BPF link that holds an XDP program on a network link. The kernel reports the index
   * of that network link but not its namespace, so the BPF link may belong to another namespace,
   * where the same program is on a link with the same index. Before it detaches, a caller must
   * check by netlink which program is attached.
   *
   * @throws LinuxException ENOTUNIQ if several fit
   */
  OptionalInt xdpLink(int index, int program) throws LinuxException {
    int found = 0;
    int number = 0;
    for (int i = 0; i < MOST_LINKS; i++) {
      clear();
      memory.putInt(0, number);
      int result = call(LINK_GET_NEXT_ID);
      if (result == -Errno.ENOENT.code() || isNone(result, AttachPoint.XDP_NATIVE)) {
        break;
      }
      LinuxException.check(result, "list BPF links");
      number = memory.getInt(4);
      if (isXdp(number, index, program)) {
        if (found != 0) {
          String which = "choose among BPF links " + found + " and " + number;
          throw new LinuxException(
              which + " for XDP program " + program + " of link " + index, Errno.ENOTUNIQ.code());
        }
        found = number;
      }
    }
    return found == 0 ? OptionalInt.empty() : OptionalInt.of(found);
  }

  private boolean isXdp(int number, int index, int program) throws LinuxException {
    try (FileDescriptor link = link(number)) {
      information(link, "describe BPF link " + number);
      return memory.getInt(INFO) == LINK_TYPE_XDP
          && memory.getInt(INFO + 8) == program
          && memory.getInt(INFO + 16) == index;
    } catch (LinuxException e) {
      if (e.is(Errno.ENOENT)) { // removed since it was listed
        return false;
      }
      throw e;
    }
  }

  /** Detaches the program of a BPF link; the BPF link stays, empty. */
  void detachLink(int number, int index, int program) throws LinuxException {
    try (FileDescriptor link = link(number)) {
      information(link, "describe BPF link " + number);
      if (memory.getInt(INFO + 8) != program || memory.getInt(INFO + 16) != index) {
        String operation =
            "detach BPF link " + number + ", whose number is now used by another BPF link";
        throw new LinuxException(operation, Errno.ENOENT.code());
      }
      clear();
      memory.putInt(0, link.number());
      LinuxException.check(call(LINK_DETACH), "detach BPF link " + number);
    }
  }

  /** Detaches a program that was attached directly. */
  void detachProgram(LinkProgram attached) throws LinuxException {
    try (FileDescriptor program = program(attached.program())) {
      clear();
      memory.putInt(0, attached.index()).putInt(4, program.number());
      memory.putInt(8, attached.point().number());
      LinuxException.check(call(PROG_DETACH), "detach " + attached);
    }
  }
}
