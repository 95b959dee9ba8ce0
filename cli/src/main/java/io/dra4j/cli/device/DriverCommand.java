package io.dra4j.cli.device;

import picocli.CommandLine.Command;

/** {@code dra4j driver}: the network driver on this host. Its subcommands do the work. */
@Command(
    name = "driver",
    mixinStandardHelpOptions = true,
    exitCodeList = {"1:the host refused, or a claim does not fit"},
    description = {
      "The network driver dra.net on this host: lends network devices to network namespaces and"
          + " takes them back as they were.",
      "",
      "Needs root, or CAP_NET_ADMIN and CAP_SYS_ADMIN."
    })
public final class DriverCommand {}
