package io.dra4j.scheduling;

import io.dra4j.model.Job;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Pod;
import io.dra4j.model.PodPhase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pods of Jobs: the pods among the objects, and the pods that the controller of Jobs creates.
 *
 * <p>Source: {@code manageJob} and, for Indexed Jobs, {@code firstPendingIndexes} in {@code
 * pkg/controller/job} of Kubernetes.
 */
final class JobPods {

  private static final String INDEX = "batch.kubernetes.io/job-completion-index";

  private final Map<PodOwner, Known> known = new HashMap<>();

  /** The pods of one Job among the objects. */
  private static final class Known {
    private int active;
    private int succeeded;
    private final Set<Integer> activeIndexes = new TreeSet<>();
    private final Set<Integer> succeededIndexes = new TreeSet<>();
  }

  /**
   * A pod that the controller creates.
   *
   * @param labels the labels that the controller adds
   */
  record Missing(String name, Map<String, String> labels) {}

  /** Records a pod of a Job among the objects. */
  void count(PodOwner job, Pod pod) {
    Known pods = known.computeIfAbsent(job, any -> new Known());
    Integer index = indexOf(job, pod.metadata());
    if (!pod.phase().isTerminal()) {
      pods.active++;
      if (index != null) {
        pods.activeIndexes.add(index);
      }
    } else if (pod.phase().equals(PodPhase.SUCCEEDED)) {
      pods.succeeded++;
      if (index != null) {
        pods.succeededIndexes.add(index);
      }
    }
  }

  /** The index of a pod; {@code null} if it has none. */
  private static @Nullable Integer indexOf(PodOwner job, ObjectMeta pod) {
    String index = pod.annotations().getOrDefault(INDEX, pod.labels().get(INDEX));
    if (index == null && pod.name().startsWith(job.name() + "-")) {
      index = pod.name().substring(job.name().length() + 1); // of a hand-written pod
    }
    return index != null && index.matches("[0-9]{1,9}") ? Integer.valueOf(index) : null;
  }

  /** The number of pods that the controller creates now. */
  int missing(Job job) {
    Known pods = known.getOrDefault(PodOwner.of(job), new Known());
    Job.Indexes indexes = job.indexes();
    Integer completions = job.completions();
    if (indexes == null || completions == null) {
      int succeeded = Math.max(job.succeeded(), pods.succeeded);
      return Math.max(0, job.pods(succeeded) - pods.active);
    }
    NavigableMap<Integer, Integer> ranges = new TreeMap<>();
    add(indexes.completed(), completions, ranges);
    add(pods.succeededIndexes, completions, ranges);
    int succeeded = covered(ranges);
    if (indexes.completed().isEmpty()) { // as in a hand-written status
      succeeded = Math.max(succeeded, job.succeeded());
    }
    int pending = completions - covered(unavailable(indexes, completions, pods));
    return Math.max(0, Math.min(job.pods(succeeded) - pods.active, pending));
  }

  /**
   * The pods that the controller creates. Their names end in their indexes, or else in numbers; the
   * controller would add random letters.
   *
   * @param missing the number of pods, at most {@link #missing}
   * @param present the names of the existing pods, with their namespaces
   */
  List<Missing> pods(Job job, int missing, Set<String> present) {
    List<Missing> made = new ArrayList<>();
    String namespace = job.metadata().namespaceOrDefault() + "/";
    String prefix = job.metadata().name() + "-";
    Job.Indexes indexes = job.indexes();
    Integer completions = job.completions();
    if (indexes == null || completions == null) {
      for (int i = 0; made.size() < missing; i++) {
        if (!present.contains(namespace + prefix + i)) {
          made.add(new Missing(prefix + i, labelsOf(job)));
        }
      }
      return made;
    }
    Known pods = known.getOrDefault(PodOwner.of(job), new Known());
    for (int index : pending(missing, completions, unavailable(indexes, completions, pods))) {
      String name = prefix + index;
      while (present.contains(namespace + name)) {
        name += "-new"; // the existing pod belongs to others
      }
      Map<String, String> labels = labelsOf(job);
      labels.put(INDEX, String.valueOf(index));
      made.add(new Missing(name, labels));
    }
    return made;
  }

  private static Map<String, String> labelsOf(Job job) {
    Map<String, String> labels = new HashMap<>();
    for (String prefix : List.of("", "batch.kubernetes.io/")) {
      labels.put(prefix + "job-name", job.metadata().name());
      String uid = job.metadata().uid();
      if (uid != null) {
        labels.put(prefix + "controller-uid", uid);
      }
    }
    return labels;
  }

  /** The ranges of indexes that need no pod, by their first indexes; they may overlap. */
  private static NavigableMap<Integer, Integer> unavailable(
      Job.Indexes indexes, int completions, Known pods) {
    NavigableMap<Integer, Integer> ranges = new TreeMap<>();
    add(indexes.completed(), completions, ranges);
    add(indexes.failed(), completions, ranges);
    add(pods.activeIndexes, completions, ranges);
    add(pods.succeededIndexes, completions, ranges);
    return ranges;
  }

  private static void add(
      Set<Integer> indexes, int completions, NavigableMap<Integer, Integer> ranges) {
    for (int index : indexes) {
      if (index < completions) {
        ranges.merge(index, index, Math::max);
      }
    }
  }

  /** Adds ranges such as {@code 0,2-4}; ignores malformed ones, as the controller does. */
  private static void add(String text, int completions, NavigableMap<Integer, Integer> ranges) {
    for (String range : text.split(",", -1)) {
      String[] limits = range.split("-", -1);
      int first = number(limits[0]);
      int last = limits.length > 1 ? number(limits[1]) : first;
      if (first >= 0 && first < completions && last >= 0) {
        ranges.merge(first, Math.min(last, completions - 1), Math::max);
      }
    }
  }

  /** A number of a range; -1 if it is none. */
  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** The number of indexes in the ranges. */
  private static int covered(NavigableMap<Integer, Integer> ranges) {
    int number = 0;
    int next = 0;
    for (Map.Entry<Integer, Integer> range : ranges.entrySet()) {
      int first = Math.max(next, range.getKey());
      if (range.getValue() >= first) {
        number += range.getValue() - first + 1;
        next = range.getValue() + 1;
      }
    }
    return number;
  }

  /** The first indexes that are in none of the ranges. */
  private static List<Integer> pending(
      int count, int completions, NavigableMap<Integer, Integer> ranges) {
    List<Integer> found = new ArrayList<>();
    int next = 0;
    for (Map.Entry<Integer, Integer> range : ranges.entrySet()) {
      for (; next < range.getKey() && found.size() < count; next++) {
        found.add(next);
      }
      next = Math.max(next, range.getValue() + 1);
    }
    for (; next < completions && found.size() < count; next++) {
      found.add(next);
    }
    return found;
  }
}
