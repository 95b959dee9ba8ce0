package io.dra4j.netlink.route;

/** How far addresses and routes reach ({@code enum rt_scope_t}). */
public final class Scope {

  /** Everywhere. */
  public static final int UNIVERSE = 0;

  /** Within a site. */
  public static final int SITE = 200;

  /** On the link. */
  public static final int LINK = 253;

  /** In this host. */
  public static final int HOST = 254;

  /** Nowhere. */
  public static final int NOWHERE = 255;

  private Scope() {}
}
