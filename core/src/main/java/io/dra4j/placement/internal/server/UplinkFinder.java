package io.dra4j.placement.internal.server;

import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathTree;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the uplinks of a server.
 *
 * @param host the topology of the server
 * @param model the bandwidths of links
 */
record UplinkFinder(HostTopology host, LinkModel model) {

  /**
   * Finds the uplinks: each known switch, and each card with several functions, has one. Its rate
   * is the rate of the last bridge that all devices below have in common. If that rate is not
   * published, it is the rate of the fastest link below; the link of a GPU is known or assumed. A
   * card of NICs with unknown links has no uplink.
   */
  List<Uplink> find(
      @Nullable PathTree paths,
      List<TopologyDevice> gpus,
      List<TopologyDevice> nics,
      double[] c2cRates) {
    List<Uplink> uplinks = new ArrayList<>();
    for (int v = 0; paths != null && v < paths.size() - 1; v++) {
      if (!paths.type(v).isWithin(PathType.MULTI_SWITCH)) {
        continue;
      }
      long gpuMask = 0;
      long nicMask = 0;
      List<TopologyDevice> below = new ArrayList<>();
      for (int i = 0; i < gpus.size(); i++) {
        if (PathCompletion.isBelow(paths, i, v)) {
          below.add(gpus.get(i));
          gpuMask |= c2cRates[i] > 0 ? 0 : ServerTree.bit(i);
        }
      }
      for (int i = 0; i < nics.size(); i++) {
        if (PathCompletion.isBelow(paths, gpus.size() + i, v)) {
          below.add(nics.get(i));
          nicMask |= ServerTree.bit(i);
        }
      }
      boolean isCard = paths.type(v).isWithin(PathType.SAME_CARD);
      double published = rateAbove(below);
      double fastest = published > 0 ? published : fastestBelow(below);
      double rate = fastest > 0 || isCard ? fastest : model.pcieGigabytesPerSecond(null);
      if (rate > 0) {
        uplinks.add(new Uplink(gpuMask, nicMask, rate, published > 0));
      }
    }
    return uplinks;
  }

  /**
   * The bandwidth of the last bridge that some devices have in common; 0 if it is not published.
   */
  private double rateAbove(List<TopologyDevice> below) {
    List<PciAddress> common = host.place(below.get(0)).bridges();
    for (TopologyDevice device : below) {
      List<PciAddress> own = host.place(device).bridges();
      int same = 0;
      while (same < Math.min(common.size(), own.size()) && common.get(same).equals(own.get(same))) {
        same++;
      }
      common = common.subList(0, same);
    }
    if (!common.isEmpty()) {
      String bridge = common.get(common.size() - 1).toString();
      for (TopologyDevice known : host.bridges()) {
        if (known.id().equals(bridge) && known.link() != null) {
          return model.pcieGigabytesPerSecond(known.link());
        }
      }
    }
    return 0;
  }

  private double fastestBelow(List<TopologyDevice> below) {
    double fastest = 0;
    for (TopologyDevice device : below) {
      boolean isKnown = device.link() != null || device.kind() != DeviceKind.NIC;
      fastest = Math.max(fastest, isKnown ? model.pcieGigabytesPerSecond(device.link()) : 0);
    }
    return fastest;
  }
}
