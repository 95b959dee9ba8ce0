package io.dra4j.dranet.attach;

import io.dra4j.common.PrintableText;
import io.dra4j.linux.NamespaceId;
import io.dra4j.linux.NetworkNamespace;
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
 * Finds out whether a link that is neither on the host nor in its pod still exists: a pod may move
 * what it was lent into a namespace of its own. Changes nothing.
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

  /** Where the link is, for people; empty if it exists no more. */
  Optional<String> find(LinkIdentity link) throws IOException {
    Optional<String> namespace = namespaceOf(link);
    if (namespace.isPresent()) {
      return Optional.of(
          "it is in "
              + namespace.get()
              + "; it is brought home when it is in that of the pod or of the host");
    }
    String unseen = " exists, but in no network namespace that this process can see";
    if (!link.parent().isEmpty() && isServed(link.parent())) {
      return Optional.of("its device " + link.parent() + unseen);
    }
    return link.hasPeer(host.route())
        ? Optional.of("its peer on the host shows that it" + unseen)
        : Optional.empty();
  }

  private Optional<String> namespaceOf(LinkIdentity link) {
    Set<NamespaceId> seen = new HashSet<>();
    seen.add(host.namespace().id());
    if (pod != null) {
      seen.add(pod.namespace().id());
    }
    for (Map.Entry<Path, String> one : candidates().entrySet()) {
      try (NetworkNamespace namespace =
          NetworkNamespace.open(host.namespace().access(), one.getKey())) {
        if (seen.add(namespace.id()) && has(namespace, link)) {
          return Optional.of(one.getValue());
        }
      } catch (IOException e) {
        // it has ended meanwhile, or belongs to a process that may not be looked into
      }
    }
    return Optional.empty();
  }

  private static boolean has(NetworkNamespace namespace, LinkIdentity link) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(namespace)) {
      return route.links().list(LinkQuery.lean().amidChanges()).stream().anyMatch(link::isSurely);
    }
  }

  /** The namespaces of all processes and those with a name, each once. */
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
          // it has ended meanwhile
        }
      }
    } catch (IOException e) {
      // without /proc there are the others
    }
    try (DirectoryStream<Path> named = Files.newDirectoryStream(NAMED)) {
      for (Path one : named) {
        all.put(one, "network namespace " + one);
      }
    } catch (IOException e) {
      // no namespace has a name
    }
    return all;
  }

  /** Whether a device is in the machine and has a driver, and so an interface somewhere. */
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
