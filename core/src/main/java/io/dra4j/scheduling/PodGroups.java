package io.dra4j.scheduling;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.CompositePodGroup;
import io.dra4j.model.GenericPodGroup;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodGroup;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.Workload;
import io.dra4j.model.Workload.PodGroupTemplate;
import io.dra4j.scheduling.PodClaims.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The PodGroups and CompositePodGroups of a cluster, with the templates of Workloads for missing
 * PodGroups. Determines the pods that wait for each other: the pods of one PodGroup, and of all
 * PodGroups below one CompositePodGroup. Not thread-safe.
 */
public final class PodGroups {

  /**
   * What follows the names of Workload and template in the name of a PodGroup: a hash or a number.
   */
  private static final Pattern OF_ONE_GROUP = Pattern.compile("-[a-z0-9]{1,10}");

  private final Map<ClaimKey, PodGroup> groups = new LinkedHashMap<>();
  private final Map<ClaimKey, CompositePodGroup> composites = new LinkedHashMap<>();
  private final Map<String, GenericPodGroup> inOrder = new LinkedHashMap<>(); // groups, by nameOf
  private @Nullable Map<ClaimKey, List<GenericPodGroup>> children; // by parent, once asked for
  private final Map<String, List<Workload>> workloads = new HashMap<>(); // by namespace
  private final Map<ClaimKey, Optional<Made>> made = new HashMap<>();
  private final Map<ClaimKey, Set<PodResourceClaim>> entries = new HashMap<>();
  private final Set<ClaimKey> reported = new HashSet<>();
  private final MessageList notes;

  /**
   * A PodGroup as a controller makes it.
   *
   * @param group the group
   * @param from how messages name its template
   */
  private record Made(PodGroup group, String from) {}

  /** Begins without groups; notes take what was guessed. */
  PodGroups(MessageList notes) {
    this.notes = notes;
  }

  /**
   * {@return the groups of a cluster}
   *
   * @param objects the PodGroups, CompositePodGroups and Workloads; other objects are ignored
   */
  public static PodGroups of(Iterable<? extends KubernetesObject> objects) {
    Objects.requireNonNull(objects, "objects");
    PodGroups groups = new PodGroups(new MessageList());
    for (KubernetesObject object : objects) {
      groups.add(Objects.requireNonNull(object, "objects"));
    }
    return groups;
  }

  /**
   * {@return the topmost group of a pod: its kind, {@code namespace/name}; the name of its PodGroup
   * if that is missing; empty for a pod without a group}
   *
   * @param pod the pod
   */
  public Optional<String> top(Pod pod) {
    Objects.requireNonNull(pod, "pod");
    String name = pod.spec().podGroupName();
    if (name == null) {
      return Optional.empty();
    }
    ClaimKey key = ClaimKey.of(pod.metadata(), name);
    PodGroup group = groups.get(key);
    if (group == null) {
      return Optional.of("PodGroup " + key);
    }
    List<CompositePodGroup> above = ancestors(group, GroupForest.MAX_DEPTH);
    boolean isEndless = above.size() == GroupForest.MAX_DEPTH;
    return Optional.of(
        nameOf(above.isEmpty() ? group : above.get(isEndless ? 0 : above.size() - 1)));
  }

  /** Takes an object of the cluster, if it is a group or a Workload. */
  void add(KubernetesObject object) {
    ObjectMeta metadata = object.metadata();
    ClaimKey key = ClaimKey.of(metadata, metadata.name());
    if (object instanceof PodGroup group) {
      groups.put(key, group);
      inOrder.put(nameOf(group), group);
    } else if (object instanceof CompositePodGroup composite) {
      composites.put(key, composite);
      inOrder.put(nameOf(composite), composite);
    } else if (object instanceof Workload workload) {
      workloads.computeIfAbsent(key.namespace(), any -> new ArrayList<>()).add(workload);
    }
  }

  /** The PodGroup that pods say they are of, or what stands in for it; {@code null} if nothing. */
  @Nullable PodGroup find(Source source) {
    String name = source.spec().podGroupName();
    return name == null ? null : find(ClaimKey.of(source.metadata(), name));
  }

  /**
   * {@return the PodGroup with a name, or one from a Workload's template; empty without both}
   *
   * @param name the namespace and name of the group
   */
  public Optional<PodGroup> group(ClaimKey name) {
    return Optional.ofNullable(find(Objects.requireNonNull(name, "name")));
  }

  private @Nullable PodGroup find(ClaimKey key) {
    PodGroup group = groups.get(key);
    return group != null ? group : madeOf(key).map(Made::group).orElse(null);
  }

  /** Whether a group has an entry for a claim that its pods share. */
  boolean shares(PodGroup group, PodResourceClaim entry) {
    ClaimKey key = ClaimKey.of(group.metadata(), group.metadata().name());
    return entries
        .computeIfAbsent(key, any -> new HashSet<>(group.resourceClaims()))
        .contains(entry);
  }

  /** The children of a group of groups, in the order of the input. */
  List<GenericPodGroup> children(CompositePodGroup parent) {
    Map<ClaimKey, List<GenericPodGroup>> known = children;
    if (known == null) {
      known = new HashMap<>();
      for (GenericPodGroup group : inOrder.values()) {
        String name = group.parentName();
        if (name != null) {
          known
              .computeIfAbsent(ClaimKey.of(group.metadata(), name), any -> new ArrayList<>())
              .add(group);
        }
      }
      children = known;
    }
    return known.getOrDefault(ClaimKey.of(parent.metadata(), parent.metadata().name()), List.of());
  }

  /** The parent of a group; {@code null} if it has none, and if that is not in the input. */
  @Nullable CompositePodGroup parent(GenericPodGroup group) {
    String name = group.parentName();
    return name == null ? null : composites.get(ClaimKey.of(group.metadata(), name));
  }

  /**
   * The groups above a group, the nearest first, up to one without a parent in the input.
   *
   * @param most no more than so many
   */
  List<CompositePodGroup> ancestors(GenericPodGroup group, int most) {
    List<CompositePodGroup> chain = new ArrayList<>();
    CompositePodGroup next = parent(group);
    while (next != null && chain.size() < most) {
      chain.add(next);
      next = parent(next);
    }
    return chain;
  }

  /** A PodGroup and the groups above it, those of them that have topology keys. */
  List<GenericPodGroup> withTopology(ClaimKey podGroup) {
    PodGroup group = find(podGroup);
    if (group == null) {
      return List.of();
    }
    List<GenericPodGroup> found = new ArrayList<>(List.of(group));
    found.addAll(ancestors(group, GroupForest.MAX_DEPTH));
    found.removeIf(each -> each.topologyKeys().isEmpty());
    return found;
  }

  /** Reports, once for each group, that pods name a group that is not there. */
  void noteIfMissing(Source source) {
    String name = source.spec().podGroupName();
    if (name == null) {
      return;
    }
    ClaimKey key = ClaimKey.of(source.metadata(), name);
    if (groups.containsKey(key) || !reported.add(key)) {
      return;
    }
    String missing =
        source.at("schedulingGroup.podGroupName") + "no PodGroup " + key + " in the input: ";
    madeOf(key)
        .ifPresentOrElse(
            found -> notes.add(missing + "taken as one of " + found.from()),
            () ->
                notes.add(
                    missing + "its minCount and claims are unknown",
                    () -> MessageList.hint(key, groups.keySet())));
  }

  /** Reports, once for each parent, that a group or one above it names one that is not there. */
  void noteIfParentIsMissing(PodGroup member) {
    List<CompositePodGroup> above = ancestors(member, GroupForest.MAX_DEPTH);
    GenericPodGroup group = above.isEmpty() ? member : above.get(above.size() - 1);
    String name = group.parentName();
    if (name == null || parent(group) != null) {
      return;
    }
    ClaimKey key = ClaimKey.of(group.metadata(), name);
    if (reported.add(new ClaimKey(key.namespace(), "CompositePodGroup " + key.name()))) {
      notes.add(
          "%s: spec.parentCompositePodGroupName: no CompositePodGroup %s in the input:"
                  .formatted(nameOf(group), key)
              + " kube-scheduler waits for it; here the group is placed by itself",
          () -> MessageList.hint(key, composites.keySet()));
    }
  }

  /** Reports that a group whose pods have no claims counts for its parent without a search. */
  void noteIfUnchecked(PodGroup group) {
    CompositePodGroup parent = parent(group);
    if (parent != null) {
      notes.add(
          "%s: its pods use no claims: they count for %s, and no check was made whether they fit"
              .formatted(nameOf(group), nameOf(parent)));
    }
  }

  /** How messages name a group: kind, namespace and name. */
  static String nameOf(GenericPodGroup group) {
    return group.getClass().getSimpleName()
        + " "
        + ClaimKey.of(group.metadata(), group.metadata().name());
  }

  private Optional<Made> madeOf(ClaimKey key) {
    Optional<Made> known = made.get(key);
    if (known == null) {
      known = fromTemplate(key);
      made.put(key, known);
    }
    return known;
  }

  /**
   * A missing PodGroup by the template that its name begins with: {@code WORKLOAD-TEMPLATE}, to
   * which controllers add a hash or a number. Of several the one with the longest names counts, and
   * none if two have equally long ones.
   *
   * <p>Source: {@code GeneratePodGroupName} in {@code
   * k8s.io/component-helpers/scheduling/schedulingv1/workloadbuilder}.
   */
  private Optional<Made> fromTemplate(ClaimKey key) {
    Made best = null;
    int longest = 0;
    for (Workload workload : workloads.getOrDefault(key.namespace(), List.of())) {
      for (PodGroupTemplate template : workload.allPodGroupTemplates()) {
        String name = workload.metadata().name() + "-" + template.name();
        if (name.length() >= longest && isNamedBy(key.name(), name)) {
          best = name.length() == longest ? null : made(key, workload, template);
          longest = name.length();
        }
      }
    }
    return Optional.ofNullable(best);
  }

  private static boolean isNamedBy(String group, String template) {
    return group.startsWith(template)
        && (group.length() == template.length()
            || OF_ONE_GROUP.matcher(group.substring(template.length())).matches());
  }

  private static Made made(ClaimKey key, Workload workload, PodGroupTemplate template) {
    PodGroup.Builder group =
        PodGroup.named(key.namespace(), key.name())
            .topologyKeys(template.topologyKeys())
            .resourceClaims(template.resourceClaims());
    if (template.minCount() != null) {
      group.minCount(template.minCount());
    }
    boolean hasParent = !workload.podGroupTemplates().contains(template);
    return new Made(
        group.build(),
        "the template %s of Workload %s, by its name%s"
            .formatted(
                template.name(),
                ClaimKey.of(workload.metadata(), workload.metadata().name()),
                hasParent ? "; its CompositePodGroup is unknown" : ""));
  }
}
