package io.dra4j.runtime.internal.call;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many calls attach at the same time, and the pods in turn: a pod with many devices does
 * not keep one with a single device waiting for all of them. The kernel moves links one after the
 * other (RTNL is one lock), so that more calls at the same time make none faster. Thread-safe.
 */
public final class AttachQueue {

  /** A place, given back by closing it. */
  public interface Place extends AutoCloseable {
    @Override
    void close();
  }

  private static final class Waiting {
    private boolean isCalled;
  }

  /** The pods that wait, the one whose turn it is first. */
  private final Map<String, ArrayDeque<Waiting>> pods = new LinkedHashMap<>();

  private int free;

  public AttachQueue(int places) {
    this.free = places;
  }

  /** Waits for a place; null if there is none in time. */
  public synchronized @Nullable Place enter(String pod, Duration wait) throws InterruptedException {
    if (free > 0) {
      free--;
      return this::leave;
    }
    Waiting own = new Waiting();
    pods.computeIfAbsent(pod, one -> new ArrayDeque<>()).add(own);
    long end = System.nanoTime() + wait.toNanos();
    try {
      while (!own.isCalled) {
        long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
        if (millis <= 0) {
          return null;
        }
        wait(millis);
      }
      return this::leave;
    } catch (InterruptedException e) {
      if (own.isCalled) {
        leave();
      }
      throw e;
    } finally {
      if (!own.isCalled) {
        remove(pod, own);
      }
    }
  }

  private void remove(String pod, Waiting own) {
    ArrayDeque<Waiting> ofPod = pods.get(pod);
    if (ofPod != null) {
      ofPod.remove(own);
      if (ofPod.isEmpty()) {
        pods.remove(pod);
      }
    }
  }

  /** The next pod gets the place, and goes to the end if more of its calls wait. */
  private synchronized void leave() {
    var first = pods.entrySet().iterator();
    if (!first.hasNext()) {
      free++;
      return;
    }
    var next = first.next();
    first.remove();
    ArrayDeque<Waiting> ofPod = next.getValue();
    ofPod.remove().isCalled = true;
    if (!ofPod.isEmpty()) {
      pods.put(next.getKey(), ofPod);
    }
    notifyAll();
  }
}
