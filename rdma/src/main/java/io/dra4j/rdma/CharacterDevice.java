package io.dra4j.rdma;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A character device of RDMA. To use an RDMA device, a container needs its character devices and
 * permission to open them.
 *
 * @param kind the purpose of the device
 * @param name the name of the file in {@code /dev/infiniband}, for example {@code uverbs0}
 * @param port the port of the RDMA device that the file belongs to; absent if it belongs to the
 *     whole device or to all devices
 * @param major its major number
 * @param minor its minor number
 * @param mode the permissions of the file, the lowest 12 bits of its mode; absent if the host is a
 *     captured one or the file is missing
 */
public record CharacterDevice(
    Kind kind, String name, OptionalInt port, int major, int minor, OptionalInt mode) {

  /** The directory of all these files. */
  public static final String DIRECTORY = "/dev/infiniband";

  /** The purpose of a character device. */
  public enum Kind {
    /** The verbs of a device: memory, queues, completions. */
    UVERBS,
    /** Management datagrams of a port. */
    UMAD,
    /** A program that has this file open is the subnet manager of a port. */
    ISSM,
    /** Connections of one device; removed in Linux 4.20. */
    UCM,
    /** Connections of all devices. */
    RDMA_CM;

    /** The kind of a file, by its name; empty if the kind is unknown. */
    static Optional<Kind> of(String name) {
      return Arrays.stream(values()).filter(kind -> name.startsWith(kind.toString())).findFirst();
    }

    /** {@return the kind as at the beginning of the file's name, for example {@code uverbs}} */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** {@return where programs look for the file, for example {@code /dev/infiniband/uverbs0}} */
  public String path() {
    return DIRECTORY + "/" + name;
  }

  /** {@return the file's type in OCI and CDI: {@code c}, which stands for a character device} */
  public String type() {
    return "c";
  }
}
