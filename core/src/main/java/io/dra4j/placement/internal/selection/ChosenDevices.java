package io.dra4j.placement.internal.selection;

import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.DeviceId;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The GPUs and NICs that some requests have on a server, with their names. */
public final class ChosenDevices {

  private final @Nullable DeviceId[] gpuIds; // by GPU of the server
  private final @Nullable DeviceId[] nicIds;
  private long gpuMask;
  private long nicMask;

  private ChosenDevices(ServerModel kind) {
    this.gpuIds = new DeviceId[kind.gpus()];
    this.nicIds = new DeviceId[kind.nics()];
  }

  /** The GPUs and NICs among the devices of some requests. */
  public static ChosenDevices of(ServerModel kind, List<List<NodeDevice>> devicesOfRequests) {
    ChosenDevices chosen = new ChosenDevices(kind);
    for (List<NodeDevice> devices : devicesOfRequests) {
      for (NodeDevice device : devices) {
        int gpu = kind.gpuOf[device.ordinal()];
        int nic = kind.nicOf[device.ordinal()];
        if (gpu >= 0) {
          chosen.gpuIds[gpu] = device.id();
          chosen.gpuMask |= ServerTree.bit(gpu);
        } else if (nic >= 0) {
          chosen.nicIds[nic] = device.id();
          chosen.nicMask |= ServerTree.bit(nic);
        }
      }
    }
    return chosen;
  }

  /** The name of a chosen GPU. */
  public DeviceId gpu(int gpu) {
    return Objects.requireNonNull(gpuIds[gpu], "a GPU that was not chosen");
  }

  /** The name of a chosen NIC. */
  public DeviceId nic(int nic) {
    return Objects.requireNonNull(nicIds[nic], "a NIC that was not chosen");
  }

  /** The GPUs, of the first 64. */
  long gpuMask() {
    return gpuMask;
  }

  /** The NICs, of the first 64. */
  long nicMask() {
    return nicMask;
  }

  List<Integer> gpus() {
    return places(gpuIds);
  }

  List<Integer> nics() {
    return places(nicIds);
  }

  private static List<Integer> places(@Nullable DeviceId[] ids) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] != null) {
        places.add(i);
      }
    }
    return places;
  }
}
