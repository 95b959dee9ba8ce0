package io.dra4j.cli.input;

import io.dra4j.scheduling.PodOutcome;

/**
 * The pods and claims that a question is about: one pod, those of a namespace, or all. Others stay
 * part of the cluster, and their devices in use; answers and exit codes are not about them.
 *
 * @param namespace the namespace; empty for all
 * @param pod namespace and name of the pod; empty for all
 */
public record QuestionScope(String namespace, String pod) {

  /** All pods and claims. */
  public static final QuestionScope ALL = new QuestionScope("", "");

  /** The pods and claims of a namespace. */
  public static QuestionScope ofNamespace(String namespace) {
    return new QuestionScope(namespace, "");
  }

  /** One pod, {@code namespace/name}. */
  public static QuestionScope ofPod(String pod) {
    return new QuestionScope("", pod);
  }

  /** Whether the question is about everything. */
  public boolean isAll() {
    return namespace.isEmpty() && pod.isEmpty();
  }

  /** Whether the question is about the pods of a controller, or a claim without pods. */
  public boolean covers(String objectNamespace) {
    return pod.isEmpty() && (namespace.isEmpty() || namespace.equals(objectNamespace));
  }

  /** Whether the question is about a pod. */
  public boolean coversPod(String name) {
    return pod.isEmpty() ? covers(namespaceOf(name)) : pod.equals(name);
  }

  /** Whether the question is about the pod of an outcome. */
  public boolean covers(PodOutcome outcome) {
    return coversPod(outcome.pod().name());
  }

  /**
   * Whether the question is about the object of a problem of the queue, which begins with kind and
   * name of the object, as {@code pod default/train: }.
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
