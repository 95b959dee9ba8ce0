package io.dra4j.dranet.attach;

import io.dra4j.dranet.config.VrfConfig;
import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.Neighbour;
import io.dra4j.netlink.route.Rule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The planned and checked state of a link in the pod: the steps do this and nothing else.
 *
 * @param host the link on the host
 * @param podName its name in the pod
 * @param given the hardware address that it gets; empty if it keeps its own
 * @param settings all that the one message sets which moves it
 * @param asked those of the settings that are read back
 * @param sysctls the parameters of the link, by their names
 * @param addresses the addresses, on any link
 * @param features what is switched, by the kernel's names
 * @param privateFlags the flags that are set
 * @param detachPrograms whether BPF programs are detached, those of tc filters among them
 * @param vrf the VRF that it belongs to; null for none
 * @param routes the routes, on any link, those on the link first
 * @param rules the rules
 * @param neighbours the neighbours, on any link
 */
record LinkPlan(
    HostLink host,
    String podName,
    String given,
    LinkSettings settings,
    RequestedSettings asked,
    Map<String, String> sysctls,
    List<InterfaceAddress> addresses,
    Map<String, Boolean> features,
    Map<String, Boolean> privateFlags,
    boolean detachPrograms,
    @Nullable VrfConfig vrf,
    List<PlannedRoute> routes,
    List<Rule> rules,
    List<Neighbour> neighbours) {

  LinkPlan withRoutes(List<PlannedRoute> newRoutes) {
    return new LinkPlan(
        host,
        podName,
        given,
        settings,
        asked,
        sysctls,
        addresses,
        features,
        privateFlags,
        detachPrograms,
        vrf,
        newRoutes,
        rules,
        neighbours);
  }
}
