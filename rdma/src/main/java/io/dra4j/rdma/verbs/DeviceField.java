package io.dra4j.rdma.verbs;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Numbers of {@code struct ibv_device_attr} of {@code infiniband/verbs.h}: identity and limits. */
public enum DeviceField {
  /** The size of the largest memory region in bytes, unsigned. */
  MAX_MR_SIZE(80, FieldForm.U64X),

  /** The page sizes that memory regions may have, one bit for each, unsigned. */
  PAGE_SIZE_CAP(88, FieldForm.U64X),

  /** The vendor: its OUI or its PCI vendor ID. */
  VENDOR_ID(96, FieldForm.U32X4),

  /** The part number of the vendor. */
  VENDOR_PART_ID(100, FieldForm.U32),

  /** The version of the hardware. */
  HW_VER(104, FieldForm.U32UPPERX),

  /** The largest number of queue pairs. */
  MAX_QP(108, FieldForm.S32),

  /** The largest number of work requests on a queue. */
  MAX_QP_WR(112, FieldForm.S32),

  /** The capabilities of the device: {@code enum ibv_device_cap_flags}. */
  DEVICE_CAP_FLAGS(116, FieldForm.U32X8),

  /** The largest number of pieces of memory of a work request. */
  MAX_SGE(120, FieldForm.S32),

  /** The largest number of pieces of memory of an RDMA read. */
  MAX_SGE_RD(124, FieldForm.S32),

  /** The largest number of completion queues. */
  MAX_CQ(128, FieldForm.S32),

  /** The largest number of entries of a completion queue. */
  MAX_CQE(132, FieldForm.S32),

  /** The largest number of memory regions. */
  MAX_MR(136, FieldForm.S32),

  /** The largest number of protection domains. */
  MAX_PD(140, FieldForm.S32),

  /** The largest number of reads and atomic operations at a queue pair at once, as a target. */
  MAX_QP_RD_ATOM(144, FieldForm.S32),

  /** The largest number of reads and atomics at an end-to-end context at once, as a target. */
  MAX_EE_RD_ATOM(148, FieldForm.S32),

  /** The largest number of resources for reads and atomic operations, as a target. */
  MAX_RES_RD_ATOM(152, FieldForm.S32),

  /** The largest depth of reads and atomic operations that a queue pair begins. */
  MAX_QP_INIT_RD_ATOM(156, FieldForm.S32),

  /** The largest depth of reads and atomic operations that an end-to-end context begins. */
  MAX_EE_INIT_RD_ATOM(160, FieldForm.S32),

  /** The scope of atomic operations: 0 none, 1 this device, 2 all devices and processors. */
  ATOMIC_CAP(164, FieldForm.S32),

  /** The largest number of end-to-end contexts. */
  MAX_EE(168, FieldForm.S32),

  /** The largest number of domains of reliable datagrams. */
  MAX_RDD(172, FieldForm.S32),

  /** The largest number of memory windows. */
  MAX_MW(176, FieldForm.S32),

  /** The largest number of queue pairs for raw datagrams of IPv6. */
  MAX_RAW_IPV6_QP(180, FieldForm.S32),

  /** The largest number of queue pairs for raw datagrams of Ethertypes. */
  MAX_RAW_ETHY_QP(184, FieldForm.S32),

  /** The largest number of multicast groups. */
  MAX_MCAST_GRP(188, FieldForm.S32),

  /** The largest number of queue pairs in a multicast group. */
  MAX_MCAST_QP_ATTACH(192, FieldForm.S32),

  /** The largest number of queue pairs in all multicast groups together. */
  MAX_TOTAL_MCAST_QP_ATTACH(196, FieldForm.S32),

  /** The largest number of address handles. */
  MAX_AH(200, FieldForm.S32),

  /** The largest number of fast memory regions. */
  MAX_FMR(204, FieldForm.S32),

  /** The largest number of maps of a fast memory region before it has to be unmapped. */
  MAX_MAP_PER_FMR(208, FieldForm.S32),

  /** The largest number of shared receive queues. */
  MAX_SRQ(212, FieldForm.S32),

  /** The largest number of work requests on a shared receive queue. */
  MAX_SRQ_WR(216, FieldForm.S32),

  /** The largest number of pieces of memory of a work request on a shared receive queue. */
  MAX_SRQ_SGE(220, FieldForm.S32),

  /** The largest number of partition keys. */
  MAX_PKEYS(224, FieldForm.U16),

  /** The time that the device takes to acknowledge: 4.096 µs times 2 to the power of this. */
  LOCAL_CA_ACK_DELAY(226, FieldForm.U8),

  /** The number of ports. */
  PHYS_PORT_CNT(227, FieldForm.U8);

  /** The size of {@code struct ibv_device_attr}. */
  static final int SIZE = 232;

  private final int offset;
  private final FieldForm form;

  DeviceField(int offset, FieldForm form) {
    this.offset = offset;
    this.form = form;
  }

  /** The offset of the field in the structure, in bytes. */
  int offset() {
    return offset;
  }

  /** The size of the field in bytes. */
  int bytes() {
    return form.bytes();
  }

  /**
   * Formats a value of this field as {@code ibv_devinfo -v} does, without symbolic names.
   *
   * @param value the value, from {@link RdmaLimits}
   * @return the formatted value, for example {@code 0x00221c36}
   */
  public String text(long value) {
    return form.text(value);
  }

  /** {@return the name of the field in the structure, for example {@code max_qp}} */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value of this field in a structure. */
  long read(ByteBuffer structure) {
    return form.read(structure, offset);
  }

  /** All fields of a structure. */
  static Map<DeviceField, Long> readAll(ByteBuffer structure) {
    Map<DeviceField, Long> values = new EnumMap<>(DeviceField.class);
    for (DeviceField field : values()) {
      values.put(field, field.read(structure));
    }
    return Collections.unmodifiableMap(values);
  }
}
