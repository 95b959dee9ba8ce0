package io.dra4j.rdma.verbs;

import io.dra4j.linux.Errno;
import io.dra4j.rdma.verbs.VerbsLibrary.Memory;
import io.dra4j.rdma.verbs.jnr.LibIbverbs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import jnr.ffi.LastError;
import jnr.ffi.Runtime;

/**
 * Reads the GIDs of the ports of a device. It reads all at once by {@code _ibv_query_gid_table},
 * which the header's {@code ibv_query_gid_table} calls. With an older library (rdma-core before
 * 33), it reads them one by one, without types.
 */
final class GidTable {

  /** The size of {@code struct ibv_gid_entry}, and the offsets of its fields. */
  static final int ENTRY_SIZE = 32;

  static final int ENTRY_INDEX = 16;
  static final int ENTRY_PORT = 20;
  static final int ENTRY_TYPE = 24;
  static final int ENTRY_NETDEV = 28;

  /** The names of {@code enum ibv_gid_type}, as {@code /sys} writes them. */
  private static final List<String> TYPES = List.of("IB/RoCE v1", "IB/RoCE v1", "RoCE v2");

  private static final int GID_SIZE = 16;
  private static final int MAX_ENTRIES = 65_536; // 2 MiB; ports have 1 to 1,024 entries

  private final LibIbverbs functions;
  private final Runtime runtime;

  GidTable(LibIbverbs functions, Runtime runtime) {
    this.functions = functions;
    this.runtime = runtime;
  }

  /** The GIDs by the number of the port. */
  Map<Integer, List<VerbsGid>> read(
      String device, long context, List<PortLimits> ports, Consumer<String> warnings) {
    Map<Integer, Integer> places = new HashMap<>();
    int all = 0;
    for (PortLimits port : ports) {
      long length = Math.max(0, port.values().getOrDefault(PortField.GID_TBL_LEN, 0L));
      int read = (int) Math.min(length, MAX_ENTRIES - all);
      if (read < length) {
        warnings.accept(
            "libibverbs: "
                + device
                + " port "
                + port.number()
                + ": "
                + length
                + " GIDs; only the first "
                + read
                + " are read");
      }
      places.put(port.number(), read);
      all += read;
    }
    if (all == 0) {
      return Map.of();
    }
    Map<Integer, List<VerbsGid>> gids = new HashMap<>();
    try {
      table(device, context, all, gids, warnings);
    } catch (UnsatisfiedLinkError e) { // the library is too old for the function
      places.forEach(
          (port, length) -> gids.put(port, each(device, context, port, length, warnings)));
    }
    return gids;
  }

  private void table(
      String device,
      long context,
      int room,
      Map<Integer, List<VerbsGid>> gids,
      Consumer<String> warnings) {
    Memory entries = Memory.of(room * ENTRY_SIZE);
    long count = functions._ibv_query_gid_table(context, entries.address(), room, 0, ENTRY_SIZE);
    if (count < 0 || count > room) {
      warnings.accept(
          "libibverbs: "
              + device
              + ": ibv_query_gid_table: "
              + (count < 0 ? Errno.nameOf((int) -count) : count + " of " + room + " GIDs"));
      return;
    }
    ByteBuffer buffer = entries.buffer();
    for (int i = 0; i < count; i++) {
      int at = i * ENTRY_SIZE;
      int type = buffer.getInt(at + ENTRY_TYPE);
      int netdev = buffer.getInt(at + ENTRY_NETDEV);
      if (isUsed(buffer, at)) {
        gids.computeIfAbsent(buffer.getInt(at + ENTRY_PORT), port -> new ArrayList<>())
            .add(
                new VerbsGid(
                    buffer.getInt(at + ENTRY_INDEX),
                    groups(buffer, at, GID_SIZE),
                    type >= 0 && type < TYPES.size() ? TYPES.get(type) : "",
                    netdev > 0 ? OptionalInt.of(netdev) : OptionalInt.empty()));
      }
    }
  }

  private List<VerbsGid> each(
      String device, long context, int port, int places, Consumer<String> warnings) {
    List<VerbsGid> gids = new ArrayList<>();
    Memory gid = Memory.of(GID_SIZE);
    for (int i = 0; i < places; i++) {
      int result = functions.ibv_query_gid(context, port, i, gid.address());
      if (result != 0) {
        int error = result > 0 ? result : LastError.getLastError(runtime);
        warnings.accept(
            "libibverbs: "
                + device
                + " port "
                + port
                + ": ibv_query_gid "
                + i
                + ": "
                + Errno.nameOf(error));
        break;
      }
      if (isUsed(gid.buffer(), 0)) {
        gids.add(new VerbsGid(i, groups(gid.buffer(), 0, GID_SIZE), "", OptionalInt.empty()));
      }
    }
    return gids;
  }

  /**
   * Whether an entry is in use. Like {@code ibv_devinfo}, it ignores GIDs that end in 8 zero bytes.
   */
  private static boolean isUsed(ByteBuffer buffer, int offset) {
    return buffer.getLong(offset + Long.BYTES) != 0;
  }

  /** Formats bytes in network order in groups of four digits. */
  static String groups(ByteBuffer buffer, int offset, int bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bytes; i++) {
      text.append(i > 0 && i % 2 == 0 ? ":" : "")
          .append("%02x".formatted(Byte.toUnsignedInt(buffer.get(offset + i))));
    }
    return text.toString();
  }
}
