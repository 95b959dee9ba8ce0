package io.dra4j.netlink.route;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All links of a network namespace at one moment, from a {@link LinkCache}. Immutable.
 *
 * <pre>{@code
 * for (Changes.Change<Link> change : now.changesSince(before).changed()) {
 *   System.out.println(change.after().name() + " " + change.properties());
 * }
 * }</pre>
 */
public final class LinkSnapshot {

  private final Map<Integer, Link> byIndex;
  private final Map<String, Link> byName;

  /** Takes over a sorted map. */
  private LinkSnapshot(SortedMap<Integer, Link> byIndex) {
    this.byIndex = Collections.unmodifiableSortedMap(byIndex);
    Map<String, Link> names = new HashMap<>();
    for (Link link : byIndex.values()) {
      link.alternativeNames().forEach(name -> names.put(name, link));
    }
    byIndex.values().forEach(link -> names.put(link.name(), link));
    this.byName = names;
  }

  static LinkSnapshot of(List<Link> links) {
    SortedMap<Integer, Link> byIndex = new TreeMap<>();
    links.forEach(link -> byIndex.put(link.index(), link));
    return new LinkSnapshot(byIndex);
  }

  LinkSnapshot with(List<RouteEvent> events) {
    SortedMap<Integer, Link> links = new TreeMap<>(byIndex);
    for (RouteEvent event : events) {
      if (event.object() instanceof Link link) {
        if (event.gone()) {
          links.remove(link.index());
        } else {
          links.put(link.index(), link);
        }
      }
    }
    return new LinkSnapshot(links);
  }

  /** {@return all links, by index} */
  public Collection<Link> links() {
    return byIndex.values();
  }

  /**
   * {@return the link with an index, if there is one}
   *
   * @param index the index
   */
  public Optional<Link> find(int index) {
    return Optional.ofNullable(byIndex.get(index));
  }

  /**
   * {@return the link with a name or alternative name, if there is one}
   *
   * @param name the name
   */
  public Optional<Link> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * {@return the added and removed links, and the changed links with their changed properties}
   *
   * @param before an earlier snapshot of the same namespace
   */
  public Changes<Link> changesSince(LinkSnapshot before) {
    return Changes.ofLinks(before.byIndex.values(), byIndex.values());
  }

  @Override
  public String toString() {
    return byIndex.values().toString();
  }
}
