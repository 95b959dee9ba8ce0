package io.dra4j.netlink;

/** Flags and types in the header of every message ({@code linux/netlink.h}). */
public final class MessageFlags {

  /** {@code NLM_F_REQUEST}: a request; {@link NetlinkSocket} sets it. */
  public static final int REQUEST = 0x1;

  /** {@code NLM_F_MULTI}: one of several, ended by {@link #DONE}. */
  public static final int MULTI = 0x2;

  /** {@code NLM_F_ACK}: send an answer also on success. */
  public static final int ACK = 0x4;

  /** {@code NLM_F_ECHO}: answer with the created object. */
  public static final int ECHO = 0x8;

  /** {@code NLM_F_DUMP_INTR}: the dumped objects changed meanwhile. */
  public static final int DUMP_INTERRUPTED = 0x10;

  /** {@code NLM_F_DUMP}: list everything. */
  public static final int DUMP = 0x300;

  /** {@code NLM_F_REPLACE}: replace an existing object. */
  public static final int REPLACE = 0x100;

  /** {@code NLM_F_EXCL}: fail if the object exists. */
  public static final int EXCLUSIVE = 0x200;

  /** {@code NLM_F_CREATE}: create the object if it does not exist. */
  public static final int CREATE = 0x400;

  /** {@code NLM_F_APPEND}: add to the end of a list. */
  public static final int APPEND = 0x800;

  /** {@code NLM_F_CAPPED}: the request is not repeated in the answer. */
  static final int CAPPED = 0x100;

  /** {@code NLM_F_ACK_TLVS}: attributes follow in the answer. */
  static final int ACK_ATTRIBUTES = 0x200;

  /** {@code NLMSG_NOOP}: nothing. */
  static final int NOOP = 1;

  /** {@code NLMSG_ERROR}: the answer to a request; error 0 is an acknowledgement. */
  static final int ERROR = 2;

  /** {@code NLMSG_DONE}: the end of a dump. */
  static final int DONE = 3;

  /** {@code NLMSG_OVERRUN}: something was lost. */
  static final int OVERRUN = 4;

  private MessageFlags() {}
}
