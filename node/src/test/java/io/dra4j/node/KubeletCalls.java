package io.dra4j.node;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Calls the DRAPlugin service v1 of a driver in any language, one claim at a time. */
final class KubeletCalls implements AutoCloseable {

  private static final String SERVICE = "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin";

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ManagedChannel channel;

  KubeletCalls(Path socket) {
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .eventLoopGroup(group)
            .overrideAuthority("localhost")
            .usePlaintext()
            .directExecutor()
            .build();
  }

  /** Bytes as they are on the wire. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(SERVICE + "/" + name)
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  private static final MethodDescriptor<byte[], byte[]> PREPARE = method("NodePrepareResources");
  private static final MethodDescriptor<byte[], byte[]> UNPREPARE =
      method("NodeUnprepareResources");

  /** Returns the answer as text, in which the names of devices can be found. */
  String prepare(String namespace, String name, String uid) {
    return call(PREPARE, namespace, name, uid);
  }

  String unprepare(String namespace, String name, String uid) {
    return call(UNPREPARE, namespace, name, uid);
  }

  private String call(
      MethodDescriptor<byte[], byte[]> method, String namespace, String name, String uid) {
    byte[] answer =
        ClientCalls.blockingUnaryCall(
            channel, method, CallOptions.DEFAULT, request(namespace, name, uid));
    return new String(answer, StandardCharsets.ISO_8859_1);
  }

  /** Field 1 of the request is a claim, with namespace, UID and name as its fields 1, 2 and 3. */
  private static byte[] request(String namespace, String name, String uid) {
    ByteArrayOutputStream claim = new ByteArrayOutputStream();
    int field = 1;
    for (String text : List.of(namespace, uid, name)) {
      field(claim, field++, text.getBytes(StandardCharsets.UTF_8));
    }
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    field(request, 1, claim.toByteArray());
    return request.toByteArray();
  }

  /** A field of less than 16384 bytes. */
  private static void field(ByteArrayOutputStream out, int number, byte[] bytes) {
    out.write(number << 3 | 2);
    if (bytes.length > 127) {
      out.write(bytes.length & 0x7f | 0x80);
      out.write(bytes.length >> 7);
    } else {
      out.write(bytes.length);
    }
    out.writeBytes(bytes);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    group.shutdownGracefully();
  }
}
