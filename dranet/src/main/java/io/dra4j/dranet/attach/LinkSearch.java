package io.dra4j.dranet.attach;

import io.dra4j.common.PrintableText;
import io.dra4j.linux.NamespaceId;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.rdma.RdmaNetlink;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Searches for a link or RDMA device that is neither on the host nor in its pod: a pod may move its
 * devices into another namespace. Changes nothing.
 */
final class LinkSearch {

  private static final Path PROC = Path.of("/proc");
  private static final Path NAMED = Path.of("/run/netns");
  private static final Path BUSES = Path.of("/sys/bus");

  private final NamespaceSession host;
  private final @Nullable NamespaceSession pod;

  LinkSearch(NamespaceSession host, @Nullable NamespaceSession pod) {
    this.host = host;
    this.pod = pod;
  }

  /** Returns a description of the place of the link; empty if it no longer exists. */
  Optional<String> find(LinkIdentity link) throws IOException {
    Optional<String> namespace = namespaceWith(one -> has(one, link));
    if (namespace.isPresent()) {
      return namespace;
    }
    String unseen = " exists, but in no network namespace that this process can see";
    if (!link.parent().isEmpty() && isServed(link.parent())) {
      return Optional.of("its device " + link.parent() + unseen);
    }
    return link.hasPeer(host.route())
        ? Optional.of("its peer on the host shows that it" + unseen)
        : Optional.empty();
  }

  /**
   * Returns a description of the place of the RDMA device; empty if no visible namespace has it.
   */
  Optional<String> find(Undo.ReturnRdma device) {
    return namespaceWith(one -> has(one, device));
  }

  private interface Contents {
    boolean areIn(NetworkNamespace namespace) throws IOException;
  }

  private Optional<String> namespaceWith(Contents contents) {
    Set<NamespaceId> seen = new HashSet<>();
    seen.add(host.namespace().id());
    if (pod != null) {
      seen.add(pod.namespace().id());
    }
    for (Map.Entry<Path, String> one : candidates().entrySet()) {
      try (NetworkNamespace namespace =
          NetworkNamespace.open(host.namespace().access(), one.getKey())) {
        if (seen.add(namespace.id()) && contents.areIn(namespace)) {
          return Optional.of(
              "it is in "
                  + one.getValue()
                  + "; move it to the namespace of the pod or of the host, then the driver"
                  + " returns it");
        }
      } catch (IOException e) {
        // it has ended, or belongs to a process without access
      }
    }
    return Optional.empty();
  }

  private boolean has(NetworkNamespace namespace, LinkIdentity link) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(namespace)) {
      for (Link one : route.links().list(LinkQuery.lean().amidChanges())) {
        if (link.isSurely(one, route, host.namespace())) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean has(NetworkNamespace namespace, Undo.ReturnRdma device)
      throws IOException {
    try (RdmaNetlink rdma = RdmaNetlink.open(namespace)) {
      return device.find(rdma.devices()).isPresent();
    }
  }

  /** Returns the namespaces of all processes and all named namespaces, each once. */
  private static Map<Path, String> candidates() {
    Map<Path, String> all = new LinkedHashMap<>();
    Set<String> known = new HashSet<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        Path namespace = process.resolve("ns/net");
        try {
          if (known.add(Files.readSymbolicLink(namespace).toString())) {
            String name = Files.readString(process.resolve("comm")).strip();
            all.put(
                namespace,
                "the network namespace of process %s (%s)"
                    .formatted(process.getFileName(), PrintableText.of(name)));
          }
        } catch (IOException e) {
          // it has ended
        }
      }
    } catch (IOException e) {
      // without /proc only named namespaces are searched
    }
    try (DirectoryStream<Path> named = Files.newDirectoryStream(NAMED)) {
      for (Path one : named) {
        all.put(one, "network namespace " + one);
      }
    } catch (IOException e) {
      // there are no named namespaces
    }
    return all;
  }

  /** Returns whether a device exists and has a driver, and therefore an interface somewhere. */
  private static boolean isServed(String device) {
    try (DirectoryStream<Path> buses = Files.newDirectoryStream(BUSES)) {
      for (Path bus : buses) {
        if (Files.exists(bus.resolve("devices").resolve(device).resolve("driver"))) {
          return true;
        }
      }
    } catch (IOException e) {
      return false;
    }
    return false;
  }
}
