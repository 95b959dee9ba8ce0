package io.dra4j.netlink.lab;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.LinkCache;
import io.dra4j.netlink.route.LinkQuery;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.state.LinkStates;
import java.io.IOException;

/** Every way to look for links, in a process of its own, so that strace sees what is asked. */
public final class LookUps {

  private LookUps() {}

  /** Looks for a link by its name, and for its virtual functions at last. */
  public static void main(String[] args) throws IOException {
    String name = args[0];
    try (NetworkNamespace here = NetworkNamespace.current();
        RouteNetlink route = RouteNetlink.open(here);
        LinkStates states = LinkStates.open(here)) {
      Link link = route.links().get(name);
      int links = route.links().list().size();
      route.links().list(LinkQuery.lean());
      link = route.links().find(name).orElse(link);
      route.links().get(link.index());
      route.links().change(link, LinkSettings.none().alias("looked up"));
      states.restore(states.capture(link), link);
      try (LinkCache cache = LinkCache.follow(here)) {
        System.out.println(links + " links, followed " + cache.snapshot().links().size());
      }
      int functions = route.links().virtualFunctions(link).size();
      System.out.println(functions + " virtual functions");
    }
  }
}
