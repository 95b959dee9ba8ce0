package io.dra4j.netlink.bpf;

/** Where a BPF program is attached to a link. */
public enum AttachPoint {
  /** {@code BPF_TCX_INGRESS}: sees packets that come in by the link; since Linux 6.6. */
  TCX_INGRESS(46),

  /** {@code BPF_TCX_EGRESS}: sees packets that go out by the link; since Linux 6.6. */
  TCX_EGRESS(47),

  /** {@code BPF_NETKIT_PRIMARY}: on a netkit link, what its owner sends; since Linux 6.7. */
  NETKIT_PRIMARY(54),

  /** {@code BPF_NETKIT_PEER}: on a netkit link, what its peer sends; since Linux 6.7. */
  NETKIT_PEER(55),

  /** XDP before the network stack, in any driver ({@code XDP_ATTACHED_SKB}). */
  XDP_GENERIC(2),

  /** XDP in the driver ({@code XDP_ATTACHED_DRV}). */
  XDP_NATIVE(4),

  /** XDP in the NIC ({@code XDP_ATTACHED_HW}). */
  XDP_OFFLOAD(8);

  private final int number;

  AttachPoint(int number) {
    this.number = number;
  }

  /**
   * Whether programs here are XDP programs, of which a link has at most one in each mode.
   *
   * @return false for tcx and netkit, which run several in order
   */
  public boolean isXdp() {
    return this == XDP_GENERIC || this == XDP_NATIVE || this == XDP_OFFLOAD;
  }

  /** For tcx and netkit {@code enum bpf_attach_type}; for XDP {@code XDP_FLAGS_..._MODE}. */
  int number() {
    return number;
  }
}
