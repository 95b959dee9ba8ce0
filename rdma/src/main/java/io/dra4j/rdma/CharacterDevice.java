package io.dra4j.rdma;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A character device of RDMA: what a container needs to use an RDMA device, beside the right to
 * open it.
 *
 * @param kind what it is for
 * @param name the name of the file in {@code /dev/infiniband}, for example {@code uverbs0}
 * @param port the port of the RDMA device that it belongs to; absent if it belongs to the device or
 *     to all devices
 * @param major its major number
 * @param minor its minor number
 * @param mode the permissions of the file, the lowest 12 bits; absent if the host is a captured one
 *     or the file is missing
 */
public record CharacterDevice(
    Kind kind, String name, OptionalInt port, int major, int minor, OptionalInt mode) {

  /** The folder of all these files. */
  public static final String FOLDER = "/dev/infiniband";

  /** What a character device is for. */
  public enum Kind {
    /** Verbs: memory, queues, completions. */
    UVERBS,
    /** Management datagrams of a port. */
    UMAD,
    /** The right to be the subnet manager of a port. */
    ISSM,
    /** Connections of one device; gone since Linux 4.20. */
    UCM,
    /** Connections of all devices. */
    RDMA_CM;

    /** The kind of a file, by its name; nothing if it is none that is known. */
    static Optional<Kind> of(String name) {
      return Arrays.stream(values()).filter(kind -> name.startsWith(kind.toString())).findFirst();
    }

    /**
     * Returns the kind as the kernel writes it at the beginning of the file's name.
     *
     * @return for example {@code uverbs}
     */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Returns where programs look for the file.
   *
   * @return for example {@code /dev/infiniband/uverbs0}
   */
  public String path() {
    return FOLDER + "/" + name;
  }

  /**
   * Returns the type of the file in the words of OCI and CDI.
   *
   * @return {@code c}, which stands for a character device
   */
  public String type() {
    return "c";
  }
}
