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
 * The planned and checked state of a link in the pod. The steps do this and nothing else.
 *
 * @param host the link on the host
 * @param podName its name in the pod
 * @param given the hardware address that it gets; empty if it keeps its address
 * @param settings the settings of the message that moves the link
 * @param asked the settings that are read back
 * @param sysctls the kernel parameters of the link by name
 * @param addresses the addresses, on any link
 * @param features the features that are switched on or off, by the names of the kernel
 * @param privateFlags the flags that are set
 * @param detachPrograms whether BPF programs are detached, including programs of tc filters
 * @param vrf the VRF that it belongs to; null for none
 * @param routes the routes, on any link; routes without gateway come first
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
