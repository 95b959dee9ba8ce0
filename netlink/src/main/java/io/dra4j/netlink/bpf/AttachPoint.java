package io.dra4j.netlink.bpf;

/** The places at which BPF programs are attached to links. */
public enum AttachPoint {
  /** {@code BPF_TCX_INGRESS}: sees packets that the link receives; since Linux 6.6. */
  TCX_INGRESS(46),

  /** {@code BPF_TCX_EGRESS}: sees packets that the link sends; since Linux 6.6. */
  TCX_EGRESS(47),

  /** {@code BPF_NETKIT_PRIMARY}: sees packets that a netkit link's owner sends; since Linux 6.7. */
  NETKIT_PRIMARY(54),

  /**
   * {@code BPF_NETKIT_PEER}: sees packets that the peer of a netkit link sends; since Linux 6.7.
   */
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

  /** {@return whether this is XDP, which has one program per mode; tcx and netkit run several} */
  public boolean isXdp() {
    return this == XDP_GENERIC || this == XDP_NATIVE || this == XDP_OFFLOAD;
  }

  /**
   * Returns {@code enum bpf_attach_type} for tcx and netkit, {@code XDP_FLAGS_..._MODE} for XDP.
   */
  int number() {
    return number;
  }
}
