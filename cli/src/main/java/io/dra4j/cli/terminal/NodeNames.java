package io.dra4j.cli.terminal;

import java.util.Optional;
import java.util.regex.Pattern;

/** Checks the names of nodes that users give: DNS subdomains (RFC 1123). */
public final class NodeNames {

  private static final Pattern NODE_NAME =
      Pattern.compile(
          "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private NodeNames() {}

  public static boolean isNodeName(String name) {
    return NODE_NAME.matcher(name).matches();
  }

  /** Returns the problem of the value of {@code --node}; empty if it can be the name of a node. */
  public static Optional<String> problem(String name) {
    return isNodeName(name)
        ? Optional.empty()
        : Optional.of(
            "--node: expected a DNS subdomain of at most 253 lower-case letters, digits,"
                + " '-' and '.' (RFC 1123), found \""
                + Terminal.safe(name)
                + "\"");
  }
}
