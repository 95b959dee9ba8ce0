package io.dra4j.netlink.route;

/** Types of messages ({@code linux/rtnetlink.h}). */
final class MessageType {

  static final int RTM_NEWLINK = 16;
  static final int RTM_DELLINK = 17;
  static final int RTM_GETLINK = 18;
  static final int RTM_NEWADDR = 20;
  static final int RTM_DELADDR = 21;
  static final int RTM_GETADDR = 22;
  static final int RTM_NEWROUTE = 24;
  static final int RTM_DELROUTE = 25;
  static final int RTM_GETROUTE = 26;
  static final int RTM_NEWNEIGH = 28;
  static final int RTM_DELNEIGH = 29;
  static final int RTM_GETNEIGH = 30;
  static final int RTM_NEWRULE = 32;
  static final int RTM_DELRULE = 33;
  static final int RTM_GETRULE = 34;
  static final int RTM_NEWTFILTER = 44;
  static final int RTM_DELTFILTER = 45;
  static final int RTM_GETTFILTER = 46;
  static final int RTM_NEWNSID = 88;
  static final int RTM_GETNSID = 90;
  static final int RTM_NEWLINKPROP = 108;
  static final int RTM_DELLINKPROP = 109;

  private MessageType() {}
}
