package io.dra4j.kubernetes;

import java.io.InputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A list whose answers are fetched in a thread of their own, while the calling thread reads the
 * objects: the API server writes the next ones meanwhile. At most {@link #AHEAD} objects wait.
 */
final class ListFetch implements Runnable {

  /** As few objects are large, and as many keep both threads busy. */
  private static final int AHEAD = 16;

  private sealed interface Item {}

  private record Fetched(RawObject object) implements Item {}

  private record Finished(String resourceVersion) implements Item {}

  private record Failed(Throwable cause) implements Item {}

  private final ServedResource served;
  private final ApiServer server;
  private final String selection;
  private final Consumer<@Nullable InputStream> opened;
  private final BlockingQueue<Item> items = new ArrayBlockingQueue<>(AHEAD);

  /** Describes a list, as {@link ServedResource#list} does. */
  ListFetch(
      ServedResource served,
      ApiServer server,
      String selection,
      Consumer<@Nullable InputStream> opened) {
    this.served = served;
    this.server = server;
    this.selection = selection;
    this.opened = opened;
  }

  /**
   * Reads the list.
   *
   * @param sink takes the objects in the calling thread
   * @return the version of the list
   * @throws ClusterException as {@link ServedResource#list}
   */
  String read(ObjectStream.Sink sink) throws ClusterException, InterruptedException {
    Thread thread = new Thread(this, "dra4j-list-" + served.resource().plural());
    thread.setDaemon(true);
    thread.start();
    try {
      while (true) {
        Item item = items.take();
        if (item instanceof Fetched fetched) {
          sink.take(fetched.object());
        } else if (item instanceof Finished finished) {
          return finished.resourceVersion();
        } else if (item instanceof Failed failed) {
          throw asClusterException(failed.cause());
        }
      }
    } finally {
      thread.interrupt(); // of a list that is not read to its end
    }
  }

  private ClusterException asClusterException(Throwable cause) {
    if (cause instanceof ClusterException refused) {
      return refused;
    } else if (cause instanceof Error error) {
      throw error;
    }
    return server.unanswered("GET " + served.path(), (Exception) cause);
  }

  @Override
  public void run() {
    try {
      items.put(fetch());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // its items are not taken any more
    }
  }

  private Item fetch() throws InterruptedException {
    try {
      return new Finished(
          served.list(server, selection, opened, object -> items.put(new Fetched(object))));
    } catch (ClusterException | RuntimeException | Error e) { // the reader waits for an item
      return new Failed(e);
    }
  }
}
