package io.dra4j.nri;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.dra4j.nri.wire.TtrpcRequest;
import io.dra4j.nri.wire.TtrpcResponse;
import io.dra4j.nri.wire.WireConfigure;
import io.dra4j.nri.wire.WireConfigured;
import io.dra4j.nri.wire.WireLinuxPod;
import io.dra4j.nri.wire.WireNamespace;
import io.dra4j.nri.wire.WirePod;
import io.dra4j.nri.wire.WirePodEvent;
import io.dra4j.nri.wire.WireRegister;
import io.dra4j.nri.wire.WireSynchronize;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The side of a container runtime: accepts one plugin at a time and calls it, on the thread of the
 * test.
 */
final class FakeRuntime implements AutoCloseable {
  private final ServerSocketChannel server;

  FakeRuntime(Path socket) throws IOException {
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
  }

  /** Accepts a plugin and answers its registration. */
  Connection accept() throws IOException {
    Connection connection = new Connection(server.accept());
    connection.acceptRegistration(0, "");
    return connection;
  }

  Connection acceptAndRefuse(String reason) throws IOException {
    Connection connection = new Connection(server.accept());
    connection.acceptRegistration(2, reason);
    return connection;
  }

  /** Accepts a plugin, and configures and synchronizes it with nothing. */
  Connection acceptReady(long requestTimeoutMillis) throws IOException {
    Connection connection = accept();
    connection.configure(requestTimeoutMillis);
    connection.call("Synchronize", WireSynchronize.getDefaultInstance());
    return connection;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  static WirePod pod(String id) {
    return WirePod.newBuilder()
        .setId(id)
        .setUid("uid-" + id)
        .setName("name-" + id)
        .setNamespace("default")
        .putLabels("app", "train")
        .putAnnotations("note", "x")
        .setPid(7)
        .setLinux(
            WireLinuxPod.newBuilder()
                .addNamespaces(WireNamespace.newBuilder().setType("ipc").setPath("/proc/7/ns/ipc"))
                .addNamespaces(
                    WireNamespace.newBuilder().setType("network").setPath("/run/netns/" + id)))
        .build();
  }

  static WirePodEvent event(String id) {
    return WirePodEvent.newBuilder().setPod(pod(id)).build();
  }

  /** A message of ttrpc in one frame. */
  record Incoming(int connection, int stream, int type, ByteString data) {}

  static final class Connection implements AutoCloseable {
    private final SocketChannel channel;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Map<Integer, ByteString> arrived = new HashMap<>();
    private int stream = 1;
    private WireRegister registered = WireRegister.getDefaultInstance();

    Connection(SocketChannel channel) {
      this.channel = channel;
      this.in = new DataInputStream(Channels.newInputStream(channel));
      this.out = new DataOutputStream(Channels.newOutputStream(channel));
    }

    private void acceptRegistration(int code, String message) throws IOException {
      Incoming incoming = read();
      TtrpcRequest request = TtrpcRequest.parseFrom(incoming.data());
      registered = WireRegister.parseFrom(request.getPayload());
      TtrpcResponse.Builder response = TtrpcResponse.newBuilder();
      if (code != 0) {
        response.getStatusBuilder().setCode(code).setMessage(message);
      }
      byte[] data = response.build().toByteArray();
      frame(2, message(incoming.stream(), 2, 0, data));
    }

    WireRegister registered() {
      return registered;
    }

    WireConfigured configure(long requestTimeoutMillis) throws IOException {
      return WireConfigured.parseFrom(
          call(
              "Configure",
              WireConfigure.newBuilder()
                  .setConfig("a: b")
                  .setRuntimeName("containerd")
                  .setRuntimeVersion("v2.1.9")
                  .setRequestTimeoutMs(requestTimeoutMillis)
                  .build()));
    }

    /** Calls, waits, and returns the payload of the answer. */
    ByteString call(String method, MessageLite message) throws IOException {
      TtrpcResponse response = response(send(method, message));
      if (response.hasStatus() && response.getStatus().getCode() != 0) {
        throw new IOException(
            response.getStatus().getCode() + ": " + response.getStatus().getMessage());
      }
      return response.getPayload();
    }

    int send(String method, MessageLite message) throws IOException {
      int used = stream;
      stream += 2;
      frame(1, message(used, 1, 0, request(method, message)));
      return used;
    }

    static byte[] request(String method, MessageLite message) {
      return TtrpcRequest.newBuilder()
          .setService("nri.pkg.api.v1alpha1.Plugin")
          .setMethod(method)
          .setPayload(message.toByteString())
          .build()
          .toByteArray();
    }

    static byte[] message(int stream, int type, int flags, byte[] data) {
      return ByteBuffer.allocate(10 + data.length)
          .putInt(data.length)
          .putInt(stream)
          .put((byte) type)
          .put((byte) flags)
          .put(data)
          .array();
    }

    void frame(int connection, byte[] bytes) throws IOException {
      ByteBuffer frame = ByteBuffer.allocate(8 + bytes.length);
      frame.putInt(connection).putInt(bytes.length).put(bytes);
      raw(frame.array());
    }

    void raw(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
    }

    /** Reads until the answer on a stream is there. */
    TtrpcResponse response(int wanted) throws IOException {
      ByteString known = arrived.remove(wanted);
      while (known == null) {
        Incoming incoming = read();
        if (incoming.stream() == wanted) {
          known = incoming.data();
        } else {
          arrived.put(incoming.stream(), incoming.data());
        }
      }
      return TtrpcResponse.parseFrom(known);
    }

    private Incoming read() throws IOException {
      int connection = in.readInt();
      byte[] first = in.readNBytes(in.readInt());
      ByteBuffer header = ByteBuffer.wrap(first);
      byte[] data = new byte[header.getInt()];
      int id = header.getInt();
      int type = header.get();
      header.get();
      int have = Math.min(data.length, first.length - 10);
      System.arraycopy(first, 10, data, 0, have);
      while (have < data.length) {
        in.readInt();
        int more = in.readInt();
        in.readFully(data, have, more);
        have += more;
      }
      return new Incoming(connection, id, type, ByteString.copyFrom(data));
    }

    /** Whether the plugin has closed the connection; waits for it. */
    boolean ended() {
      try {
        while (in.read() >= 0) {
          // Answers are of no interest any more.
        }
        return true;
      } catch (IOException e) {
        return true;
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
