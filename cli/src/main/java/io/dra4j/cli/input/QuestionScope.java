package io.dra4j.cli.input;

import io.dra4j.scheduling.PodOutcome;

/**
 * The pods and claims that a question covers: one pod, a namespace, or all. Other pods and claims
 * stay part of the cluster, and their devices stay in use, but answers and exit codes do not cover
 * them.
 *
 * @param namespace the namespace; empty for all
 * @param pod namespace and name of the pod; empty for all
 */
public record QuestionScope(String namespace, String pod) {

  /** The scope of all pods and claims. */
  public static final QuestionScope ALL = new QuestionScope("", "");

  /** Returns the scope of the pods and claims of a namespace. */
  public static QuestionScope ofNamespace(String namespace) {
    return new QuestionScope(namespace, "");
  }

  /** Returns the scope of one pod, {@code namespace/name}. */
  public static QuestionScope ofPod(String pod) {
    return new QuestionScope("", pod);
  }

  /** Returns whether the question covers everything. */
  public boolean isAll() {
    return namespace.isEmpty() && pod.isEmpty();
  }

  /** Returns whether the question covers the pods of a controller, or a claim without pods. */
  public boolean covers(String objectNamespace) {
    return pod.isEmpty() && (namespace.isEmpty() || namespace.equals(objectNamespace));
  }

  /** Returns whether the question covers a pod. */
  public boolean coversPod(String name) {
    return pod.isEmpty() ? covers(namespaceOf(name)) : pod.equals(name);
  }

  /** Returns whether the question covers the pod of an outcome. */
  public boolean covers(PodOutcome outcome) {
    return coversPod(outcome.pod().name());
  }

  /**
   * Returns whether the question covers the object of a problem of the queue. Such a problem begins
   * with kind and name of the object, such as {@code pod default/train: }.
   */
  public boolean coversProblem(String problem) {
    if (isAll()) {
      return true;
    }
    int end = problem.indexOf(": ");
    String object = end < 0 ? "" : problem.substring(0, end);
    int blank = object.indexOf(' ');
    String name = object.substring(blank + 1);
    return !pod.isEmpty() ? object.equals("pod " + pod) : namespace.equals(namespaceOf(name));
  }

  private static String namespaceOf(String name) {
    return name.substring(0, Math.max(0, name.indexOf('/')));
  }
}
