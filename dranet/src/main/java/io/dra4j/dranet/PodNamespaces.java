package io.dra4j.dranet;

import io.dra4j.dranet.attach.AttachRequest;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Sandbox;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network namespaces of pods that have devices. Each stays open from attach to detach, so that
 * a late stop still finds it after its path was removed. Thread-safe.
 */
final class PodNamespaces implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PodNamespaces.class);

  /**
   * The devices of a claim in a pod.
   *
   * @param claim the unique id of the claim
   * @param sandbox the sandbox of the pod
   * @param namespace the open network namespace of the pod
   * @param devices the devices
   */
  record Attachment(
      String claim, Sandbox sandbox, NetworkNamespace namespace, List<AttachRequest> devices) {

    private boolean has(String link) {
      return devices.stream().anyMatch(one -> link.equals(one.link()));
    }
  }

  private record Key(String claim, String sandbox) {}

  private final Map<Key, Attachment> all = new ConcurrentHashMap<>();
  private final Map<Key, PodWatch> watches = new HashMap<>();
  private @Nullable Consumer<String> listener;

  /** Opens the network namespace of a pod. The caller must {@link #keep} or close it. */
  static NetworkNamespace open(Sandbox sandbox) throws DriverException {
    Path path = sandbox.networkNamespace();
    if (path == null) {
      throw DriverException.invalid(
          sandbox.network() == Sandbox.Network.HOST
              ? "sandbox "
                  + sandbox
                  + " uses the host's network namespace: a pod with hostNetwork: true cannot have"
                  + " network devices"
              : "sandbox "
                  + sandbox
                  + ": the container runtime did not report its network namespace, so network"
                  + " devices cannot be attached");
    }
    try {
      return NetworkNamespace.open(path);
    } catch (LinuxException e) {
      throw DriverException.unavailable(
          "network namespace " + path + " of sandbox " + sandbox + ": " + e.getMessage());
    }
  }

  void keep(
      PreparedClaim claim,
      Sandbox sandbox,
      NetworkNamespace namespace,
      List<AttachRequest> devices) {
    String uid = claim.claim().uid();
    Key key = new Key(uid, sandbox.id());
    endWatch(key); // perhaps for another namespace
    Attachment before = all.put(key, new Attachment(uid, sandbox, namespace, List.copyOf(devices)));
    if (before != null && before.namespace != namespace) {
      before.namespace.close();
    }
  }

  /** Returns the namespace that a claim was attached to; null if it has ended or there is none. */
  @Nullable NetworkNamespace find(PreparedClaim claim, Sandbox sandbox) {
    Attachment kept = all.get(new Key(claim.claim().uid(), sandbox.id()));
    Path path = sandbox.networkNamespace();
    if (kept != null || path == null) {
      return kept == null ? null : kept.namespace;
    }
    try {
      NetworkNamespace namespace = NetworkNamespace.open(path);
      keep(claim, sandbox, namespace, List.of());
      return namespace;
    } catch (LinuxException e) {
      LOG.info("network namespace {} of sandbox {} no longer exists", path, sandbox);
      return null;
    }
  }

  /** Closes the namespace that a claim was attached to. Other claims of the pod keep theirs. */
  void end(PreparedClaim claim, Sandbox sandbox) {
    end(new Key(claim.claim().uid(), sandbox.id()));
  }

  /** Closes the namespaces of all pods that have a link. */
  void endAll(String link) {
    all.forEach(
        (key, one) -> {
          if (one.has(link)) {
            end(key);
          }
        });
  }

  private void end(Key key) {
    Attachment kept = all.remove(key);
    endWatch(key);
    if (kept != null) {
      kept.namespace.close();
    }
  }

  /** Watches the current attachments, and all later ones for which {@link #watch} is called. */
  void listen(Consumer<String> changed) {
    synchronized (watches) {
      listener = changed;
    }
    all.forEach(this::watch);
  }

  /** Watches the links of a claim in a pod if there is a listener. */
  void watch(PreparedClaim claim, Sandbox sandbox) {
    Key key = new Key(claim.claim().uid(), sandbox.id());
    Attachment kept = all.get(key);
    if (kept != null) {
      watch(key, kept);
    }
  }

  private void watch(Key key, Attachment kept) {
    synchronized (watches) {
      Consumer<String> changed = listener;
      boolean hasLinks = kept.devices.stream().anyMatch(one -> one.link() != null);
      if (changed == null || !hasLinks || watches.containsKey(key)) {
        return;
      }
      try {
        watches.put(key, PodWatch.open(kept, changed));
      } catch (LinuxException e) {
        LOG.warn(
            "cannot watch the network interfaces of pod {}; changes are detected by polling"
                + " only: {}",
            kept.sandbox,
            e.getMessage());
      }
    }
  }

  private void endWatch(Key key) {
    PodWatch watch;
    synchronized (watches) {
      watch = watches.remove(key);
    }
    if (watch != null) {
      watch.close();
    }
  }

  /** Returns the sandbox, other than the given one, that has the link of a device. */
  Optional<Sandbox> holder(String link, Sandbox than) {
    return all.values().stream()
        .filter(one -> !one.sandbox.id().equals(than.id()))
        .filter(one -> one.has(link))
        .map(Attachment::sandbox)
        .findFirst();
  }

  List<Attachment> attachments() {
    return List.copyOf(all.values());
  }

  @Override
  public void close() {
    synchronized (watches) {
      listener = null;
    }
    all.keySet().forEach(this::endWatch);
    all.values().forEach(one -> one.namespace.close());
    all.clear();
  }
}
