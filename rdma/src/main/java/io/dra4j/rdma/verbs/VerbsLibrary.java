package io.dra4j.rdma.verbs;

import io.dra4j.linux.Errno;
import io.dra4j.linux.NativeAccess;
import io.dra4j.linux.NativeUnavailableException;
import io.dra4j.rdma.verbs.jnr.LibIbverbs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import jnr.ffi.LastError;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import org.jspecify.annotations.Nullable;

/** Calls a loaded {@code libibverbs.so.1}. Thread-safe, as the library is. */
final class VerbsLibrary {

  /** The name with version; only development packages install the name without one. */
  static final String NAME = "libibverbs.so.1";

  private static final int MAX_DEVICES = 4_096;

  /** The offsets of strings and GUIDs in {@code struct ibv_device_attr}. */
  static final int FIRMWARE_BYTES = 64;

  static final int NODE_GUID = 64;
  static final int SYSTEM_GUID = 72;

  private final LibIbverbs functions;
  private final Runtime runtime;

  private VerbsLibrary(LibIbverbs functions) {
    this.functions = functions;
    this.runtime = Runtime.getRuntime(functions);
  }

  /**
   * The result of loading the library.
   *
   * @param library null if there is none
   * @param failure why the installed library could not be loaded; otherwise empty
   */
  record Loading(@Nullable VerbsLibrary library, String failure) {}

  /** Loads a library by its name or path. */
  static Loading load(String name) {
    try {
      NativeAccess.system(); // reports errors that jnr-ffi would hide
      return new Loading(
          new VerbsLibrary(LibraryLoader.create(LibIbverbs.class).failImmediately().load(name)),
          "");
    } catch (NativeUnavailableException e) {
      return new Loading(null, "libibverbs: " + e.getMessage());
    } catch (LinkageError e) {
      String message = String.valueOf(e.getMessage());
      boolean absent = message.contains(name + ": cannot open shared object file: No such file");
      return new Loading(
          null, absent ? "" : "libibverbs: " + message.lines().findFirst().orElse(""));
    }
  }

  /** Zeroed memory that functions fill in; a read of it after the call keeps it reachable. */
  record Memory(ByteBuffer buffer, long address) {

    static Memory of(int bytes) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
      return new Memory(buffer, NativeAccess.system().address(buffer));
    }
  }

  /** The limits of all devices, by name. */
  List<RdmaLimits> limits(Consumer<String> warnings) {
    Memory count = Memory.of(Integer.BYTES);
    long list = functions.ibv_get_device_list(count.address);
    if (list == 0) {
      int error = LastError.getLastError(runtime);
      if (error != Errno.ENOSYS.code()) { // for example if the kernel does not support RDMA
        warnings.accept("libibverbs: ibv_get_device_list: " + Errno.nameOf(error));
      }
      return List.of();
    }
    List<RdmaLimits> limits = new ArrayList<>();
    try {
      int devices = Math.min(count.buffer.getInt(0), MAX_DEVICES);
      Pointer addresses = Pointer.wrap(runtime, list, (long) devices * Long.BYTES);
      for (int i = 0; i < devices; i++) {
        @Nullable RdmaLimits one = device(addresses.getLong((long) i * Long.BYTES), warnings);
        if (one != null) {
          limits.add(one);
        }
      }
    } finally {
      functions.ibv_free_device_list(list);
    }
    limits.sort(Comparator.comparing(RdmaLimits::device));
    return List.copyOf(limits);
  }

  private @Nullable RdmaLimits device(long device, Consumer<String> warnings) {
    String name = functions.ibv_get_device_name(device);
    long context = functions.ibv_open_device(device);
    if (context == 0) {
      warn(warnings, name, "ibv_open_device", 0);
      return null;
    }
    try {
      return device(name, context, warnings);
    } finally {
      functions.ibv_close_device(context);
    }
  }

  private @Nullable RdmaLimits device(String name, long context, Consumer<String> warnings) {
    Memory structure = Memory.of(DeviceField.SIZE);
    int error = functions.ibv_query_device(context, structure.address);
    if (error != 0) {
      warn(warnings, name, "ibv_query_device", error);
      return null;
    }
    Map<DeviceField, Long> values = DeviceField.readAll(structure.buffer);
    List<PortLimits> ports = new ArrayList<>();
    for (int number = 1; number <= DeviceField.PHYS_PORT_CNT.read(structure.buffer); number++) {
      @Nullable PortLimits port = port(name, context, number, warnings);
      if (port != null) {
        ports.add(port);
      }
    }
    Map<Integer, List<VerbsGid>> gids =
        new GidTable(functions, runtime).read(name, context, ports, warnings);
    ports.replaceAll(
        port ->
            new PortLimits(
                port.number(),
                port.values(),
                gids.getOrDefault(port.number(), List.of()),
                port.pkeys()));
    RdmaLimits limits =
        new RdmaLimits(
            name,
            firmware(structure.buffer),
            guid(structure.buffer, NODE_GUID),
            guid(structure.buffer, SYSTEM_GUID),
            values,
            ports);
    return limits;
  }

  private @Nullable PortLimits port(
      String device, long context, int number, Consumer<String> warnings) {
    String name = device + " port " + number;
    Memory structure = Memory.of(PortField.SIZE);
    int error = functions.ibv_query_port(context, number, structure.address);
    if (error != 0) {
      warn(warnings, name, "ibv_query_port", error);
      return null;
    }
    List<Integer> keys = new ArrayList<>();
    Memory key = Memory.of(Short.BYTES);
    key.buffer.order(ByteOrder.BIG_ENDIAN);
    long places = PortField.PKEY_TBL_LEN.read(structure.buffer);
    for (int i = 0; i < places; i++) {
      int failure = functions.ibv_query_pkey(context, number, i, key.address);
      if (failure != 0) {
        warn(warnings, name, "ibv_query_pkey " + i, failure);
        break;
      }
      int value = Short.toUnsignedInt(key.buffer.getShort(0));
      if ((value & 0x7fff) != 0) { // the membership bit alone is not a key (IBTA 10.9.2)
        keys.add(value);
      }
    }
    PortLimits port = new PortLimits(number, PortField.readAll(structure.buffer), List.of(), keys);
    return port;
  }

  /** Functions return the error, or -1 and errno; functions that return an address set errno. */
  private void warn(Consumer<String> warnings, String of, String function, int result) {
    int error = result > 0 ? result : LastError.getLastError(runtime);
    warnings.accept("libibverbs: " + of + ": " + function + ": " + Errno.nameOf(error));
  }

  private static String firmware(ByteBuffer structure) {
    byte[] text = new byte[FIRMWARE_BYTES];
    structure.get(0, text);
    int length = 0;
    while (length < text.length && text[length] != 0) {
      length++;
    }
    return new String(text, 0, length, StandardCharsets.UTF_8);
  }

  /** Eight bytes in network order, for example 5054:00ff:fe0d:a000. */
  private static String guid(ByteBuffer structure, int offset) {
    return GidTable.groups(structure, offset, Long.BYTES);
  }
}
