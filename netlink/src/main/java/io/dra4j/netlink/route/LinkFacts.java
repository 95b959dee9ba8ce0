package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a message about a link. {@link LinkDecoder} fills it; then a {@link Link} has it,
 * and it no longer changes.
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
  int mtu;
  int parentIndex;
  int parentNamespace;
  int masterIndex;
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
  Rare rare = Rare.NONE;
  long @Nullable [] statistics;

  Rare rare() {
    rare = rare == Rare.NONE ? new Rare() : rare;
    return rare;
  }

  /**
   * Facts that only few links have: hardware, attributes of their kind. Separate, because hosts
   * have thousands of links.
   */
  static final class Rare {

    private static final Rare NONE = new Rare();

    byte @Nullable [] longAddress;
    byte @Nullable [] longBroadcast;
    byte @Nullable [] permanentAddress;
    byte @Nullable [] physicalPortId;
    byte @Nullable [] switchId;
    int newNamespace = -1;
    int newIndex;
    LinkData data = new LinkData.None();
    @Nullable Attributes kind;
    @Nullable Attributes member;
    Attributes others = Attributes.none(LinkTables.LINK);
  }
}
