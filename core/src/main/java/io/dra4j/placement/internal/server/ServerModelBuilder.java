package io.dra4j.placement.internal.server;

import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.topology.DeviceKind;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.PathTree;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PciAddress;
import io.dra4j.topology.TopologyDevice;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Builds the model of one server from its facts. */
public final class ServerModelBuilder {

  /** The most pairs that are examined; for more, the table of their paths would be too large. */
  private static final int MAX_PAIRS = 1 << 20;

  final HostTopology host;
  final LinkModel model;
  final int[] gpuOf;
  final int[] nicOf;
  final int[] gpuOrdinals;
  final int[] nicOrdinals;
  final int[] gpuPlaces;
  final int[] nicPlaces;
  @Nullable PathTree tree;
  byte[][] types = {};
  byte[][] peers = {};
  final double[] gpuRates;
  final double[] c2cRates;
  final double[] nicRates;
  boolean assumedLinks;
  boolean crosses;
  boolean unknown; // whether the path of some pair is unknown
  final int[] rails;
  final int[] cards;
  double[] cardRates = {};
  final NvLinks nvLinks;
  final List<Uplink> uplinks;

  /**
   * Reads the devices.
   *
   * @param devices the devices by ordinal; null for a device that is not in the topology
   * @param capabilities the compute capability by ordinal; empty if not known
   */
  public ServerModelBuilder(
      HostTopology host,
      LinkModel model,
      List<@Nullable TopologyDevice> devices,
      List<String> capabilities) {
    this.host = host;
    this.model = model;
    this.gpuOf = new int[devices.size()];
    this.nicOf = new int[devices.size()];
    Arrays.fill(gpuOf, -1);
    Arrays.fill(nicOf, -1);
    List<TopologyDevice> gpus = new ArrayList<>();
    List<TopologyDevice> nics = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      TopologyDevice device = devices.get(i);
      if (device == null) {
        continue;
      }
      if (device.kind() == DeviceKind.GPU || device.kind() == DeviceKind.ACCELERATOR) {
        gpuOf[i] = gpus.size();
        gpus.add(device);
      } else if (device.kind() == DeviceKind.NIC) {
        nicOf[i] = nics.size();
        nics.add(device);
      }
    }
    this.gpuOrdinals = ordinals(gpuOf);
    this.nicOrdinals = ordinals(nicOf);
    this.gpuPlaces = IntStream.range(0, gpus.size()).toArray();
    this.nicPlaces = IntStream.range(gpus.size(), gpus.size() + nics.size()).toArray();
    this.gpuRates = new double[gpus.size()];
    this.c2cRates = new double[gpus.size()];
    this.nicRates = new double[nics.size()];
    this.rails = new int[nics.size()];
    this.cards = new int[nics.size()];
    rates(gpus, nics);
    paths(gpus, nics);
    cards(nics);
    rails(nics);
    c2c(gpus);
    List<String> gpuCapabilities = Arrays.stream(gpuOrdinals).mapToObj(capabilities::get).toList();
    this.nvLinks = NvLinks.of(host, model, gpus, gpuCapabilities);
    this.uplinks = new UplinkFinder(host, model).find(tree, gpus, nics, c2cRates);
  }

  /** The ordinals of the devices that have a number, in ascending order. */
  private static int[] ordinals(int[] numbers) {
    return IntStream.range(0, numbers.length).filter(i -> numbers[i] >= 0).toArray();
  }

  private void rates(List<TopologyDevice> gpus, List<TopologyDevice> nics) {
    for (int i = 0; i < gpuRates.length; i++) {
      gpuRates[i] = model.pcieGigabytesPerSecond(gpus.get(i).link());
      assumedLinks |= gpus.get(i).link() == null;
    }
    for (int i = 0; i < nicRates.length; i++) {
      long rate = nics.get(i).megabitsPerSecond().orElse(0);
      nicRates[i] = model.nicGigabytesPerSecond(nics.get(i).link(), rate);
      assumedLinks |= rate == 0;
    }
  }

  private void paths(List<TopologyDevice> gpus, List<TopologyDevice> nics) {
    if ((long) gpus.size() * nics.size() > MAX_PAIRS) {
      return;
    }
    if (gpus.size() <= ServerTree.MAX_DEVICES && nics.size() <= ServerTree.MAX_DEVICES) {
      List<TopologyDevice> all = new ArrayList<>(gpus);
      all.addAll(nics);
      tree = PathTree.of(host, all).orElse(null);
    }
    PathCompletion paths = new PathCompletion(host, tree, gpus, nics);
    types = new byte[gpus.size()][nics.size()];
    for (int i = 0; i < types.length; i++) {
      for (int j = 0; j < nics.size(); j++) {
        PathType type = paths.path(gpuPlaces[i], nicPlaces[j]);
        types[i][j] = PathRates.number(type);
        crosses |= type == PathType.SYSTEM;
        unknown |= type == PathType.UNKNOWN;
      }
    }
    if (gpus.size() <= ServerTree.MAX_DEVICES) {
      peers = new byte[gpus.size()][gpus.size()];
    }
    for (int i = 0; i < peers.length; i++) {
      for (int j = 0; j < peers.length; j++) {
        peers[i][j] = PathRates.number(paths.path(gpuPlaces[i], gpuPlaces[j]));
      }
    }
  }

  /** Groups virtual functions by their physical function, whose port bandwidth they share. */
  private void cards(List<TopologyDevice> nics) {
    Map<PciAddress, List<Integer>> functions = new HashMap<>();
    for (int i = 0; i < cards.length; i++) {
      cards[i] = -1;
      PciAddress physical = nics.get(i).physicalFunction();
      PciAddress own = physical != null ? physical : nics.get(i).address();
      if (own != null) {
        functions.computeIfAbsent(own, any -> new ArrayList<>()).add(i);
      }
    }
    List<Double> capacities = new ArrayList<>();
    for (int i = 0; i < cards.length; i++) {
      PciAddress physical = nics.get(i).physicalFunction();
      List<Integer> together = physical == null ? List.of() : functions.get(physical);
      if (together != null && together.size() > 1 && cards[i] < 0) {
        double rate = 0;
        for (int nic : together) {
          cards[nic] = capacities.size();
          rate = Math.max(rate, nicRates[nic]);
        }
        capacities.add(rate);
      }
    }
    cardRates = capacities.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /**
   * Sets the position of each NIC among the NICs of the server, in the order of their addresses.
   */
  private void rails(List<TopologyDevice> nics) {
    int[] own = nics.stream().mapToInt(nic -> host.indexOf(nic.id())).toArray();
    int[] sorted = own.clone();
    Arrays.sort(sorted);
    for (int i = 0; i < rails.length; i++) {
      rails[i] = Arrays.binarySearch(sorted, own[i]);
    }
  }

  private void c2c(List<TopologyDevice> gpus) {
    Map<String, Double> rates = new HashMap<>();
    for (DirectLink link : host.links()) {
      if (link.type() == DirectLink.Type.C2C) {
        double rate = link.count() * (link.megabytesPerSecond() / 1_000.0);
        rates.merge(link.a(), rate, Double::sum);
      }
    }
    Arrays.setAll(
        c2cRates,
        i ->
            Math.min(
                rates.getOrDefault(gpus.get(i).id(), 0.0), LinkModel.MAX_GIGABYTES_PER_SECOND));
  }

  /** The memory of the tables of paths, in bytes. */
  int bytesOfPaths() {
    return gpuPlaces.length * (types.length == 0 ? 0 : nicPlaces.length + Integer.BYTES);
  }

  /** The SHA-256 of all facts: servers with the same hash are of one kind. */
  ByteBuffer signature() {
    MessageDigest digest = sha256();
    OutputStream hashed = new DigestOutputStream(OutputStream.nullOutputStream(), digest);
    try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(hashed))) {
      ints(out, gpuOf);
      ints(out, nicOf);
      ints(out, rails);
      ints(out, cards);
      doubles(out, gpuRates);
      doubles(out, c2cRates);
      doubles(out, nicRates);
      doubles(out, cardRates);
      for (Uplink uplink : uplinks) {
        out.writeLong(uplink.gpus());
        out.writeLong(uplink.nics());
        out.writeDouble(uplink.gigabytesPerSecond());
        out.writeBoolean(uplink.isPublished());
      }
      for (double[] row : nvLinks.rates()) {
        doubles(out, row);
      }
      for (byte[] row : types) {
        out.write(row);
      }
      for (byte[] row : peers) {
        out.write(row);
      }
      out.writeBoolean(assumedLinks);
      byte[] processor = String.valueOf(host.cpu().orElse(null)).getBytes(StandardCharsets.UTF_8);
      out.writeInt(processor.length);
      out.write(processor);
      out.writeBoolean(nvLinks.isSwitched());
      if (tree != null) {
        tree(out, tree, gpuPlaces.length + nicPlaces.length);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the stream discards everything
    }
    return ByteBuffer.wrap(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a Java without SHA-256", e); // each Java has it
    }
  }

  private static void ints(DataOutputStream out, int[] values) throws IOException {
    out.writeInt(values.length);
    for (int value : values) {
      out.writeInt(value);
    }
  }

  private static void doubles(DataOutputStream out, double[] values) throws IOException {
    out.writeInt(values.length);
    for (double value : values) {
      out.writeDouble(value);
    }
  }

  private static void tree(DataOutputStream out, PathTree tree, int devices) throws IOException {
    for (int v = 0; v < tree.size(); v++) {
      out.writeInt(tree.parent(v));
      out.writeByte(PathRates.number(tree.type(v)));
      out.writeByte(PathRates.number(tree.widestType(v)));
    }
    for (int i = 0; i < devices; i++) {
      out.writeInt(tree.nodeOf(i));
    }
  }

  /** Returns the model of the server. */
  public ServerModel build() {
    return new ServerModel(this);
  }
}
