package io.dra4j.cli.device;

import picocli.CommandLine.Command;

/** {@code dra4j driver}: the network driver on this host, with subcommands. */
@Command(
    name = "driver",
    mixinStandardHelpOptions = true,
    exitCodeList = {"1:the host refused, or a claim does not fit"},
    description = {
      "The network driver dra.net on this host: moves network devices into network namespaces,"
          + " and returns them in their original state.",
      "",
      "Needs root, or CAP_NET_ADMIN and CAP_SYS_ADMIN."
    })
public final class DriverCommand {}
