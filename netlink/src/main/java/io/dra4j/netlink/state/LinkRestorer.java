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
 * Restores the earlier state of a link: compares, lets {@link LinkWriter} set the differences, and
 * compares again, until there is no difference or no further change.
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
        goal = state.together(); // facts of any origin that the link has lost by going down
      }
      context = context.afterWriting();
      state = read(index, context);
      long deadline = System.nanoTime() + FOR_THE_KERNEL; // a reading itself may take long
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
    return change
        .message()
        .isEmpty(); // a comparison gives reasons for facts that must not be changed
  }

  private LaterState read(int index, NamespaceContext context) throws IOException {
    return LaterState.of(goal, reader.read(index, context));
  }

  /**
   * Returns whether only the kernel can add the missing facts: it creates routes of IPv6 addresses
   * after it has looked for duplicates, which needs a carrier.
   */
  private boolean isOnlyForTheKernel(LaterState state) throws NetlinkException {
    return state.changes(one -> false).stream().anyMatch(this::isToDo)
        && state.changes(KernelMade::is).stream().noneMatch(this::isToDo)
        && state.changes(one -> KernelMade.is(one) && !KernelMade.isAwaited(one)).stream()
            .anyMatch(this::isToDo)
        && route.links().get(state.now().index()).hasCarrier();
  }
}
