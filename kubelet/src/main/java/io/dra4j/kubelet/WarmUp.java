package io.dra4j.kubelet;

import io.dra4j.kubelet.wire.ClaimMessage;
import io.dra4j.kubelet.wire.PrepareRequest;
import io.dra4j.kubelet.wire.UnprepareRequest;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a plugin at its own socket before the kubelet does. The first call of a JVM loads a
 * thousand classes of gRPC and netty, which takes up to a second. The claim of the call has no UID,
 * so it does not reach a handler.
 */
final class WarmUp {

  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final long LIMIT_SECONDS = 5;

  private WarmUp() {}

  /** Wraps an interceptor so that it ignores the plugin's own calls. */
  static ServerInterceptor afterwards(AtomicBoolean isWarm, ServerInterceptor interceptor) {
    return new ServerInterceptor() {
      @Override
      public <Q, R> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return isWarm.get()
            ? interceptor.interceptCall(call, headers, next)
            : next.startCall(call, headers);
      }
    };
  }

  /** Calls once. A missing answer is not an error: the first call may be slow. */
  static void run(Path socket, EventLoopGroup group, Services.Dra version) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            .eventLoopGroup(group)
            .overrideAuthority("localhost")
            .usePlaintext()
            .directExecutor()
            .build();
    try {
      ClaimMessage none = ClaimMessage.getDefaultInstance();
      call(channel, version.prepare, PrepareRequest.newBuilder().addClaims(none).build());
      call(channel, version.unprepare, UnprepareRequest.newBuilder().addClaims(none).build());
    } catch (StatusRuntimeException e) {
      LOG.atInfo().log(
          "{}: the plugin did not answer its own warm-up call: {}", socket, e.getMessage());
    } finally {
      channel.shutdownNow();
    }
  }

  private static <Q, R> void call(
      ManagedChannel channel, MethodDescriptor<Q, R> method, Q request) {
    R answer =
        ClientCalls.blockingUnaryCall(
            channel,
            method,
            CallOptions.DEFAULT.withDeadlineAfter(LIMIT_SECONDS, TimeUnit.SECONDS),
            request);
    LOG.atDebug().log("warmed up: {}", answer);
  }
}
