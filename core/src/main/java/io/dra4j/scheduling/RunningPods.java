package io.dra4j.scheduling;

import io.dra4j.model.ContainerPort;
import io.dra4j.model.LabelSelector;
import io.dra4j.model.Node;
import io.dra4j.model.PodAffinityTerm;
import io.dra4j.model.PodSpec;
import io.dra4j.persistent.PersistentMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pods that are on nodes during a run: pods of the cluster, and pods that the run has placed.
 * Stores the resources that they use on each node, and counts the pods that selectors select. Not
 * thread-safe.
 */
final class RunningPods {

  /**
   * A pod on a node.
   *
   * @param isLeaving whether the pod is being deleted; it does not count where pods are spread
   */
  record RunningPod(
      String namespace, Map<String, String> labels, PodSpec spec, boolean isLeaving) {}

  /**
   * What the pods on a node take of it.
   *
   * @param pods how many there are
   * @param requests amounts by resource, as {@link PodRequests} counts them
   * @param ports the ports of the node that they use
   */
  record Load(int pods, Map<String, Long> requests, Set<HostPort> ports) {

    static final Load NONE = new Load(0, Map.of(), Set.of());

    Load with(Map<String, Long> more, Set<HostPort> morePorts) {
      Map<String, Long> sum = requests;
      if (!more.isEmpty()) {
        sum = new HashMap<>(requests);
        for (Map.Entry<String, Long> one : more.entrySet()) {
          sum.merge(one.getKey(), one.getValue(), RunningPods::saturated);
        }
      }
      Set<HostPort> all = ports;
      if (!morePorts.isEmpty()) {
        all = new LinkedHashSet<>(ports);
        all.addAll(morePorts);
      }
      return new Load(pods + 1, sum, all);
    }
  }

  /**
   * A port of a node.
   *
   * @param address the address of the node; {@code 0.0.0.0} for all
   */
  record HostPort(String address, String protocol, int port) {

    private static final String ALL = "0.0.0.0";

    static HostPort of(ContainerPort port, int number) {
      return new HostPort(
          port.hostIp().isEmpty() ? ALL : port.hostIp(),
          port.protocol().isEmpty() ? "TCP" : port.protocol(),
          number);
    }

    boolean conflictsWith(HostPort that) {
      return port == that.port
          && protocol.equals(that.protocol)
          && (address.equals(that.address) || address.equals(ALL) || that.address.equals(ALL));
    }
  }

  /** A value of a label of nodes. */
  record Domain(String key, String value) {}

  /** Which pods a term is about, for a pod that has it; equal for the pods of a template. */
  record Selection(Set<String> namespaces, @Nullable LabelSelector others, LabelSelector selector) {

    boolean selects(RunningPod pod) {
      boolean isInNamespace =
          namespaces.contains(pod.namespace())
              || (others != null
                  && others.matches(Map.of("kubernetes.io/metadata.name", pod.namespace())));
      return isInNamespace && selector.matches(pod.labels());
    }
  }

  /** A pod on a node with the resources that it takes of the node. */
  private record Seat(RunningPod pod, Map<String, Long> requests) {}

  /** A term of pods that keep others away. */
  private record AntiTerm(Selection selection, String topologyKey) {}

  /** So many counts are kept; they are made again when they are needed again. */
  private static final int MAX_COUNTS = 256;

  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private PersistentMap<String, Load> loads = PersistentMap.empty();
  private final Map<String, List<Seat>> pods = new LinkedHashMap<>(); // by node
  private final Map<AntiTerm, Map<String, Integer>> antiTerms = new LinkedHashMap<>(); // by value
  private final Map<List<Selection>, Map<String, Integer>> counts = new HashMap<>(); // by node

  private final ExtendedResources extended;

  RunningPods(Collection<Node> nodes, ExtendedResources extended) {
    this.extended = extended;
    nodes.forEach(node -> this.nodes.put(node.name(), node));
  }

  /** A copy to which pods can be added on trial. */
  RunningPods copy() {
    RunningPods copy = new RunningPods(nodes.values(), extended);
    copy.loads = loads;
    pods.forEach((node, on) -> copy.pods.put(node, new ArrayList<>(on)));
    antiTerms.forEach((term, values) -> copy.antiTerms.put(term, new HashMap<>(values)));
    return copy;
  }

  /** The loads as they are now. */
  PersistentMap<String, Load> loads() {
    return loads;
  }

  ExtendedResources extended() {
    return extended;
  }

  Collection<Node> nodes() {
    return nodes.values();
  }

  /**
   * Adds a pod that is on a node. A pod on an unknown node is ignored.
   *
   * @param requests the resources of the node that the pod uses, from {@link PodRequests}
   */
  void add(RunningPod pod, String nodeName, Map<String, Long> requests) {
    Node node = nodes.get(nodeName);
    if (node == null) {
      return;
    }
    Load before = loads.get(nodeName);
    PersistentMap.Editor<String, Load> editor = loads.edit();
    editor.put(
        nodeName, (before == null ? Load.NONE : before).with(requests, NodePorts.of(pod.spec())));
    loads = editor.done();
    pods.computeIfAbsent(nodeName, any -> new ArrayList<>()).add(new Seat(pod, requests));
    count(pod, node, 1);
  }

  /**
   * Removes a pod that was added with the same arguments; one that was not added does not matter.
   */
  void remove(RunningPod pod, String nodeName, Map<String, Long> requests) {
    Node node = nodes.get(nodeName);
    List<Seat> on = pods.getOrDefault(nodeName, List.of());
    int place = on.indexOf(new Seat(pod, requests));
    if (node == null || place < 0) {
      return;
    }
    List<Seat> rest = new ArrayList<>(on);
    rest.remove(place);
    pods.put(nodeName, rest);
    Load load = Load.NONE;
    for (Seat seat : rest) {
      load = load.with(seat.requests(), NodePorts.of(seat.pod().spec()));
    }
    PersistentMap.Editor<String, Load> editor = loads.edit();
    editor.put(nodeName, load);
    loads = editor.done();
    count(pod, node, -1);
  }

  /** Counts a pod that has come to a node (1), or has left it (-1). */
  private void count(RunningPod pod, Node node, int change) {
    for (PodAffinityTerm term : pod.spec().requiredPodAntiAffinity()) {
      String value = node.metadata().labels().get(term.topologyKey());
      if (value != null) {
        AntiTerm key = new AntiTerm(InterPodAffinity.selection(term, pod), term.topologyKey());
        Map<String, Integer> values = antiTerms.computeIfAbsent(key, any -> new HashMap<>());
        merge(values, value, change);
        if (values.isEmpty()) {
          antiTerms.remove(key);
        }
      }
    }
    counts.forEach(
        (selections, byNode) -> {
          if (selections.stream().allMatch(selection -> selection.selects(pod))) {
            merge(byNode, node.name(), change);
          }
        });
  }

  private static void merge(Map<String, Integer> counts, String key, int change) {
    counts.merge(key, change, (one, two) -> one + two == 0 ? null : one + two);
  }

  /** Whether pods keep others away. */
  boolean hasAntiTerms() {
    return !antiTerms.isEmpty();
  }

  /** The domains from which pods that are there keep a pod away. */
  Set<Domain> keepingAway(RunningPod pod) {
    Set<Domain> found = new LinkedHashSet<>();
    antiTerms.forEach(
        (term, values) -> {
          if (term.selection().selects(pod)) {
            values.keySet().forEach(value -> found.add(new Domain(term.topologyKey(), value)));
          }
        });
    return found;
  }

  /**
   * How many pods are on each node that all of the selections select; nodes without are left out.
   */
  Map<String, Integer> count(List<Selection> selections) {
    if (counts.size() > MAX_COUNTS) {
      counts.clear();
    }
    return counts.computeIfAbsent(
        selections,
        any -> {
          Map<String, Integer> byNode = new HashMap<>();
          pods.forEach(
              (node, on) -> {
                int number = 0;
                for (Seat seat : on) {
                  number += selections.stream().allMatch(one -> one.selects(seat.pod())) ? 1 : 0;
                }
                if (number > 0) {
                  byNode.put(node, number);
                }
              });
          return byNode;
        });
  }

  /** How many pods of a namespace that stay are on a node and are selected. */
  int countStaying(String node, String namespace, LabelSelector selector) {
    int number = 0;
    for (Seat seat : pods.getOrDefault(node, List.of())) {
      RunningPod pod = seat.pod();
      number +=
          !pod.isLeaving() && pod.namespace().equals(namespace) && selector.matches(pod.labels())
              ? 1
              : 0;
    }
    return number;
  }

  private static long saturated(long one, long two) {
    long sum = one + two;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
