package io.dra4j.netlink.route;

import io.dra4j.linux.Errno;
import io.dra4j.netlink.MessageDecoder;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What the collections have in common: lists, adds, replaces and deletes objects of one kind. */
record Exchange<T>(NetlinkSocket socket, ObjectKind kind, Codec<T> codec) {

  /** Lists what a predicate lets through; the kernel does not filter everything itself. */
  List<T> list(Consumer<MessageWriter> header, Predicate<T> wanted) throws NetlinkException {
    MessageWriter request =
        socket.request(kind.getType, 0, codec.table(), new Text("list ", kind + "s"));
    header.accept(request);
    MessageDecoder<T> decoder =
        message -> {
          T object = codec.decode(message);
          return object != null && wanted.test(object) ? object : null;
        };
    return socket.dump(request, kind.newType, decoder);
  }

  void add(T object) throws NetlinkException {
    write("add ", MessageFlags.CREATE | MessageFlags.EXCLUSIVE, object);
  }

  void append(T object) throws NetlinkException {
    write("append ", MessageFlags.CREATE | MessageFlags.APPEND, object);
  }

  void replace(T object) throws NetlinkException {
    write("set ", MessageFlags.CREATE | MessageFlags.REPLACE, object);
  }

  private void write(String verb, int flags, T object) throws NetlinkException {
    Text operation = new Text(verb + kind + " ", object);
    MessageWriter request = socket.request(kind.newType, flags, codec.table(), operation);
    codec.encode(object, request, false);
    socket.execute(request);
  }

  /** The kernel has several numbers for what is not there. */
  void delete(T object) throws NetlinkException {
    Text operation = new Text("delete " + kind + " ", object);
    MessageWriter request = socket.request(kind.deleteType, 0, codec.table(), operation);
    codec.encode(object, request, true);
    try {
      socket.execute(request);
    } catch (NetlinkException.Refused e) {
      throw e.errno() == Errno.EADDRNOTAVAIL.code() ? e.asNotFound() : e;
    }
  }
}
