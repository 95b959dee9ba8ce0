package io.dra4j.cli.input;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * Captures the log of the Kubernetes client while it reads the kubeconfig file. The client does not
 * report a failed credential plugin, but logs it with stack traces; this class captures the
 * messages instead.
 */
final class ClientLog extends AppenderBase<ILoggingEvent> {

  private static final String CLIENT = "io.fabric8.kubernetes.client";

  private final List<String> messages = new CopyOnWriteArrayList<>();

  private ClientLog() {}

  /**
   * A result with the messages that were logged meanwhile.
   *
   * @param value the result
   * @param messages the warnings, in order
   */
  record Logged<T>(T value, List<String> messages) {}

  /** Runs an operation of the client without printing its log. */
  static <T> Logged<T> of(Supplier<T> work) {
    if (!(LoggerFactory.getLogger(CLIENT) instanceof Logger logger)) {
      return new Logged<>(work.get(), List.of()); // another logging library is used
    }
    ClientLog log = new ClientLog();
    log.setContext(logger.getLoggerContext());
    log.start();
    boolean isPrinted = logger.isAdditive();
    Level level = logger.getLevel(); // null if inherited
    logger.addAppender(log);
    logger.setAdditive(false);
    logger.setLevel(Level.WARN);
    try {
      return new Logged<>(work.get(), List.copyOf(log.messages));
    } finally {
      logger.setLevel(level);
      logger.setAdditive(isPrinted);
      logger.detachAppender(log);
      log.stop();
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    messages.add(event.getFormattedMessage());
  }
}
