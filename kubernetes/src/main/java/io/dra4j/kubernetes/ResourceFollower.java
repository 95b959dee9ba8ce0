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
 * Follows one resource: lists it, watches it from there, and lists it again when the server has
 * forgotten the version (410) or the watch cannot be read. Runs in a thread of its own.
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
   * @param resourceVersion the version of the object; empty for one that is gone
   * @param event the change
   */
  record Change(String name, String resourceVersion, InventoryEvent event) {}

  private static final int GONE = 410;
  private static final Duration NOT_SERVED_PAUSE = Duration.ofMinutes(1);

  /** The server is asked to end a watch after this time, and half as long again by chance. */
  private static final Duration WATCH_TIME = Duration.ofMinutes(4);

  /** A watch that outlives its time by this much is dead: the connection is gone unnoticed. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  /** A watch that is open for so long, or brings a change, is as it should be. */
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

  // What the watchdog sees and changes, too: guarded by this.
  private ResourceState state = new ResourceState(Phase.LISTING, "", Instant.now(), "", List.of());
  private @Nullable Trouble trouble;
  private long opened = NOT_OPEN; // System.nanoTime()

  /**
   * Why the resource is not followed; it lasts until it is.
   *
   * @param isOfWatch whether a watch failed, and not a list: that lists succeed says nothing then
   */
  private record Trouble(Phase phase, String message, boolean isOfWatch) {}

  /**
   * Follows the objects of a resource.
   *
   * @param documents what the server says of its groups, which followers share
   * @param fieldSelector which ones, for example {@code spec.driver=gpu.example.com}; empty for all
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

  /** Ends a watch that the server should have ended, and sees that one is as it should be. */
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

  /** What went wrong before is over. */
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
        // its reader sees the end
      }
    }
  }

  @Override
  public void run() {
    @Nullable ServedResource served = null;
    while (!isClosed) {
      boolean isOfWatch = isListed; // what may fail next
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
          served = null; // the version was switched off
          isListed = false;
        }
        boolean isDenied = e.status() == 401 || e.status() == 403;
        fail(
            new Trouble(
                isDenied ? Phase.DENIED : Phase.RETRYING,
                String.valueOf(e.getMessage()),
                isOfWatch));
      } catch (InterruptedException e) {
        isClosed = true;
      }
    }
    settleAs(Phase.CLOSED, "", List.of());
  }

  /** Whether nothing failed since the resource was followed; the next failure is not the first. */
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
            "GET %s: the API server, or a proxy before it, ends the watch at once"
                .formatted(served.path()),
            ClusterException.NO_ANSWER,
            null);
      }
    } catch (IOException e) {
      if (e instanceof JsonProcessingException && !(e instanceof JsonEOFException)) {
        isListed = false; // the same would come again
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
        return; // the API does not have any other
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
      return new ClusterException("the watch ended by an error without status", 0, e);
    }
  }

  /**
   * The object put into the inventory; or taken out of it, if it cannot be read.
   *
   * @param reasons takes or loses why it cannot be read
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

  /** Reports a phase, or the trouble that lasts. */
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
