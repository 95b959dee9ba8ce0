package io.dra4j.runtime.internal.call;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of calls that attach at the same time. Pods take turns, so that a pod with a
 * single device need not wait for all devices of another pod. The kernel moves links one after
 * another (RTNL is one lock), so more concurrent calls would not be faster. Thread-safe.
 */
public final class AttachQueue {

  /** A place in the queue; closing it releases the place. */
  public interface Place extends AutoCloseable {
    @Override
    void close();
  }

  private static final class Waiting {
    private boolean isCalled;
  }

  /** The waiting pods in the order of their turns. */
  private final Map<String, ArrayDeque<Waiting>> pods = new LinkedHashMap<>();

  private int free;

  public AttachQueue(int places) {
    this.free = places;
  }

  /** Waits for a place; null if no place is free in time. */
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

  /** Gives the place to the next pod, which moves to the end if more of its calls wait. */
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
