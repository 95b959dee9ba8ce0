package io.dra4j.netlink.state;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.ethtool.Ethtool;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes a link, and those on it, what they were: compares, lets {@link LinkWriter} set what
 * differs, and compares anew, until nothing differs or nothing changes any more. Each round reads
 * all of them at once.
 */
final class LinkRestorer {

  private static final int ROUNDS = 4;

  /** Kinds of links with a hardware address of their own. */
  private static final Set<String> OF_OWN_ADDRESS = Set.of("macvlan", "macvtap");

  private static final long SHORT = 1_000_000; // nanoseconds
  private static final long FOR_THE_KERNEL = 350_000_000;
  private static final long CARRIER = 10_000_000_000L; // NICs take seconds to agree with a switch

  private final NetworkNamespace namespace;
  private final RouteNetlink route;
  private final @Nullable Ethtool ethtool;
  private final LinkReader reader;
  private final LinkState before;
  private final Map<String, Progress> links = new HashMap<>();
  private final boolean hasSourcesThatEnd;
  private boolean hasWaited;

  LinkRestorer(
      NetworkNamespace namespace, RouteNetlink route, @Nullable Ethtool ethtool, LinkState before) {
    this.namespace = namespace;
    this.route = route;
    this.ethtool = ethtool;
    this.reader =
        new LinkReader(namespace, route, ethtool, before.name(), before.rules(), others(before));
    this.before = before;
    this.hasSourcesThatEnd = before.hasSourcesThatEnd();
  }

  private static Set<Integer> others(LinkState state) {
    Set<Integer> others = new HashSet<>(state.others().keySet());
    state.uppers().forEach(upper -> others.addAll(others(upper)));
    return others;
  }

  /** How far one link has come. */
  private static final class Progress {
    private final LinkWriter writer;
    private final Attempts attempts;
    private int round;
    private int atFirst;

    Progress(LinkWriter writer, Attempts attempts) {
      this.writer = writer;
      this.attempts = attempts;
    }
  }

  /** By the names of the link and of those that it is on. */
  private Progress progress(String path) {
    return links.computeIfAbsent(
        path,
        none -> {
          Attempts attempts = new Attempts();
          return new Progress(
              new LinkWriter(namespace, route, ethtool, reader, attempts), attempts);
        });
  }

  Restoration restore(int index) throws IOException {
    Reading reading = read(index);
    List<Difference> unowned = rulesOfTheNameBetween(reading.now);
    int rounds = ROUNDS + depth(before);
    for (int round = 1; round <= rounds && !reading.changes.isEmpty(); round++) {
      List<Difference> changes = reading.changes;
      set("", reading.wanted, reading.now);
      reading = read(index);
      long deadline = System.nanoTime() + FOR_THE_KERNEL; // a reading may take long itself
      for (int i = 1; reading.isOnlyForTheKernel() && System.nanoTime() < deadline; i++) {
        LockSupport.parkNanos(Math.min(10, i) * SHORT);
        reading = read(index);
      }
      if (round > 1 && reading.changes.equals(changes) && !awaitCarrier(index)) {
        break;
      }
    }
    List<Difference> left = new ArrayList<>();
    int restored = report("", reading.wanted, reading.now, left);
    left.addAll(unowned);
    return new Restoration(restored, left);
  }

  private Reading read(int index) throws IOException {
    LinkState now = reader.read(index);
    LinkState wanted = before.at(now, hasSourcesThatEnd ? addressesOfOthers(now) : Set.of());
    return new Reading(now, wanted, wanted.allChangesTo(now));
  }

  private Set<IpAddress> addressesOfOthers(LinkState now) throws NetlinkException {
    Set<Integer> own = new HashSet<>();
    now.forEachOfTree(one -> own.add(one.index()));
    Set<IpAddress> others = new HashSet<>();
    for (InterfaceAddress one : route.addresses().list()) {
      if (!own.contains(one.index())) {
        others.add(one.address().address());
      }
    }
    return others;
  }

  /**
   * What a link is at a time.
   *
   * @param now the state that it has
   * @param wanted the state that it is to have, at that time and under the indices of then
   * @param changes what is not as wanted, of the link and those on it
   */
  private record Reading(LinkState now, LinkState wanted, List<Difference> changes) {

    /** It makes routes of IPv6 addresses at its own time, when it has looked for duplicates. */
    boolean isOnlyForTheKernel() {
      return !changes.isEmpty()
          && wanted.allChangesTo(now, LinkReader::isByKernel).isEmpty()
          && !wanted
              .allChangesTo(now, one -> LinkReader.isByKernel(one) && !LinkReader.isAwaited(one))
              .isEmpty();
    }
  }

  /** Nobody can tell whether they are of the link that had another name, or of one to come. */
  private List<Difference> rulesOfTheNameBetween(LinkState now) throws IOException {
    if (now.name().equals(before.name())) {
      return List.of();
    }
    List<Rule> rules = new ArrayList<>(route.rules().list());
    rules.replaceAll(Rule::withoutState);
    rules.removeIf(one -> !isNamed(one, now.name()) || before.rules().contains(one));
    List<Difference> told = new ArrayList<>();
    String why = "it names the link's name in between, " + now.name() + ", and may be another's";
    for (FactKind.Fact<Rule> one : FactKind.RULE.facts(rules)) {
      told.add(new Difference(one.toString(), "", "there", 0, why));
    }
    return told;
  }

  private static boolean isNamed(Rule one, String name) {
    return one.inputLink().equals(name) || one.outputLink().equals(name);
  }

  /** Next-hop objects are refused without a carrier. Waits once, and tells whether it helped. */
  private boolean awaitCarrier(int index) throws IOException {
    boolean isLacking = links.values().stream().anyMatch(one -> one.attempts.lackCarrier());
    if (hasWaited || !isLacking) {
      return false;
    }
    hasWaited = true;
    long deadline = System.nanoTime() + CARRIER;
    boolean there = route.links().get(index).hasCarrier();
    while (!there && System.nanoTime() < deadline && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(20 * SHORT);
      there = route.links().get(index).hasCarrier();
    }
    return there;
  }

  private static int depth(LinkState state) {
    return state.uppers().stream().mapToInt(upper -> 1 + depth(upper)).max().orElse(0);
  }

  /** Links that are gone are made, and set in the next round. */
  private void set(String path, LinkState wanted, LinkState now) throws IOException {
    Progress progress = progress(path);
    List<Difference> changes = wanted.ownChangesTo(now);
    if (progress.round == 0) {
      progress.atFirst = changes.size();
    }
    progress.round++;
    if (!changes.isEmpty()) {
      progress.writer.set(wanted, now, changes, progress.round);
    }
    Map<String, LinkState> there = now.uppersByIdentity();
    for (LinkState upper : wanted.uppers()) {
      LinkState one = there.get(upper.identity());
      if (one == null) {
        Optional<String> elsewhere = elsewhere(upper, now);
        if (elsewhere.isPresent()) {
          progress.attempts.refuse("link " + upper.name(), elsewhere.get());
        } else {
          progress.writer.make(upper, now.index());
        }
      } else {
        try {
          set(path + "/" + upper.name(), upper, one);
        } catch (NetlinkException.NotFound e) {
          reader.throwUnlessGone(one.index(), e); // otherwise the next round makes it again
        }
      }
    }
  }

  /**
   * What has become of a link that is not there under its name. Made again, a macvlan would have
   * its address twice.
   */
  private Optional<String> elsewhere(LinkState upper, LinkState now) throws NetlinkException {
    String kind = upper.values().getOrDefault("kind", "");
    for (LinkState one : now.uppers()) {
      if (one.index() == upper.index() && kind.equals(one.values().get("kind"))) {
        return Optional.of("it is named " + one.name() + " now, and not made again");
      }
    }
    if (!OF_OWN_ADDRESS.contains(kind)) {
      return Optional.empty();
    }
    for (int number : route.namespaceIds().list()) {
      for (Link one : inNamespace(number, kind)) {
        if (one.parentIndex().orElse(0) == now.index()
            && one.address().toString().replace(":", "").equals(upper.values().get("address"))) {
          return Optional.of(
              "its address is that of %s in network namespace number %d; it is not made again"
                  .formatted(one.name(), number));
        }
      }
    }
    return Optional.empty();
  }

  /** Into a namespace of others one may not be allowed to look, and one may have gone. */
  private List<Link> inNamespace(int number, String kind) throws NetlinkException {
    try {
      return route.links().list(LinkQuery.lean().ofKind(kind).inNamespace(number));
    } catch (NetlinkException.PermissionDenied | NetlinkException.Refused e) {
      return List.of();
    }
  }

  /** Adds what is left to a list; tells how much is not. */
  private int report(String path, LinkState wanted, LinkState now, List<Difference> left) {
    Progress progress = progress(path);
    List<Difference> own = wanted.ownChangesTo(now);
    own.forEach(one -> left.add(progress.attempts.explained(one)));
    int restored = Math.max(0, progress.atFirst - own.size());
    Map<String, LinkState> there = now.uppersByIdentity();
    for (LinkState upper : wanted.uppers()) {
      LinkState one = there.get(upper.identity());
      if (one != null) {
        List<Difference> ofUpper = new ArrayList<>();
        restored += report(path + "/" + upper.name(), upper, one, ofUpper);
        ofUpper.forEach(difference -> left.add(difference.of(upper.name())));
      }
    }
    return restored;
  }
}
