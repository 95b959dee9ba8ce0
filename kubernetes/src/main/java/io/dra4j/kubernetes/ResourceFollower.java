package io.dra4j.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.dra4j.inventory.InventoryEvent;
import io.dra4j.kubernetes.ResourceState.Phase;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Follows one resource. It lists the resource, watches it from that version, and lists it again if
 * the server no longer has the version (410) or the watch cannot be read. Runs in a separate
 * thread.
 */
final class ResourceFollower implements Runnable {

  /** Takes changes. Its methods are called from the follower's thread. */
  interface Target {
    void apply(ClusterResource resource, List<Change> changes, ResourceState state);
  }

  /**
   * A change of one object.
   *
   * @param name namespace and name, or the name alone
   * @param resourceVersion the version of the object; empty for a deleted one
   * @param event the change
   */
  record Change(String name, String resourceVersion, InventoryEvent event) {}

  private static final int GONE = 410;
  private static final Duration NOT_SERVED_PAUSE = Duration.ofMinutes(1);

  /**
   * The duration of a watch that is requested from the server; up to half of it is added at random.
   */
  private static final Duration WATCH_TIME = Duration.ofMinutes(4);

  /** The time after which an overdue watch is dead: its connection was lost without notice. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  /** The time after which an open watch counts as healthy; a change makes it healthy as well. */
  private static final Duration SETTLED = Duration.ofSeconds(1);

  private static final long NOT_OPEN = Long.MAX_VALUE;

  private static final JsonMapper MAPPER = new JsonMapper();

  private final ApiServer server;
  private final ServedResource.Documents documents;
  private final ClusterResource resource;
  private final String selection;
  private final Target target;
  private final ManifestReader reader =
      ManifestReader.builder().withoutSources().sharingValues().build();
  private final Backoff backoff;
  private Map<String, String> known = new HashMap<>(); // names and versions of all objects
  private Map<String, String> unreadable = new TreeMap<>(); // names and reasons of some of them
  private String resourceVersion = "";
  private boolean isListed;
  private volatile boolean isClosed;
  private volatile @Nullable InputStream open;
  private volatile long endOfWatch = Long.MAX_VALUE; // System.nanoTime()

  // Also used by the watchdog: guarded by this.
  private ResourceState state = new ResourceState(Phase.LISTING, "", Instant.now(), "", List.of());
  private @Nullable Trouble trouble;
  private long opened = NOT_OPEN; // System.nanoTime()

  /**
   * The reason why the resource is not followed. It stays until the resource is followed again.
   *
   * @param isOfWatch whether a watch failed instead of a list; a successful list does not clear it
   */
  private record Trouble(Phase phase, String message, boolean isOfWatch) {

    static Trouble of(ClusterException e, boolean isOfWatch) {
      boolean isDenied = e.status() == 401 || e.status() == 403;
      return new Trouble(
          isDenied ? Phase.DENIED : Phase.RETRYING, String.valueOf(e.getMessage()), isOfWatch);
    }
  }

  /**
   * Follows the objects of a resource.
   *
   * @param documents the groups and versions of the server, shared by all followers
   * @param fieldSelector selects the objects, for example {@code spec.driver=gpu.example.com};
   *     empty for all
   */
  ResourceFollower(
      ApiServer server,
      ServedResource.Documents documents,
      ClusterResource resource,
      String fieldSelector,
      Target target) {
    this(server, documents, resource, fieldSelector, target, new Backoff());
  }

  /** Follows the objects of a resource with other pauses after failures. */
  ResourceFollower(
      ApiServer server,
      ServedResource.Documents documents,
      ClusterResource resource,
      String fieldSelector,
      Target target,
      Backoff backoff) {
    this.server = server;
    this.documents = documents;
    this.resource = resource;
    this.selection =
        fieldSelector.isEmpty() ? "" : "&fieldSelector=" + ServedResource.encode(fieldSelector);
    this.target = target;
    this.backoff = backoff;
  }

  /** Ends the watch, and with it the thread. */
  void close() {
    isClosed = true;
    closeStream();
  }

  /**
   * Closes a watch that is past its deadline. Resets the backoff and clears the error once a watch
   * has been open long enough to count as healthy.
   */
  void look(long now) {
    if (now - endOfWatch > 0) {
      closeStream();
    }
    synchronized (this) {
      if (opened != NOT_OPEN && now - opened > SETTLED.toNanos()) {
        settle();
      }
    }
  }

  /** Resets the backoff and clears the error. */
  private synchronized void settle() {
    backoff.reset();
    if (trouble != null) {
      trouble = null;
      report(List.of(), Phase.WATCHING, "", state.resourceVersion(), state.unreadable());
    }
  }

  private void closeStream() {
    InputStream stream = open;
    if (stream != null) {
      try {
        stream.close();
      } catch (IOException e) {
        // the reader sees the end
      }
    }
  }

  @Override
  public void run() {
    @Nullable ServedResource served = null;
    while (!isClosed) {
      boolean isOfWatch = isListed; // the next request that may fail
      try {
        if (served == null) {
          served = ServedResource.find(resource, documents);
        }
        if (served == null) {
          notServed();
          pause(NOT_SERVED_PAUSE);
        } else if (!isListed) {
          list(served);
        } else {
          watch(served);
        }
      } catch (ClusterException e) {
        if (isClosed) {
          break;
        }
        if (e.status() == GONE && isListed) {
          isListed = false; // its version is too old
          if (isFirstFailure()) {
            continue; // without a pause
          }
        }
        if (e.status() == 404) {
          served = null; // the version was disabled
          isListed = false;
        }
        fail(Trouble.of(e, isOfWatch));
      } catch (InterruptedException e) {
        isClosed = true;
      }
    }
    settleAs(Phase.CLOSED, "", List.of());
  }

  /** Returns whether this is the first failure since the resource was followed. */
  private synchronized boolean isFirstFailure() {
    boolean isFirst = !backoff.isUsed();
    backoff.pause();
    return isFirst;
  }

  private void fail(Trouble found) {
    Duration pause;
    synchronized (this) {
      trouble = found;
      report(List.of(), found.phase());
      pause = backoff.pause();
    }
    pause(pause);
  }

  private void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      isClosed = true;
    }
  }

  private void notServed() {
    List<Change> events = known.keySet().stream().map(this::removal).toList();
    known.clear();
    unreadable.clear();
    String message =
        resource.isOptional()
            ? ""
            : "the cluster does not serve this resource in "
                + String.join(", ", resource.versions())
                + ": it is older than Kubernetes 1.32, or Dynamic Resource Allocation is off";
    settleAs(Phase.NOT_SERVED, message, events);
  }

  private void list(ServedResource served) throws ClusterException, InterruptedException {
    report(List.of(), Phase.LISTING);
    List<Change> events = new ArrayList<>();
    Map<String, String> versions = new HashMap<>();
    Map<String, String> reasons = new TreeMap<>();
    String version =
        served.list(
            server,
            selection,
            body -> open = body,
            object -> {
              String name = object.displayName();
              versions.put(name, object.resourceVersion());
              if (!object.resourceVersion().isEmpty()
                  && object.resourceVersion().equals(known.get(name))) {
                if (unreadable.containsKey(name)) {
                  reasons.put(name, unreadable.get(name));
                }
              } else {
                events.add(change(served, object, reasons));
              }
            });
    for (String name : known.keySet()) {
      if (!versions.containsKey(name)) {
        events.add(removal(name));
      }
    }
    known = versions;
    unreadable = reasons;
    resourceVersion = version;
    isListed = true;
    synchronized (this) {
      trouble = trouble == null || !trouble.isOfWatch() ? null : trouble;
      report(events, Phase.WATCHING);
    }
  }

  private void watch(ServedResource served) throws ClusterException, InterruptedException {
    long seconds =
        WATCH_TIME.toSeconds()
            + ThreadLocalRandom.current().nextLong(WATCH_TIME.toSeconds() / 2 + 1);
    String path =
        "%s?watch=true&allowWatchBookmarks=true&timeoutSeconds=%d&resourceVersion=%s%s"
            .formatted(served.path(), seconds, ServedResource.encode(resourceVersion), selection);
    endOfWatch = System.nanoTime() + Duration.ofSeconds(seconds).plus(GRACE).toNanos();
    try (InputStream body = server.get(path)) {
      open = body;
      if (isClosed) {
        return;
      }
      long begin = System.nanoTime();
      opened(begin);
      report(List.of(), Phase.WATCHING);
      ObjectStream.watch(body, (type, object) -> event(served, type, object));
      if (System.nanoTime() - begin < SETTLED.toNanos() && !isClosed) {
        throw new ClusterException(
            "GET %s: the API server, or a proxy in front of it, ends the watch immediately"
                .formatted(served.path()),
            ClusterException.NO_ANSWER,
            null);
      }
    } catch (IOException e) {
      if (e instanceof JsonProcessingException && !(e instanceof JsonEOFException)) {
        isListed = false; // the watch would fail again
      }
      throw server.unanswered("GET " + path, e);
    } finally {
      opened(NOT_OPEN);
      open = null;
      endOfWatch = Long.MAX_VALUE;
    }
  }

  private synchronized void opened(long time) {
    opened = time;
  }

  private void event(ServedResource served, String type, RawObject object) throws ClusterException {
    String version = object.resourceVersion();
    boolean isNew = !version.isEmpty() && !version.equals(resourceVersion);
    List<Change> changes = List.of();
    switch (type) {
      case "ADDED", "MODIFIED" -> {
        changes = List.of(change(served, object, unreadable));
        known.put(object.displayName(), version);
      }
      case "DELETED" -> {
        known.remove(object.displayName());
        unreadable.remove(object.displayName());
        changes = List.of(removal(object.displayName()));
      }
      case "BOOKMARK" -> {}
      case "ERROR" -> throw error(object);
      default -> {
        return; // the API has no other types
      }
    }
    if (isNew) {
      resourceVersion = version;
      settle();
    }
    report(changes, Phase.WATCHING);
  }

  private static ClusterException error(RawObject status) {
    try {
      JsonNode node = MAPPER.readTree(status.json());
      int code = node.path("code").asInt();
      String message = Printable.line(node.path("message").asText());
      return new ClusterException(
          "the watch ended: " + ApiServer.refusal(code, message), code, null);
    } catch (IOException e) {
      return new ClusterException(
          "the API server ended the watch with an ERROR event whose Status cannot be parsed", 0, e);
    }
  }

  /**
   * Puts the object into the inventory, or removes it from the inventory if it cannot be read.
   *
   * @param reasons the reasons by object; the object's reason is added or removed
   */
  private Change change(ServedResource served, RawObject object, Map<String, String> reasons) {
    String name = object.displayName();
    try {
      if (object.isTooLarge()) {
        throw new IllegalArgumentException(
            "it is larger than %d bytes".formatted(RawObject.MAX_BYTES));
      }
      KubernetesObject read =
          reader
              .readObject(
                  resource.kind() + " " + name,
                  new ByteArrayInputStream(object.json()),
                  served.apiVersion(),
                  resource.kind())
              .object();
      reasons.remove(name);
      return new Change(name, object.resourceVersion(), put(read));
    } catch (ManifestException | IllegalArgumentException e) {
      reasons.put(name, Printable.line(String.valueOf(e.getMessage())));
      return removal(name);
    }
  }

  private static InventoryEvent put(KubernetesObject object) {
    if (object instanceof Node node) {
      return new InventoryEvent.NodePut(node);
    } else if (object instanceof ResourceSlice slice) {
      return new InventoryEvent.SlicePut(slice);
    } else if (object instanceof DeviceClass deviceClass) {
      return new InventoryEvent.ClassPut(deviceClass);
    } else if (object instanceof ResourceClaim claim) {
      return new InventoryEvent.ClaimPut(claim);
    } else if (object instanceof DeviceTaintRule rule) {
      return new InventoryEvent.TaintRulePut(rule);
    }
    throw new IllegalStateException("no event for " + object.getClass());
  }

  private Change removal(String name) {
    return new Change(name, "", removalOf(name));
  }

  private InventoryEvent removalOf(String name) {
    return switch (resource) {
      case NODES -> new InventoryEvent.NodeRemoved(name);
      case RESOURCE_SLICES -> new InventoryEvent.SliceRemoved(name);
      case DEVICE_CLASSES -> new InventoryEvent.ClassRemoved(name);
      case DEVICE_TAINT_RULES -> new InventoryEvent.TaintRuleRemoved(name);
      case RESOURCE_CLAIMS -> {
        int slash = name.indexOf('/');
        yield new InventoryEvent.ClaimRemoved(
            new ClaimKey(name.substring(0, Math.max(0, slash)), name.substring(slash + 1)));
      }
      default -> throw new IllegalStateException("no event for " + resource);
    };
  }

  private synchronized void settleAs(Phase phase, String message, List<Change> events) {
    trouble = null;
    report(events, phase, message);
  }

  /** Reports a phase, or the current trouble. */
  private synchronized void report(List<Change> events, Phase phase) {
    if (trouble == null) {
      report(events, phase, "");
    } else {
      report(events, trouble.phase(), trouble.message());
    }
  }

  private synchronized void report(List<Change> events, Phase phase, String message) {
    List<String> left = new ArrayList<>();
    unreadable.forEach((name, reason) -> left.add(name + ": " + reason));
    report(events, phase, message, resourceVersion, left);
  }

  private synchronized void report(
      List<Change> events, Phase phase, String message, String version, List<String> left) {
    Instant since = phase == state.phase() ? state.since() : Instant.now();
    state = new ResourceState(phase, version, since, message, left);
    target.apply(resource, events, state);
  }
}
