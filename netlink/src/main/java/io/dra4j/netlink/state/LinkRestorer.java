package io.dra4j.netlink.state;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a link what it was: compares, lets {@link LinkWriter} set what differs, and compares anew,
 * until nothing differs or nothing changes any more.
 */
final class LinkRestorer {

  private static final int ROUNDS = 4;
  private static final long SHORT = 1_000_000; // nanoseconds
  private static final long FOR_THE_KERNEL = 350_000_000;

  private final RouteNetlink route;
  private final LinkReader reader;
  private final FailedAttempts attempts = new FailedAttempts();
  private final LinkWriter writer;
  private final List<Difference> lost = new ArrayList<>();
  private LinkState goal;

  LinkRestorer(
      NetworkNamespace namespace, RouteNetlink route, @Nullable Ethtool ethtool, LinkState before) {
    this.route = route;
    this.goal = before;
    this.reader = new LinkReader(namespace, route, ethtool, before);
    this.writer = new LinkWriter(namespace, route, ethtool, reader, attempts);
  }

  Restoration restore(int index) throws IOException {
    NamespaceContext context = new NamespaceContext(route);
    LaterState state = read(index, context);
    List<Difference> changes = state.changes(one -> false);
    int atFirst = changes.size();
    for (int round = 1; round <= ROUNDS && changes.stream().anyMatch(this::isToDo); round++) {
      if (writer.set(state, changes, round)) {
        lost.addAll(state.lost());
        goal = state.together(); // what the link has lost by going down, of whatever origin
      }
      context = context.afterWriting();
      state = read(index, context);
      long deadline = System.nanoTime() + FOR_THE_KERNEL; // a reading may take long itself
      for (int i = 1; isOnlyForTheKernel(state) && System.nanoTime() < deadline; i++) {
        LockSupport.parkNanos(Math.min(10, i) * SHORT);
        context = context.afterWaiting();
        state = read(index, context);
      }
      List<Difference> left = state.changes(one -> false);
      if (round > 1 && left.equals(changes)) {
        break;
      }
      changes = left;
    }
    List<Difference> left =
        Stream.concat(lost.stream(), changes.stream()).map(attempts::explained).toList();
    return new Restoration(Math.max(0, atFirst - left.size()), left);
  }

  private boolean isToDo(Difference change) {
    return change.message().isEmpty(); // a comparison gives reasons for what is not to be changed
  }

  private LaterState read(int index, NamespaceContext context) throws IOException {
    return LaterState.of(goal, reader.read(index, context));
  }

  /** It makes routes of IPv6 addresses when it has looked for duplicates: not without a carrier. */
  private boolean isOnlyForTheKernel(LaterState state) throws NetlinkException {
    return state.changes(one -> false).stream().anyMatch(this::isToDo)
        && state.changes(KernelMade::is).stream().noneMatch(this::isToDo)
        && state.changes(one -> KernelMade.is(one) && !KernelMade.isAwaited(one)).stream()
            .anyMatch(this::isToDo)
        && route.links().get(state.now().index()).hasCarrier();
  }
}
