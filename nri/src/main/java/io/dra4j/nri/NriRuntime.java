package io.dra4j.nri;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The facts that the container runtime reports about itself when it configures a plugin.
 *
 * @param config the configuration of the plugin in the runtime, in the format of the plugin; empty
 *     if there is none
 * @param name the name of the runtime, such as {@code containerd}
 * @param version the version of the runtime
 * @param nriVersion the version of NRI in the runtime; empty before NRI 0.11
 * @param registrationTimeout the time in which a plugin must register; 5 s if the runtime does not
 *     report it
 * @param requestTimeout the time in which a plugin must answer a request; 2 s if the runtime does
 *     not report it, as containerd 1.7
 */
public record NriRuntime(
    String config,
    String name,
    String version,
    String nriVersion,
    Duration registrationTimeout,
    Duration requestTimeout) {

  /** {@inheritDoc} */
  public NriRuntime {
    requireNonNull(config, "config");
    requireNonNull(name, "name");
    requireNonNull(version, "version");
    requireNonNull(nriVersion, "nriVersion");
    requireNonNull(registrationTimeout, "registrationTimeout");
    requireNonNull(requestTimeout, "requestTimeout");
  }
}
