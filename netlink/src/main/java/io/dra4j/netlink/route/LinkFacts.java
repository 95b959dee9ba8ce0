package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a message says of a link. {@link LinkDecoder} fills it; then a {@link Link} has it, and
 * nobody changes it any more.
 */
final class LinkFacts {

  int index;
  int hardwareType;
  int flags;
  long addressBits;
  long broadcastBits;
  byte addressLength;
  byte broadcastLength;
  byte addressGeneration = -1;
  byte operationalState;
  byte carrier;
  byte protocolDown;
  byte linkMode;
  long token;
  byte @Nullable [] longAddress;
  byte @Nullable [] longBroadcast;
  byte @Nullable [] permanentAddress;
  byte @Nullable [] physicalPortId;
  byte @Nullable [] switchId;
  int mtu;
  int parentIndex;
  int parentNamespace;
  int masterIndex;
  int newNamespace;
  int newIndex;
  int group;
  int promiscuity;
  int allMulticast;
  int carrierUps;
  int carrierDowns;
  int xdpProgram;
  String name = "";
  String queueDiscipline = "";
  String alias = "";
  String physicalPortName = "";
  String parentDevice = "";
  String parentBus = "";
  String kind = "";
  String memberKind = "";
  LinkLimits limits = LinkLimits.NONE;
  List<String> alternativeNames = List.of();
  @Nullable Kept kept;
  long @Nullable [] statistics;

  /** What few links have: attributes of their kind, as members, and those of newer kernels. */
  record Kept(
      @Nullable Attributes kind, LinkData data, @Nullable Attributes member, Attributes others) {}
}
