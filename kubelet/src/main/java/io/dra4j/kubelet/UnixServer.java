package io.dra4j.kubelet;

import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A gRPC server at a unix socket that only its owner can use. */
final class UnixServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(UnixServer.class);

  private final Path socket;
  private final Server server;
  private final @Nullable Object fileKey;

  private UnixServer(Path socket, Server server, @Nullable Object fileKey) {
    this.socket = socket;
    this.server = server;
    this.fileKey = fileKey;
  }

  static UnixServer start(
      Path socket,
      EventLoopGroup group,
      List<ServerServiceDefinition> services,
      List<ServerInterceptor> interceptors)
      throws IOException {
    removeStale(socket);
    // Nothing here blocks: the work on claims has its own threads.
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(group)
            .workerEventLoopGroup(group)
            .directExecutor();
    builder.addServices(services);
    for (int i = interceptors.size() - 1; i >= 0; i--) { // the last one added is called first
      builder.intercept(interceptors.get(i));
    }
    Server server = builder.build();
    try {
      server.start();
    } catch (IOException e) {
      throw new IOException(socket + ": cannot listen: " + e.getMessage(), e);
    }
    try {
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
      return new UnixServer(socket, server, attributes(socket).fileKey());
    } catch (IOException e) {
      server.shutdownNow();
      throw e;
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Removes the socket of a process that has ended. */
  private static void removeStale(Path socket) throws IOException {
    BasicFileAttributes attributes;
    try {
      attributes = attributes(socket);
    } catch (NoSuchFileException e) {
      return;
    }
    if (!attributes.isOther()) {
      throw new FileAlreadyExistsException(
          socket.toString(), null, "is not a socket; remove the file if it is not needed");
    }
    if (isServed(socket)) {
      throw new FileAlreadyExistsException(
          socket.toString(),
          null,
          "another process serves this socket; stop it first, or set the pod UID of both"
              + " processes (rolling update)");
    }
    LOG.atInfo().log("{}: removed the socket, which no process serves", socket);
    Files.delete(socket);
  }

  /**
   * Removes sockets with matching names that no process serves: the sockets of killed pods, which
   * the kubelet would try to connect to forever.
   */
  static void removeStale(Path directory, Pattern name) {
    List<Path> sockets;
    try (Stream<Path> files = Files.list(directory)) {
      sockets = files.filter(one -> name.matcher(one.getFileName().toString()).matches()).toList();
    } catch (IOException | UncheckedIOException e) {
      LOG.atWarn().log("{}: cannot look for sockets of ended pods: {}", directory, e);
      return;
    }
    for (Path socket : sockets) {
      try {
        if (attributes(socket).isOther() && !isServed(socket)) {
          LOG.atInfo().log("{}: removed the socket, which no process serves", socket);
          Files.deleteIfExists(socket);
        }
      } catch (IOException e) {
        LOG.atWarn().log("{}: cannot remove the socket: {}", socket, e.getMessage());
      }
    }
  }

  private static boolean isServed(Path socket) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return channel.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException e) {
      return false; // ECONNREFUSED
    }
  }

  /** Ends the server after its calls, and removes its socket, but no socket of another process. */
  @Override
  public void close() {
    server.shutdown();
    try {
      if (Objects.equals(fileKey, attributes(socket).fileKey())) {
        Files.delete(socket);
      }
    } catch (NoSuchFileException e) {
      LOG.atDebug().log("{}: the socket was removed already", socket);
    } catch (IOException e) {
      LOG.atWarn().setCause(e).log("{}: cannot remove the socket", socket);
    }
    try {
      if (!server.awaitTermination(2, TimeUnit.SECONDS)) {
        server.shutdownNow();
        server.awaitTermination(2, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
