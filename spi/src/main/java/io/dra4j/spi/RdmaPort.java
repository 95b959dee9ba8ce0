package io.dra4j.spi;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A port of an RDMA device. Created by {@link #numbered}, modified by {@link #toBuilder}.
 *
 * @param number its number, from 1
 * @param state the logical state as Linux names it, for example {@code ACTIVE}; empty if not known
 * @param physicalState as {@code /sys} names it, for example {@code LinkUp}; empty if not known
 * @param gigabitsPerSecond the rate of its link, all lanes together, if known
 * @param linkLayer {@code InfiniBand} or {@code Ethernet}; empty if not known
 * @param lid the local identifier (LID) in its InfiniBand subnet; absent if it has none, as on
 *     Ethernet
 * @param subnetManagerLid the local identifier of the manager of its InfiniBand subnet; absent if
 *     there is none
 * @param lidMaskCount the number of low bits of the local identifier that the port can choose
 *     (LMC), if known
 * @param capabilityMask {@code IB_PORT_..._SUP} of the kernel's {@code rdma/ib_verbs.h}, if known
 * @param maxMtu the maximum packet size, in bytes of payload, if known
 * @param activeMtu the current packet size limit, in bytes of payload, if known
 * @param netdev the network device below it (RoCE) or on top of it (IPoIB); null if the network
 *     namespace that was read has none
 * @param gids its addresses, in the order of the table
 * @param pkeys its partition keys, in the order of the table, without unused entries
 */
public record RdmaPort(
    int number,
    String state,
    String physicalState,
    OptionalDouble gigabitsPerSecond,
    String linkLayer,
    OptionalInt lid,
    OptionalInt subnetManagerLid,
    OptionalInt lidMaskCount,
    OptionalLong capabilityMask,
    OptionalInt maxMtu,
    OptionalInt activeMtu,
    @Nullable String netdev,
    List<RdmaGid> gids,
    List<Integer> pkeys) {

  /** Copies the lists. {@inheritDoc} */
  public RdmaPort {
    gids = List.copyOf(gids);
    pkeys = List.copyOf(pkeys);
  }

  /**
   * {@return a builder of a port with this number; all other facts are unknown}
   *
   * @param number the number of the port, from 1
   */
  public static Builder numbered(int number) {
    return new Builder(number);
  }

  /** {@return a builder with the values of this port} */
  public Builder toBuilder() {
    Builder builder = new Builder(number);
    builder.state = state;
    builder.physicalState = physicalState;
    builder.gigabitsPerSecond = gigabitsPerSecond;
    builder.linkLayer = linkLayer;
    builder.lid = lid;
    builder.subnetManagerLid = subnetManagerLid;
    builder.lidMaskCount = lidMaskCount;
    builder.capabilityMask = capabilityMask;
    builder.maxMtu = maxMtu;
    builder.activeMtu = activeMtu;
    builder.netdev = netdev;
    builder.gids = gids;
    builder.pkeys = pkeys;
    return builder;
  }

  /** {@return whether the logical state is {@code ACTIVE}, so that the port can carry traffic} */
  public boolean isActive() {
    return state.equals("ACTIVE");
  }

  /** Builds a port. Not thread-safe. */
  public static final class Builder {

    private final int number;
    private String state = "";
    private String physicalState = "";
    private OptionalDouble gigabitsPerSecond = OptionalDouble.empty();
    private String linkLayer = "";
    private OptionalInt lid = OptionalInt.empty();
    private OptionalInt subnetManagerLid = OptionalInt.empty();
    private OptionalInt lidMaskCount = OptionalInt.empty();
    private OptionalLong capabilityMask = OptionalLong.empty();
    private OptionalInt maxMtu = OptionalInt.empty();
    private OptionalInt activeMtu = OptionalInt.empty();
    private @Nullable String netdev;
    private List<RdmaGid> gids = List.of();
    private List<Integer> pkeys = List.of();

    private Builder(int number) {
      this.number = number;
    }

    /**
     * Sets the logical state.
     *
     * @param state as Linux names it, for example {@code ACTIVE}; empty if not known
     * @return this builder
     */
    public Builder state(String state) {
      this.state = state;
      return this;
    }

    /**
     * Sets the physical state.
     *
     * @param physicalState as {@code /sys} names it, for example {@code LinkUp}; empty if not known
     * @return this builder
     */
    public Builder physicalState(String physicalState) {
      this.physicalState = physicalState;
      return this;
    }

    /**
     * Sets the rate of the link.
     *
     * @param gigabitsPerSecond in Gb/s, all lanes together
     * @return this builder
     */
    public Builder gigabitsPerSecond(double gigabitsPerSecond) {
      this.gigabitsPerSecond = OptionalDouble.of(gigabitsPerSecond);
      return this;
    }

    /**
     * Sets the link layer.
     *
     * @param linkLayer {@code InfiniBand} or {@code Ethernet}; empty if not known
     * @return this builder
     */
    public Builder linkLayer(String linkLayer) {
      this.linkLayer = linkLayer;
      return this;
    }

    /**
     * Sets the local identifier.
     *
     * @param lid the identifier that an InfiniBand subnet gave the port
     * @return this builder
     */
    public Builder lid(int lid) {
      this.lid = OptionalInt.of(lid);
      return this;
    }

    /**
     * Sets the local identifier of the subnet's manager.
     *
     * @param subnetManagerLid the identifier
     * @return this builder
     */
    public Builder subnetManagerLid(int subnetManagerLid) {
      this.subnetManagerLid = OptionalInt.of(subnetManagerLid);
      return this;
    }

    /**
     * Sets the number of low bits of the local identifier that the port can choose.
     *
     * @param lidMaskCount the number of bits (LMC)
     * @return this builder
     */
    public Builder lidMaskCount(int lidMaskCount) {
      this.lidMaskCount = OptionalInt.of(lidMaskCount);
      return this;
    }

    /**
     * Sets the capabilities of the port.
     *
     * @param capabilityMask {@code IB_PORT_..._SUP}
     * @return this builder
     */
    public Builder capabilityMask(long capabilityMask) {
      this.capabilityMask = OptionalLong.of(capabilityMask);
      return this;
    }

    /**
     * Sets the maximum packet size of the port.
     *
     * @param maxMtu in bytes of payload
     * @return this builder
     */
    public Builder maxMtu(int maxMtu) {
      this.maxMtu = OptionalInt.of(maxMtu);
      return this;
    }

    /**
     * Sets the current packet size limit of the port.
     *
     * @param activeMtu in bytes of payload
     * @return this builder
     */
    public Builder activeMtu(int activeMtu) {
      this.activeMtu = OptionalInt.of(activeMtu);
      return this;
    }

    /**
     * Sets the network device of the port.
     *
     * @param netdev its name; null if there is none
     * @return this builder
     */
    public Builder netdev(@Nullable String netdev) {
      this.netdev = netdev;
      return this;
    }

    /**
     * Sets the addresses.
     *
     * @param gids the addresses, in the order of the table
     * @return this builder
     */
    public Builder gids(List<RdmaGid> gids) {
      this.gids = List.copyOf(gids);
      return this;
    }

    /**
     * Sets the partition keys.
     *
     * @param pkeys the keys, in the order of the table
     * @return this builder
     */
    public Builder pkeys(List<Integer> pkeys) {
      this.pkeys = List.copyOf(pkeys);
      return this;
    }

    /** {@return the port with the values set so far} */
    public RdmaPort build() {
      return new RdmaPort(
          number,
          state,
          physicalState,
          gigabitsPerSecond,
          linkLayer,
          lid,
          subnetManagerLid,
          lidMaskCount,
          capabilityMask,
          maxMtu,
          activeMtu,
          netdev,
          gids,
          pkeys);
    }
  }
}
