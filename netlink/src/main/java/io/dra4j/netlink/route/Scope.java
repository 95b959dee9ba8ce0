package io.dra4j.netlink.route;

/** The scopes of addresses and routes ({@code linux/rtnetlink.h}): a larger number is narrower. */
public final class Scope {

  /** {@code RT_SCOPE_UNIVERSE}: everywhere. */
  public static final int UNIVERSE = 0;

  /** {@code RT_SCOPE_SITE}: within a site; IPv6 only. */
  public static final int SITE = 200;

  /** {@code RT_SCOPE_LINK}: on the link. */
  public static final int LINK = 253;

  /** {@code RT_SCOPE_HOST}: in this host. */
  public static final int HOST = 254;

  /** {@code RT_SCOPE_NOWHERE}: nowhere, for routes that are reserved. */
  public static final int NOWHERE = 255;

  private Scope() {}
}
