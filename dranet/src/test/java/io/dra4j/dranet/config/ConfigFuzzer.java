package io.dra4j.dranet.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dra4j.dranet.compat.FilterDialect;
import io.dra4j.spi.configuration.ConfigurationException;
import java.util.Arrays;

/**
 * Reads any text as the configuration of a link, and as a filter of DraNet. A configuration that is
 * read is the same after it was written, and works in every method. Jazzer finds the bytes; the
 * entry point does not depend on it.
 *
 * <p>The first byte of an input chooses between both, the rest is the text.
 */
public final class ConfigFuzzer {

  private static final NetworkConfig OTHER = other();

  private ConfigFuzzer() {}

  /**
   * The entry point of Jazzer.
   *
   * @param input any bytes
   */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    String text = new String(Arrays.copyOfRange(input, 1, input.length), UTF_8);
    if (input[0] % 2 == 0) {
      configuration(text);
    } else {
      filter(text);
    }
  }

  private static NetworkConfig other() {
    try {
      return NetworkConfig.parse(
          "{\"interface\":{\"name\":\"net1\",\"mtu\":9000,\"addresses\":[\"192.0.2.1/24\"]},"
              + "\"routes\":[{\"destination\":\"198.51.100.0/24\",\"gateway\":\"192.0.2.9\"}]}");
    } catch (ConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void configuration(String text) {
    NetworkConfig config;
    try {
      config = NetworkConfig.parse(text);
    } catch (ConfigurationException e) {
      String message = String.valueOf(e.getMessage());
      if (message.isBlank() || message.length() > 100_000) {
        throw new AssertionError("a message of " + message.length() + " characters", e);
      }
      return;
    }
    checkWritten(config);
    checkWritten(config.withDefaults());
    merged(config, OTHER);
    merged(OTHER, config);
    config.problems();
    config.problemsWithoutInterface();
  }

  private static void merged(NetworkConfig low, NetworkConfig high) {
    NetworkConfig both = low.under(high);
    if (both.problems().isEmpty()) {
      checkWritten(both);
    }
  }

  private static void checkWritten(NetworkConfig config) {
    String json = config.toJson();
    try {
      NetworkConfig again = NetworkConfig.parseMerged(json);
      if (!again.equals(config)) {
        throw new AssertionError(config + "\nis written as\n" + json + "\nand read as\n" + again);
      }
    } catch (ConfigurationException e) {
      throw new AssertionError("cannot be read again:\n" + json, e);
    }
  }

  private static void filter(String text) {
    try {
      String selector = FilterDialect.rewrite(text);
      if (FilterDialect.isUsedIn(selector)) {
        throw new AssertionError("'" + text + "' is rewritten as '" + selector + "'");
      }
    } catch (IllegalArgumentException e) {
      if (!FilterDialect.isUsedIn(text)) {
        throw new AssertionError("'" + text + "' is no filter of DraNet, but is refused", e);
      }
    }
  }
}
