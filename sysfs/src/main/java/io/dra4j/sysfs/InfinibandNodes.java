package io.dra4j.sysfs;

import io.dra4j.sysfs.text.KernelText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the classes of character devices of RDMA devices ({@code stable/sysfs-class-infiniband} of
 * the kernel: {@code ibdev}, {@code port}, {@code dev}).
 */
final class InfinibandNodes {

  private static final List<String> CLASSES =
      List.of("infiniband_verbs", "infiniband_mad", "infiniband_cm");

  /** IB_DEVICE_NAME_MAX is 64 with the zero byte: include/uapi/rdma/rdma_netlink.h. */
  private static final Pattern DEVICE_NAME = Pattern.compile("[^\\p{Cntrl}/\\uFFFD]{1,63}");

  private static final int MAX_MAJOR = 0xfff; // 12 and 20 bits: include/linux/kdev_t.h
  private static final int MAX_MINOR = 0xf_ffff;

  private final BiConsumer<Optional<String>, String> problems;

  /** The RDMA device whose character device is being read. */
  private Optional<String> device = Optional.empty();

  InfinibandNodes(BiConsumer<Optional<String>, String> problems) {
    this.problems = problems;
  }

  /** Receives the warnings of the tree. */
  void warn(String warning) {
    problems.accept(device, warning);
  }

  List<InfinibandNode> read(SysfsTree tree) {
    List<InfinibandNode> nodes = new ArrayList<>();
    for (String kind : CLASSES) {
      for (String name : tree.list("sys/class/" + kind)) {
        // The directory also has a file, abi_version.
        if (!name.equals("abi_version")) {
          tree.directory("sys/class/" + kind + "/" + name)
              .ifPresent(directory -> add(tree, name, directory, nodes));
        }
      }
    }
    tree.directory("sys/class/misc/rdma_cm")
        .ifPresent(directory -> node(tree, "rdma_cm", null, directory).ifPresent(nodes::add));
    return nodes;
  }

  private void add(
      SysfsTree tree, String name, SysfsTree.Directory directory, List<InfinibandNode> nodes) {
    device = directory.text("ibdev").filter(text -> DEVICE_NAME.matcher(text).matches());
    if (device.isEmpty()) { // as in a capture that lacks it
      tree.warn(directory.path() + "/ibdev", "does not name an RDMA device; " + name + " left out");
      return;
    }
    node(tree, name, device.get(), directory).ifPresent(nodes::add);
    device = Optional.empty();
  }

  private static Optional<InfinibandNode> node(
      SysfsTree tree, String name, @Nullable String device, SysfsTree.Directory directory) {
    String text = directory.text("dev").orElse("");
    int colon = text.indexOf(':');
    OptionalInt major = KernelText.decimal(text.substring(0, Math.max(0, colon)), MAX_MAJOR);
    OptionalInt minor = KernelText.decimal(text.substring(colon + 1), MAX_MINOR);
    if (major.isEmpty() || minor.isEmpty()) {
      tree.warn(
          directory.path() + "/dev",
          "expected numbers such as 231:192, found " + KernelText.quote(text));
      return Optional.empty();
    }
    return Optional.of(
        new InfinibandNode(
            name,
            device,
            directory.number("port", InfinibandClass.MAX_PORT),
            major.getAsInt(),
            minor.getAsInt()));
  }
}
