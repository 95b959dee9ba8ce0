package io.dra4j.netlink.rdma;

import java.util.OptionalInt;

/**
 * A character device through which programs use an RDMA device ({@code RDMA_NLDEV_CMD_GET_CHARDEV}
 * of {@code rdma/rdma_netlink.h}).
 *
 * @param name the name of the file in {@code /dev/infiniband}, for example {@code uverbs0}
 * @param major its major number
 * @param minor its minor number
 * @param abi the version of its binary interface
 * @param driver {@code enum rdma_driver_id} of {@code rdma/ib_user_ioctl_verbs.h}; only reported
 *     for {@code uverbs}
 */
public record RdmaCharacterDevice(String name, int major, int minor, long abi, OptionalInt driver) {

  /** Splits a number into major and minor as {@code new_decode_dev} of the kernel does. */
  static RdmaCharacterDevice of(String name, long number, long abi, OptionalInt driver) {
    int major = (int) (number >>> 8 & 0xfff);
    int minor = (int) ((number & 0xff) | (number >>> 12 & 0xf_ff00));
    return new RdmaCharacterDevice(name, major, minor, abi, driver);
  }
}
