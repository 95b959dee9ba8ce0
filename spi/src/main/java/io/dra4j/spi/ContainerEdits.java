package io.dra4j.spi;

import io.dra4j.common.PrintableText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The changes to a container that uses a claim, for one device, as in {@code containerEdits} of the
 * Container Device Interface. Containers of the same pod that do not use the claim are not changed.
 *
 * @param environment environment variables by name
 * @param deviceNodes device files
 * @param mounts files and directories of the host
 * @param hooks programs that the container runtime starts
 * @param additionalGids further group IDs of the processes of the container, each greater than 0
 */
public record ContainerEdits(
    Map<String, String> environment,
    List<DeviceNode> deviceNodes,
    List<BindMount> mounts,
    List<ContainerHook> hooks,
    List<Long> additionalGids) {

  /** No changes. */
  public static final ContainerEdits NONE = new ContainerEdits(Map.of(), List.of(), List.of());

  /**
   * Copies the collections, keeping their order. {@inheritDoc}
   *
   * @throws IllegalArgumentException if one of {@code additionalGids} is not greater than 0
   */
  public ContainerEdits {
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    deviceNodes = List.copyOf(deviceNodes);
    mounts = List.copyOf(mounts);
    hooks = List.copyOf(hooks);
    additionalGids = List.copyOf(additionalGids);
    for (long gid : additionalGids) {
      if (gid <= 0) {
        throw new IllegalArgumentException(
            "additional group: expected a number greater than 0, found " + gid);
      }
    }
  }

  /** Names of environment variables without values; paths of device files, mounts and hooks. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner("; ").setEmptyValue("none");
    add(text, "environment ", List.copyOf(environment.keySet()));
    add(text, "device files ", deviceNodes.stream().map(DeviceNode::path).toList());
    add(text, "mounts at ", mounts.stream().map(BindMount::containerPath).toList());
    add(text, "hooks ", hooks.stream().map(ContainerHook::path).toList());
    add(text, "groups ", additionalGids);
    return PrintableText.of(text.toString());
  }

  private static void add(StringJoiner text, String name, List<?> values) {
    if (!values.isEmpty()) {
      text.add(name + values);
    }
  }

  /**
   * Creates edits that add environment variables, device files and mounts.
   *
   * @param environment environment variables by name
   * @param deviceNodes device files
   * @param mounts files and directories of the host
   */
  public ContainerEdits(
      Map<String, String> environment, List<DeviceNode> deviceNodes, List<BindMount> mounts) {
    this(environment, deviceNodes, mounts, List.of(), List.of());
  }

  /**
   * {@return edits that set these environment variables and nothing else}
   *
   * @param variables the values by the names of the variables
   */
  public static ContainerEdits ofEnvironment(Map<String, String> variables) {
    return new ContainerEdits(variables, List.of(), List.of());
  }

  /**
   * {@return edits that add these device files and nothing else}
   *
   * @param nodes the device files
   */
  public static ContainerEdits ofNodes(List<DeviceNode> nodes) {
    return new ContainerEdits(Map.of(), nodes, List.of());
  }

  /**
   * {@return edits that add these hooks and nothing else}
   *
   * @param hooks the hooks
   */
  public static ContainerEdits ofHooks(List<ContainerHook> hooks) {
    return new ContainerEdits(Map.of(), List.of(), List.of(), hooks, List.of());
  }

  /**
   * {@return these edits combined with those of another device} Device files, mounts, hooks and
   * groups in both appear once. An environment variable in both gets the value of the other edits.
   *
   * @param edits the edits of the other device
   */
  public ContainerEdits and(ContainerEdits edits) {
    Map<String, String> variables = new LinkedHashMap<>(environment);
    variables.putAll(edits.environment);
    return new ContainerEdits(
        variables,
        joined(deviceNodes, edits.deviceNodes),
        joined(mounts, edits.mounts),
        joined(hooks, edits.hooks),
        joined(additionalGids, edits.additionalGids));
  }

  private static <T> List<T> joined(List<T> first, List<T> more) {
    List<T> all = new ArrayList<>(first);
    more.stream().filter(one -> !first.contains(one)).forEach(all::add);
    return all;
  }
}
