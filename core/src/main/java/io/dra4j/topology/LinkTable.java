package io.dra4j.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects the links outside the PCIe tree; the later of two records of one pair is kept. */
final class LinkTable {

  private final Map<String, Integer> indices;
  private final List<TopologyDevice> devices;
  private final Map<PciAddress, Integer> byAddress = new HashMap<>();
  private final Map<Long, DirectLink> byPair = new TreeMap<>();
  private final Map<String, DirectLink> toNumaNodes = new TreeMap<>();

  LinkTable(Map<String, Integer> indices, List<TopologyDevice> devices) {
    this.indices = indices;
    this.devices = devices;
    for (int i = 0; i < devices.size(); i++) {
      PciAddress address = devices.get(i).address();
      if (address != null) {
        byAddress.putIfAbsent(address, i);
      }
    }
  }

  /** Adds links between PCI addresses or ids. */
  void add(List<DirectLink> links) {
    for (DirectLink link : links) {
      int a = index(link.a());
      int b = index(link.b());
      if (a >= 0 && link.type() == DirectLink.Type.C2C) {
        String id = devices.get(a).id();
        toNumaNodes.put(id, link.between(id, link.b()));
      } else if (a >= 0 && b >= 0 && a != b) {
        put(a, b, link);
      }
    }
  }

  private void put(int a, int b, DirectLink link) {
    String first = devices.get(Math.min(a, b)).id();
    String second = devices.get(Math.max(a, b)).id();
    byPair.put(HostTopology.pair(a, b), link.between(first, second));
  }

  private int index(String id) {
    Integer index = indices.get(id);
    if (index == null) {
      index = PciAddress.tryParse(id).map(byAddress::get).orElse(null);
    }
    return index == null ? -1 : index;
  }

  List<DirectLink> all() {
    List<DirectLink> all = new ArrayList<>(byPair.values());
    all.addAll(toNumaNodes.values());
    return all;
  }

  Map<Long, DirectLink> byPair() {
    return byPair;
  }
}
