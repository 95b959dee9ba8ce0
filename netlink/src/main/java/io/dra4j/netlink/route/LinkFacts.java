package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The facts of a link's message: {@link LinkDecoder} fills it; afterwards it no longer changes. */
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

  /** Hardware and attributes of a kind: separate, because few of a host's many links have them. */
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
