package io.dra4j.placement.internal.server;

import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.topology.DirectLink;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.TopologyDevice;
import java.util.Arrays;
import java.util.List;

/** The NVLinks between the GPUs of a server; empty if it has more than 64 GPUs. */
public final class NvLinks {

  private final double[][] rates; // GB/s between GPUs
  private final long[] peers; // the GPUs with a link to each one
  private final boolean switched;
  private final boolean differ;
  private final boolean any;

  private NvLinks(double[][] rates, boolean switched) {
    this.rates = rates;
    this.switched = switched;
    this.peers = new long[rates.length];
    boolean different = false;
    for (int i = 0; i < rates.length; i++) {
      for (int j = 0; j < rates.length; j++) {
        peers[i] |= rates[i][j] > 0 || rates[j][i] > 0 ? ServerTree.bit(j) : 0;
        different |= i != j && rates[i][j] != rates[0][Math.min(1, rates.length - 1)];
      }
    }
    this.differ = different;
    this.any = Arrays.stream(rates).anyMatch(row -> Arrays.stream(row).anyMatch(rate -> rate > 0));
  }

  /** Reads the links of a server; the compute capability of a GPU is empty if it is not known. */
  static NvLinks of(
      HostTopology host, LinkModel model, List<TopologyDevice> gpus, List<String> capabilities) {
    int size = gpus.size() <= ServerTree.MAX_DEVICES ? gpus.size() : 0;
    double[][] rates = new double[size][size];
    boolean switched = false;
    for (int i = 0; i < size; i++) {
      int own = host.indexOf(gpus.get(i).id());
      double perLink = model.nvLinkGigabytesPerSecond(capabilities.get(i));
      int count = 0;
      for (int j = 0; j < size; j++) {
        DirectLink link =
            i == j ? null : host.directLink(own, host.indexOf(gpus.get(j).id())).orElse(null);
        if (link != null) {
          double rate =
              link.megabytesPerSecond() > 0 ? link.megabytesPerSecond() / 1_000.0 : perLink;
          rates[i][j] = link.count() * rate;
          count += link.count();
        }
      }
      // More links than the GPU has: the links to all peers are the same ones, through switches.
      switched |= count > most(capabilities.get(i));
    }
    return new NvLinks(rates, switched);
  }

  /**
   * The most NVLinks of a GPU, as NCCL counts them (nccl 5067397c, src/graph/xml.cc): 4 for Pascal,
   * 6 for Volta, 12 for Ampere, 18 for later and unknown ones.
   */
  private static int most(String computeCapability) {
    return switch (computeCapability.substring(0, computeCapability.indexOf('.') + 1)) {
      case "6." -> 4;
      case "7." -> 6;
      case "8." -> 12;
      default -> 18;
    };
  }

  /**
   * Returns an upper bound of the bandwidth of an NVLink ring over some GPUs, in GB/s: the rate of
   * the links of the GPU with the slowest connection; 0 if a GPU has no link to the others. There
   * is no ring if the GPUs are not {@link #isConnected connected}.
   */
  public double ring(int... gpus) {
    if (gpus.length < 2 || rates.length == 0) {
      return 0;
    }
    double worst = Double.MAX_VALUE;
    for (int gpu : gpus) {
      double[] links = rates[gpu];
      double sum = 0;
      for (int other : gpus) {
        double link = gpu == other ? 0 : links[other];
        sum = switched ? Math.max(sum, link) : sum + link;
      }
      worst = Math.min(worst, sum);
    }
    return worst;
  }

  /**
   * Returns whether the GPUs are connected by NVLinks: each GPU can be reached from each other one
   * over GPUs of this set.
   */
  public boolean isConnected(int... gpus) {
    long missing = 0;
    for (int gpu : gpus) {
      missing |= ServerTree.bit(gpu);
    }
    long open = peers.length == 0 ? 0 : Long.highestOneBit(missing);
    missing &= ~open;
    while (open != 0 && missing != 0) {
      long next = peers[Long.numberOfLeadingZeros(open)] & missing;
      missing &= ~next;
      open = (open & ~Long.highestOneBit(open)) | next;
    }
    return missing == 0;
  }

  /** The total rate of all NVLinks among some GPUs, in GB/s. */
  public double sum(int... gpus) {
    double sum = 0;
    for (int gpu : gpus) {
      for (int other : gpus) {
        sum += gpu < other ? rates[gpu][other] : 0;
      }
    }
    return sum;
  }

  /** Returns whether the links of each GPU lead to a switch, so that all peers share them. */
  public boolean isSwitched() {
    return switched;
  }

  /** Returns whether there is at least one link. */
  public boolean isAny() {
    return any;
  }

  /** Returns whether the rates of the links between GPUs differ. */
  public boolean differ() {
    return differ;
  }

  /** The rates of the links between GPUs, in GB/s. */
  double[][] rates() {
    return rates;
  }
}
