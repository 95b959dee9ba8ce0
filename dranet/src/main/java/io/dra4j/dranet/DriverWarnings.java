package io.dra4j.dranet;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the warnings of a driver under its name. Thread-safe. */
final class DriverWarnings {

  private static final Logger LOG = LoggerFactory.getLogger(NetworkDriver.class);
  private static final int MAX_REMEMBERED = 1_000;

  private final String driver;
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  DriverWarnings(String driver) {
    this.driver = driver;
  }

  void warn(String text) {
    LOG.warn("{}: {}", driver, text);
  }

  /** Logs each warning once, and at most 1,000 different ones. */
  void warnOnce(String text) {
    if (warned.size() < MAX_REMEMBERED && warned.add(text)) {
      warn(text);
    }
  }
}
