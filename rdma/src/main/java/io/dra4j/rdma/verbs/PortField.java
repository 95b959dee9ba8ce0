package io.dra4j.rdma.verbs;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The numbers of {@code struct ibv_port_attr} of {@code infiniband/verbs.h} that the exported
 * {@code ibv_query_port} fills in. {@code port_cap_flags2} and {@code active_speed_ex} were added
 * later; only the inline function fills them in.
 */
public enum PortField {
  /** The logical state: 1 down, 2 initializing, 3 armed, 4 active. */
  STATE(0, FieldForm.S32),

  /** The largest MTU, {@code enum ibv_mtu}: 1 is 256 bytes, 5 is 4,096. */
  MAX_MTU(4, FieldForm.S32),

  /** The MTU in use, {@code enum ibv_mtu}: 1 is 256 bytes, 5 is 4,096. */
  ACTIVE_MTU(8, FieldForm.S32),

  /** The number of entries of the GID table. */
  GID_TBL_LEN(12, FieldForm.S32),

  /** The capabilities of the port: {@code enum ibv_port_cap_flags}. */
  PORT_CAP_FLAGS(16, FieldForm.U32X8),

  /** The largest message in bytes. */
  MAX_MSG_SZ(20, FieldForm.U32X),

  /** The number of packets received with a bad partition key. */
  BAD_PKEY_CNTR(24, FieldForm.U32X),

  /** The number of packets received with a bad queue key. */
  QKEY_VIOL_CNTR(28, FieldForm.U32X),

  /** The number of entries of the partition key table. */
  PKEY_TBL_LEN(32, FieldForm.U16),

  /** The local identifier; 0 if there is none. */
  LID(34, FieldForm.U16),

  /** The local identifier of the manager of the subnet; 0 if there is none. */
  SM_LID(36, FieldForm.U16),

  /** The number of low bits of the local identifier that the port may use itself. */
  LMC(38, FieldForm.U8X2),

  /** The largest number of virtual lanes: 1, 2, 3, 4, 5 are 1, 2, 4, 8, 15 lanes. */
  MAX_VL_NUM(39, FieldForm.U8),

  /** The service level of the manager of the subnet. */
  SM_SL(40, FieldForm.U8),

  /** The longest time of a packet in the subnet: 4.096 µs times 2 to the power of this. */
  SUBNET_TIMEOUT(41, FieldForm.U8),

  /** The kind of initialization that the manager of the subnet did. */
  INIT_TYPE_REPLY(42, FieldForm.U8),

  /** The number of lanes: 1 is 1, 2 is 4, 4 is 8, 8 is 12, 16 is 2 lanes. */
  ACTIVE_WIDTH(43, FieldForm.U8),

  /** The speed of a lane: 1 is 2.5 Gb/s, 2 is 5, 4 and 8 are 10, 16 is 14, 32 is 25, 64 is 50. */
  ACTIVE_SPEED(44, FieldForm.U8),

  /** The physical state: 3 disabled, 5 link up. */
  PHYS_STATE(45, FieldForm.U8),

  /** The link layer: 1 InfiniBand, 2 Ethernet. */
  LINK_LAYER(46, FieldForm.U8);

  /** The size of the buffer: more than {@code struct ibv_port_attr} needs, since it may grow. */
  static final int SIZE = 64;

  private final int offset;
  private final FieldForm form;

  PortField(int offset, FieldForm form) {
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
   * @return the formatted value, for example {@code 0x00010000}
   */
  public String text(long value) {
    return form.text(value);
  }

  /** {@return the name of the field in the structure, for example {@code max_msg_sz}} */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value of this field in a structure. */
  long read(ByteBuffer structure) {
    return form.read(structure, offset);
  }

  /** All fields of a structure. */
  static Map<PortField, Long> readAll(ByteBuffer structure) {
    Map<PortField, Long> values = new EnumMap<>(PortField.class);
    for (PortField field : values()) {
      values.put(field, field.read(structure));
    }
    return Collections.unmodifiableMap(values);
  }
}
