package io.dra4j.node;

import io.dra4j.kubelet.DraDevice;
import io.dra4j.kubelet.cdi.CdiEdits;
import io.dra4j.kubelet.cdi.CdiFolder;
import io.dra4j.kubelet.cdi.CdiSpec;
import io.dra4j.model.DeviceId;
import io.dra4j.runtime.StoredAttachment;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The CDI files of the claims of one driver. A container that uses a claim cannot be created while
 * the file of the claim is not there; the kubelet tries again for as long as that is so. The file
 * of a claim that has to be attached names the network namespace of its sandbox, so that a file
 * that outlived the sandbox lets no container start. Thread-safe.
 */
final class ClaimFiles {

  private static final String CLASS = "claim";
  private static final String NAMESPACE_MOUNT = "/run/dra4j/netns";

  private final String driver;
  private final CdiFolder folder;
  private final Set<String> present = ConcurrentHashMap.newKeySet();

  private ClaimFiles(String driver, CdiFolder folder) {
    this.driver = driver;
    this.folder = folder;
  }

  /** Opens the folder; files that a process before wrote stay until {@link #retain}. */
  static ClaimFiles open(Path folder, String driver) throws IOException {
    ClaimFiles files = new ClaimFiles(driver, CdiFolder.open(folder, driver));
    files.present.addAll(files.folder.ids());
    return files;
  }

  /** Removes the files of other claims than these. */
  void retain(Set<String> uids) throws IOException {
    folder.retain(uids);
    present.retainAll(uids);
  }

  /** Whether containers with the claim can be created. */
  boolean has(String uid) {
    return present.contains(uid);
  }

  /** Lets containers with the claim be created. */
  void write(StoredClaim claim, @Nullable StoredAttachment attachment) throws IOException {
    Map<String, CdiEdits> devices = new LinkedHashMap<>();
    List<PreparedDevice> prepared = claim.claim().prepared().devices();
    Map<DeviceId, ContainerEdits> changed =
        attachment == null ? Map.of() : attachment.attached().edits();
    List<CdiEdits.Mount> mounts =
        attachment == null ? List.of() : namespaceMount(attachment.sandbox());
    for (int i = 0; i < prepared.size(); i++) {
      PreparedDevice device = prepared.get(i);
      ContainerEdits edits = changed.getOrDefault(device.device(), device.edits());
      devices.put(nameOf(claim.uid(), i), edits(edits, mounts));
    }
    if (!devices.isEmpty()) {
      folder.write(claim.uid(), new CdiSpec(driver, CLASS, devices));
    }
    present.add(claim.uid());
  }

  /** Lets no container with the claim be created any more. */
  void remove(String uid) throws IOException {
    present.remove(uid);
    folder.remove(uid);
  }

  /** What the kubelet is answered: the devices of a prepared claim. */
  List<DraDevice> devices(String uid, List<PreparedDevice> prepared) {
    List<DraDevice> devices = new ArrayList<>();
    for (int i = 0; i < prepared.size(); i++) {
      PreparedDevice one = prepared.get(i);
      List<String> ids = new ArrayList<>(one.cdiDevices());
      ids.add(driver + "/" + CLASS + "=" + nameOf(uid, i));
      devices.add(
          new DraDevice(
              one.requests(), one.device().pool(), one.device().device(), ids, one.shareId()));
    }
    return devices;
  }

  private static String nameOf(String uid, int index) {
    return uid + "-" + index;
  }

  /** A file that outlives the sandbox names a namespace that is gone. */
  private static List<CdiEdits.Mount> namespaceMount(Sandbox sandbox) {
    Path namespace = sandbox.networkNamespace();
    return namespace == null
        ? List.of()
        : List.of(
            new CdiEdits.Mount(
                namespace.toString(), NAMESPACE_MOUNT, List.of("bind", "ro", "nosuid", "noexec")));
  }

  private static CdiEdits edits(ContainerEdits edits, List<CdiEdits.Mount> more) {
    List<CdiEdits.DeviceNode> nodes = new ArrayList<>();
    for (DeviceNode node : edits.deviceNodes()) {
      nodes.add(
          new CdiEdits.DeviceNode(
              node.path(),
              node.hostPath().equals(node.path()) ? null : node.hostPath(),
              node.permissions()));
    }
    List<CdiEdits.Mount> mounts = new ArrayList<>();
    edits
        .mounts()
        .forEach(
            one -> {
              List<String> options = new ArrayList<>(one.options());
              options.add(one.readOnly() ? "ro" : "rw");
              if (!options.contains("bind") && !options.contains("rbind")) {
                options.add("bind");
              }
              mounts.add(new CdiEdits.Mount(one.hostPath(), one.containerPath(), options));
            });
    mounts.addAll(more);
    return new CdiEdits(edits.environment(), nodes, mounts);
  }
}
