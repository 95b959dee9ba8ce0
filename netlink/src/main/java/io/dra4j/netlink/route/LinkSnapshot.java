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
   * Finds a link by its index.
   *
   * @param index the index
   * @return the link, if there is one
   */
  public Optional<Link> find(int index) {
    return Optional.ofNullable(byIndex.get(index));
  }

  /**
   * Finds a link by its name or one of its alternative names.
   *
   * @param name the name
   * @return the link, if there is one
   */
  public Optional<Link> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * Compares this snapshot with an earlier one of the same namespace.
   *
   * @param before the earlier snapshot
   * @return the links that were added, removed or changed, with the changed properties
   */
  public Changes<Link> changesSince(LinkSnapshot before) {
    return Changes.ofLinks(before.byIndex.values(), byIndex.values());
  }

  @Override
  public String toString() {
    return byIndex.values().toString();
  }
}
