package io.dra4j.node;

import io.dra4j.kubelet.DraDevice;
import io.dra4j.kubelet.cdi.CdiDirectory;
import io.dra4j.kubelet.cdi.CdiEdits;
import io.dra4j.kubelet.cdi.CdiSpec;
import io.dra4j.kubelet.cdi.DeviceMetadata;
import io.dra4j.kubelet.cdi.MetadataDirectory;
import io.dra4j.model.DeviceId;
import io.dra4j.runtime.StoredAttachment;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.BindMount;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.ContainerHook;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The CDI files of the claims of one driver. A container that uses a claim cannot be created while
 * the file of the claim is missing; the kubelet retries until the file exists. The file of a claim
 * that must be attached names the network namespace of its sandbox, so a file that outlives the
 * sandbox does not allow containers to start. Thread-safe.
 */
final class ClaimFiles {

  private static final String CLASS = "claim";
  private static final String NAMESPACE_MOUNT = "/run/dra4j/netns";

  private final String driver;
  private final CdiDirectory directory;
  private final MetadataDirectory metadata;

  private ClaimFiles(String driver, CdiDirectory directory, MetadataDirectory metadata) {
    this.driver = driver;
    this.directory = directory;
    this.metadata = metadata;
  }

  /**
   * Opens the directories for CDI files and, the driver's own, for the device metadata that
   * containers read. Files of an earlier process stay until {@link #retain} is called.
   */
  static ClaimFiles open(Path cdi, Path own, String driver) throws IOException {
    return new ClaimFiles(
        driver,
        CdiDirectory.open(cdi, driver),
        MetadataDirectory.open(own.resolve("dra-device-metadata"), driver));
  }

  /** Keeps only CDI files of {@code open} claims, and only metadata of {@code prepared} ones. */
  void retain(Set<String> open, Set<String> prepared) throws IOException {
    directory.retain(open);
    metadata.retain(prepared);
  }

  /**
   * Writes the metadata of the devices of a claim that was just prepared.
   *
   * @param podClaimName the name of the claim in its pod; null for a claim without a template
   */
  void describe(StoredClaim claim, @Nullable String podClaimName) throws IOException {
    for (DeviceMetadata one : ClaimMetadata.of(claim, podClaimName, null)) {
      metadata.write(one);
    }
  }

  /** Removes the files of a claim that is no longer prepared. */
  void forget(String uid) throws IOException {
    directory.remove(uid);
    metadata.remove(uid);
  }

  /** Whether containers with the claim can be created. */
  boolean has(String uid) {
    return directory.contains(uid);
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
    for (DeviceMetadata one : ClaimMetadata.of(claim, null, attachment)) {
      CdiEdits edits =
          new CdiEdits(Map.of(), List.of(), List.of(metadata.write(one)), List.of(), List.of());
      devices.put(metadataOf(claim.uid(), one.request()), edits);
    }
    directory.write(claim.uid(), new CdiSpec(driver, CLASS, devices));
  }

  /** Removes the file: no container with the claim can be created any more. */
  void remove(String uid) throws IOException {
    directory.remove(uid);
  }

  /** The devices of a prepared claim, as the kubelet receives them. */
  List<DraDevice> devices(String uid, List<PreparedDevice> prepared) {
    List<DraDevice> devices = new ArrayList<>();
    for (int i = 0; i < prepared.size(); i++) {
      PreparedDevice one = prepared.get(i);
      List<String> ids = new ArrayList<>(one.cdiDevices());
      ids.add(idOf(nameOf(uid, i)));
      one.requests().forEach(request -> ids.add(idOf(metadataOf(uid, request))));
      devices.add(
          new DraDevice(
              one.requests(), one.device().pool(), one.device().device(), ids, one.shareId()));
    }
    return devices;
  }

  private String idOf(String name) {
    return driver + "/" + CLASS + "=" + name;
  }

  private static String metadataOf(String uid, String request) {
    return uid + "-metadata-" + request.replaceFirst("/.*", "");
  }

  private static String nameOf(String uid, int index) {
    return uid + "-" + index;
  }

  /** The mount of the sandbox's namespace, which makes a file useless after the sandbox ended. */
  private static List<CdiEdits.Mount> namespaceMount(Sandbox sandbox) {
    Path namespace = sandbox.networkNamespace();
    return namespace == null
        ? List.of()
        : List.of(
            new CdiEdits.Mount(
                namespace.toString(), NAMESPACE_MOUNT, List.of("bind", "ro", "nosuid", "noexec")));
  }

  private static CdiEdits edits(ContainerEdits edits, List<CdiEdits.Mount> more) {
    List<CdiEdits.Mount> mounts = new ArrayList<>();
    edits.mounts().forEach(one -> mounts.add(mount(one)));
    mounts.addAll(more);
    return new CdiEdits(
        edits.environment(),
        edits.deviceNodes().stream().map(ClaimFiles::node).toList(),
        mounts,
        edits.hooks().stream().map(ClaimFiles::hook).toList(),
        edits.additionalGids());
  }

  private static CdiEdits.DeviceNode node(DeviceNode node) {
    return new CdiEdits.DeviceNode(
        node.path(),
        node.hostPath().equals(node.path()) ? null : node.hostPath(),
        permissions(node.permissions()),
        node.uid(),
        node.gid(),
        node.fileMode());
  }

  /** Sorts the permissions in the order that CDI files require. */
  private static String permissions(String some) {
    StringBuilder ordered = new StringBuilder();
    for (String one : List.of("r", "w", "m")) {
      if (some.contains(one)) {
        ordered.append(one);
      }
    }
    return ordered.toString();
  }

  private static CdiEdits.Mount mount(BindMount mount) {
    List<String> options = new ArrayList<>(mount.options());
    options.add(mount.readOnly() ? "ro" : "rw");
    if (!options.contains("bind") && !options.contains("rbind")) {
      options.add("bind");
    }
    return new CdiEdits.Mount(mount.hostPath(), mount.containerPath(), options);
  }

  private static CdiEdits.Hook hook(ContainerHook hook) {
    Duration timeout = hook.timeout();
    return new CdiEdits.Hook(
        switch (hook.moment()) {
          case CREATE_RUNTIME -> "createRuntime";
          case CREATE_CONTAINER -> "createContainer";
          case START_CONTAINER -> "startContainer";
          case POST_START -> "poststart";
          case POST_STOP -> "poststop";
        },
        hook.path(),
        hook.arguments(),
        hook.environment(),
        timeout == null ? 0 : timeout.toSeconds());
  }
}
