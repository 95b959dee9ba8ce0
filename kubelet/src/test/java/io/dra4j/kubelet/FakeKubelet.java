package io.dra4j.kubelet;

import io.dra4j.kubelet.wire.ClaimMessage;
import io.dra4j.kubelet.wire.InfoRequest;
import io.dra4j.kubelet.wire.PluginInfo;
import io.dra4j.kubelet.wire.PrepareRequest;
import io.dra4j.kubelet.wire.PrepareResult;
import io.dra4j.kubelet.wire.RegistrationStatus;
import io.dra4j.kubelet.wire.UnprepareRequest;
import io.dra4j.kubelet.wire.UnprepareResult;
import io.dra4j.kubelet.wire.WatchRequest;
import io.dra4j.kubelet.wire.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Calls a plugin at its sockets, as a kubelet does. */
final class FakeKubelet implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(45);

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ManagedChannel channel;

  FakeKubelet(Path socket) {
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .eventLoopGroup(group)
            .overrideAuthority("localhost")
            .usePlaintext()
            .build();
  }

  static ClaimMessage claim(String name) {
    return ClaimMessage.newBuilder()
        .setNamespace("default")
        .setName(name)
        .setUid("uid-" + name)
        .build();
  }

  private <Q, R> R call(MethodDescriptor<Q, R> method, Q request, Duration limit) {
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS);
    return ClientCalls.blockingUnaryCall(channel, method, options, request);
  }

  PluginInfo info() {
    return call(Services.GET_INFO, InfoRequest.getDefaultInstance(), LIMIT);
  }

  void confirm(boolean isRegistered, String error) {
    call(
        Services.NOTIFY,
        RegistrationStatus.newBuilder().setPluginRegistered(isRegistered).setError(error).build(),
        LIMIT);
  }

  Map<String, PrepareResult> prepare(
      Services.Dra version, Duration limit, List<ClaimMessage> claims) {
    return call(version.prepare, PrepareRequest.newBuilder().addAllClaims(claims).build(), limit)
        .getClaimsMap();
  }

  Map<String, PrepareResult> prepare(ClaimMessage... claims) {
    return prepare(Services.Dra.V1, LIMIT, List.of(claims));
  }

  Map<String, UnprepareResult> unprepare(Services.Dra version, ClaimMessage... claims) {
    return call(
            version.unprepare,
            UnprepareRequest.newBuilder().addAllClaims(List.of(claims)).build(),
            LIMIT)
        .getClaimsMap();
  }

  Iterator<WatchResponse> watch(Services.Health version) {
    return ClientCalls.blockingServerStreamingCall(
        channel,
        version.watch,
        CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
        WatchRequest.getDefaultInstance());
  }

  @Override
  public void close() {
    channel.shutdownNow();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
