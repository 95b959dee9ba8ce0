package io.dra4j.benchmarks;

import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.Manifests;
import io.dra4j.model.ResourceSlice;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.internal.server.BestSetCache;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerModelBuilder;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.spi.Host;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.sysfs.overlay.HwlocXml;
import io.dra4j.sysfs.overlay.NcclXml;
import io.dra4j.sysfs.overlay.OverlayException;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.Location;
import io.dra4j.topology.NumaNode;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** A server to choose on: a made-up one, or one from a file. */
final class MeasuredServer {

  final HostTopology host;
  final List<TopologyDevice> gpus;
  final List<TopologyDevice> nics;
  final BestSetCache chooser;

  private MeasuredServer(String name, HostTopology host) {
    LinkModel model = LinkModel.nccl();
    this.host = host;
    this.gpus =
        equalDevices(
            host,
            device ->
                device.kind() == DeviceKind.GPU || device.kind() == DeviceKind.ACCELERATOR
                    ? model.pcieGigabytesPerSecond(device.link())
                    : -1);
    this.nics =
        equalDevices(
            host,
            device ->
                device.kind() == DeviceKind.NIC
                    ? model.nicGigabytesPerSecond(
                        device.link(), device.megabitsPerSecond().orElse(0))
                    : -1);
    List<TopologyDevice> all = new ArrayList<>(gpus);
    all.addAll(nics);
    ServerModel kind =
        new ServerModelBuilder(
                host, model, new ArrayList<>(all), Collections.nCopies(all.size(), ""))
            .build();
    this.chooser =
        kind.chooser(mask(gpus.size()), mask(nics.size()), 0)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        name + ": the paths of its GPUs and NICs make no tree"));
  }

  /** As many devices of one rate as there are, of two such groups the faster one. */
  private static List<TopologyDevice> equalDevices(
      HostTopology host, ToDoubleFunction<TopologyDevice> rate) {
    Map<Double, List<TopologyDevice>> byRate = new TreeMap<>();
    for (TopologyDevice device : host.endpoints()) {
      double own = rate.applyAsDouble(device);
      if (own >= 0) {
        byRate.computeIfAbsent(own, any -> new ArrayList<>()).add(device);
      }
    }
    List<TopologyDevice> most =
        byRate.values().stream()
            .max(Comparator.comparingInt(List<TopologyDevice>::size))
            .orElse(List.of());
    return most.subList(0, Math.min(most.size(), ServerTree.MAX_DEVICES));
  }

  private static long mask(int count) {
    return count == 0 ? 0 : -1L << (Long.SIZE - count);
  }

  /**
   * Makes or reads a server.
   *
   * @param name {@code 8x1} and so on for so many roots of so many GPUs and NICs, {@code azure}; or
   *     a file: manifests with ResourceSlices, a topology of NCCL or hwloc ({@code .xml}), or the
   *     directory of a captured host that has its {@code sys}
   * @param node of several nodes of slices the one to look at; empty for the first
   * @throws IllegalArgumentException if there are no GPUs and NICs, or their paths make no tree
   */
  static MeasuredServer of(String name, String node)
      throws IOException, ManifestException, OverlayException {
    MeasuredServer server = new MeasuredServer(name, host(name, node));
    if (server.gpus.isEmpty() || server.nics.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: a GPU and a NIC were expected, found %d GPUs and %d NICs"
              .formatted(name, server.gpus.size(), server.nics.size()));
    }
    return server;
  }

  private static HostTopology host(String name, String node)
      throws IOException, ManifestException, OverlayException {
    Path file = Path.of(name);
    if (!Files.exists(file)) {
      return made(name);
    }
    if (Files.isDirectory(file)) {
      return TopologyReaders.installed().read(Host.captured(file)).topology().build();
    }
    if (name.endsWith(".xml")) {
      boolean hwloc = Files.readString(file).contains("<topology");
      return HostTopology.builder()
          .overlay(
              hwloc
                  ? HwlocXml.read(file, System.err::println)
                  : NcclXml.read(file, System.err::println))
          .build();
    }
    List<ResourceSlice> slices = Manifests.readSnapshot(file).resourceSlices();
    String wanted =
        !node.isEmpty() || slices.isEmpty()
            ? node
            : String.valueOf(slices.get(0).nodeSelection().nodeName());
    List<ResourceSlice> ofNode =
        slices.stream().filter(slice -> wanted.equals(slice.nodeSelection().nodeName())).toList();
    if (ofNode.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: no ResourceSlice of the node '%s'; it has those of %s"
              .formatted(
                  name,
                  wanted,
                  slices.stream()
                      .map(slice -> String.valueOf(slice.nodeSelection().nodeName()))
                      .distinct()
                      .toList()));
    }
    return HostTopology.ofSlices(ofNode).build();
  }

  private static HostTopology made(String name) {
    if (!name.matches("\\d{1,2}x\\d{1,2}|azure")) {
      throw new IllegalArgumentException(
          name + ": a file, a directory, or a server such as 8x1 or azure was expected");
    }
    boolean azure = name.equals("azure");
    int roots = azure ? 8 : Integer.parseInt(name.substring(0, name.indexOf('x')));
    int perRoot = azure ? 1 : Integer.parseInt(name.substring(name.indexOf('x') + 1));
    int size = roots * perRoot;
    List<TopologyDevice> devices = new ArrayList<>();
    for (int i = 0; i < 2 * size; i++) {
      int place = i % size;
      int root = azure ? i : place / perRoot;
      List<PciAddress> bridges =
          azure
              ? List.of()
              : List.of(new PciAddress(root, 1, 0, 0), new PciAddress(root, 1, i % 32, 1));
      devices.add(
          TopologyDevice.of(
              new PciAddress(root, 2 + i, 0, 0),
              i < size ? DeviceKind.GPU : DeviceKind.NIC,
              new Location(
                  "pci%04x:00".formatted(root), bridges, OptionalInt.of(place * 2 / size))));
    }
    return HostTopology.builder()
        .devices(devices)
        .numaNodes(
            List.of(
                new NumaNode(0, "", OptionalInt.empty(), List.of()),
                new NumaNode(1, "", OptionalInt.empty(), List.of())))
        .build();
  }

  /** The names of the devices of a set. */
  String names(long someGpus, long someNics) {
    List<String> names = new ArrayList<>();
    add(someGpus, gpus, names);
    add(someNics, nics, names);
    return String.join(" ", names);
  }

  private static void add(long some, List<TopologyDevice> devices, List<String> names) {
    for (long rest = some; rest != 0; rest &= ~Long.highestOneBit(rest)) {
      TopologyDevice device = devices.get(Long.numberOfLeadingZeros(rest));
      names.add(device.published() == null ? device.id() : device.published().device());
    }
  }

  /** What a set carries, in GB/s. */
  double rate(long someGpus, long someNics) {
    ServerTree shape = chooser.shape;
    return (shape.value(someGpus, someNics, shape.allNics) >> ServerTree.RATE_SHIFT) / 1_000.0;
  }
}
