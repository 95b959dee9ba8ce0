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
 * What the Kubernetes client logs while it reads the kubeconfig file. A credential plugin that
 * fails is logged, with stacks of its parser, and not reported: the messages are kept instead.
 */
final class ClientLog extends AppenderBase<ILoggingEvent> {

  private static final String CLIENT = "io.fabric8.kubernetes.client";

  private final List<String> messages = new CopyOnWriteArrayList<>();

  private ClientLog() {}

  /**
   * A result, with what was logged while it was made.
   *
   * @param value the result
   * @param messages the texts of warnings, the first one first
   */
  record Logged<T>(T value, List<String> messages) {}

  /** Runs something of the client whose log is not printed. */
  static <T> Logged<T> of(Supplier<T> work) {
    if (!(LoggerFactory.getLogger(CLIENT) instanceof Logger logger)) {
      return new Logged<>(work.get(), List.of()); // another library logs
    }
    ClientLog log = new ClientLog();
    log.setContext(logger.getLoggerContext());
    log.start();
    boolean isPrinted = logger.isAdditive();
    Level level = logger.getLevel(); // null where it is that of the parent
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
