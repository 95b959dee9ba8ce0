package io.dra4j.dranet.attach;

import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NativeAccess;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A BPF program of two instructions, {@code r0 = 2; exit}, as an agent of a CNI would have it. */
public final class LoadedProgram implements AutoCloseable {

  /** Where it can be attached: numbers of {@code enum bpf_attach_type} and its program type. */
  public enum Place {
    TCX_INGRESS(3, 46, 0),
    TCX_EGRESS(3, 47, 0),
    NETKIT_PRIMARY(3, 54, 0),
    XDP_GENERIC(6, 37, 2),
    XDP_NATIVE(6, 37, 4);

    private final int program;
    private final int number;
    private final int flags;

    Place(int program, int number, int flags) {
      this.program = program;
      this.number = number;
      this.flags = flags;
    }
  }

  private static final int PROG_LOAD = 5;
  private static final int PROG_ATTACH = 8;
  private static final int LINK_CREATE = 28;
  private static final int SIZE = 128;

  private static final int NEW_FILTER = 44;
  private static final int CREATE = 0x600; // NLM_F_CREATE and NLM_F_EXCL
  private static final int INGRESS = 0xfffffff2;
  private static final short ALL_PROTOCOLS = 3;
  private static final AttributeTable NAMES =
      AttributeTable.of("TCA_", "1=KIND:text OPTIONS:nest")
          .with("OPTIONS", AttributeTable.of("TCA_BPF_", "6=FD:u32 NAME:text FLAGS:u32"));

  private final NativeAccess kernel = NativeAccess.system();
  private final NetworkNamespace namespace;
  private final Place place;
  private final FileDescriptor program;

  /** Loads it. */
  public LoadedProgram(NetworkNamespace namespace, Place place, String name) throws IOException {
    this.namespace = namespace;
    this.place = place;
    ByteBuffer code = memory(16).putLong(0, 0x2_0000_00b7L).putLong(8, 0x95);
    ByteBuffer license = memory(4).put(0, "GPL".getBytes(StandardCharsets.UTF_8));
    ByteBuffer attributes = memory(SIZE).putInt(0, place.program).putInt(4, 2);
    attributes.putLong(8, kernel.address(code)).putLong(16, kernel.address(license));
    attributes.put(48, name.getBytes(StandardCharsets.UTF_8));
    program = new FileDescriptor(kernel, call(PROG_LOAD, attributes));
  }

  /** Whether this process may attach programs, and the kernel has tcx (Linux 6.6). */
  public static boolean canAttach() {
    try (TestHost one = new TestHost();
        LoadedProgram program = new LoadedProgram(one.namespace(), Place.TCX_INGRESS, "probe")) {
      program.attach(1);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static ByteBuffer memory(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }

  private int call(int command, ByteBuffer attributes) throws IOException {
    return namespace.call(
        () ->
            LinuxException.check(
                kernel.bpf(command, kernel.address(attributes), SIZE), "bpf " + command));
  }

  /** Attaches it to a link, where it stays until it is detached; not for XDP. */
  public void attach(int index) throws IOException {
    ByteBuffer attributes = memory(SIZE).putInt(0, index).putInt(4, program.number());
    call(PROG_ATTACH, attributes.putInt(8, place.number));
  }

  /** Attaches it to a link by a BPF link, which holds it as long as it is open. */
  public FileDescriptor link(int index) throws IOException {
    ByteBuffer attributes = memory(SIZE).putInt(0, program.number()).putInt(4, index);
    attributes.putInt(8, place.number).putInt(12, place.flags);
    return new FileDescriptor(kernel, call(LINK_CREATE, attributes));
  }

  /** Attaches it to the ingress of a link as a tc filter with a name; the link has a clsact. */
  public void filter(int index, String name) throws IOException {
    namespace.<Boolean>call(
        () -> {
          try (NetlinkSocket socket = NetlinkSocket.open(kernel, NetlinkSocket.ROUTE)) {
            MessageWriter request = socket.request(NEW_FILTER, CREATE, NAMES, "add filter");
            request.appendZeros(4).appendU32(index).appendU32(0).appendU32(INGRESS);
            request.appendU32(Short.toUnsignedInt(Short.reverseBytes(ALL_PROTOCOLS)) | 1 << 16);
            request.put("KIND", "bpf");
            int options = request.open("OPTIONS");
            request.put("FD", program.number()).put("NAME", name).put("FLAGS", 1);
            socket.execute(request.close(options));
          }
          return true;
        });
  }

  @Override
  public void close() {
    program.close();
  }
}
