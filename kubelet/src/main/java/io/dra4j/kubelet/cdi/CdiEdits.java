package io.dra4j.kubelet.cdi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The changes to a container that gets a device.
 *
 * @param environment environment variables, values by name
 * @param deviceNodes device nodes
 * @param mounts files and directories of the host
 * @param hooks programs that the container runtime starts
 * @param additionalGids additional groups of the processes of the container, each more than 0
 */
public record CdiEdits(
    Map<String, String> environment,
    List<DeviceNode> deviceNodes,
    List<Mount> mounts,
    List<Hook> hooks,
    List<Long> additionalGids) {

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");
  private static final List<String> HOOKS =
      List.of("createRuntime", "createContainer", "startContainer", "poststart", "poststop");
  private static final Pattern PERMISSIONS = Pattern.compile("r?w?m?");

  /** No edits. */
  public static final CdiEdits NONE = new CdiEdits(Map.of(), List.of(), List.of());

  /**
   * Copies the lists and checks the names. {@inheritDoc}
   *
   * @throws IllegalArgumentException if a group is not more than 0, the value of a variable has a
   *     NUL, or its name is not valid: letters, digits, {@code _}, {@code .} and {@code -}, with a
   *     letter or {@code _} first
   */
  public CdiEdits {
    environment = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    deviceNodes = List.copyOf(deviceNodes);
    mounts = List.copyOf(mounts);
    hooks = List.copyOf(hooks);
    additionalGids = List.copyOf(additionalGids);
    for (long gid : additionalGids) {
      if (gid <= 0) {
        throw new IllegalArgumentException("additional group must be more than 0: " + gid);
      }
    }
    environment.forEach(
        (name, value) -> {
          if (!VARIABLE.matcher(name).matches()) {
            throw new IllegalArgumentException(
                ("environment variable \"%s\": the name must be letters, digits, '_', '.' and"
                        + " '-', and not begin with a digit, '.' or '-'")
                    .formatted(name));
          }
          if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                "environment variable %s: the value has a NUL character".formatted(name));
          }
        });
  }

  /**
   * Creates edits without hooks and groups.
   *
   * @param environment environment variables, values by name
   * @param deviceNodes device nodes
   * @param mounts files and directories of the host
   */
  public CdiEdits(
      Map<String, String> environment, List<DeviceNode> deviceNodes, List<Mount> mounts) {
    this(environment, deviceNodes, mounts, List.of(), List.of());
  }

  /**
   * {@return edits that set environment variables}
   *
   * @param environment values by name
   */
  public static CdiEdits environment(Map<String, String> environment) {
    return new CdiEdits(environment, List.of(), List.of());
  }

  /**
   * A device node.
   *
   * @param path the path in the container
   * @param hostPath the path on the host; null for the same path
   * @param permissions the permissions of the container, {@code r}, {@code w} and {@code m} in this
   *     order; empty for all
   * @param uid the owner in the container; null for the owner on the host
   * @param gid the group in the container; null for the group on the host
   * @param fileMode the mode in the container, for example 0660; null for the mode on the host
   */
  public record DeviceNode(
      String path,
      @Nullable String hostPath,
      String permissions,
      @Nullable Long uid,
      @Nullable Long gid,
      @Nullable Integer fileMode) {

    /**
     * Creates a device node with its owner, group and mode on the host.
     *
     * @param path the path in the container
     * @param hostPath the path on the host; null for the same path
     * @param permissions the permissions of the container, {@code r}, {@code w} and {@code m} in
     *     this order; empty for all
     */
    public DeviceNode(String path, @Nullable String hostPath, String permissions) {
      this(path, hostPath, permissions, null, null, null);
    }

    /**
     * Checks the paths. {@inheritDoc}
     *
     * @throws IllegalArgumentException if a path is not absolute or has {@code ..}, or the
     *     permissions are not valid
     */
    public DeviceNode {
      checkPath("device node", path);
      if (hostPath != null) {
        checkPath("device node", hostPath);
      }
      if (!PERMISSIONS.matcher(permissions).matches()) {
        throw new IllegalArgumentException(
            "device node %s: permissions \"%s\": expected r, w and m in this order, each optional"
                .formatted(path, permissions));
      }
    }
  }

  /**
   * A program that the container runtime starts.
   *
   * @param name the moment: {@code createRuntime}, {@code createContainer}, {@code startContainer},
   *     {@code poststart} or {@code poststop}
   * @param path the program, an absolute path on the host
   * @param arguments its arguments; by convention, the first argument is the name of the program
   * @param environment its environment variables, values by name
   * @param timeout the time limit of the program in seconds; 0 for no limit
   */
  public record Hook(
      String name,
      String path,
      List<String> arguments,
      Map<String, String> environment,
      long timeout) {

    /**
     * Checks the path. {@inheritDoc}
     *
     * @throws IllegalArgumentException if the path is not absolute or has {@code ..}, the name is
     *     not one of these moments, or the timeout is negative
     */
    public Hook {
      checkPath("hook", path);
      if (!HOOKS.contains(name) || timeout < 0) {
        throw new IllegalArgumentException(
            "hook %s: the name \"%s\" must be one of %s, and the timeout %d must not be negative"
                .formatted(path, name, HOOKS, timeout));
      }
      arguments = List.copyOf(arguments);
      environment = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }
  }

  /**
   * A file or directory of the host in the container.
   *
   * @param hostPath the path on the host
   * @param containerPath the path in the container
   * @param options options of mount(8), for example {@code ro} and {@code bind}
   */
  public record Mount(String hostPath, String containerPath, List<String> options) {

    /**
     * Checks the paths. {@inheritDoc}
     *
     * @throws IllegalArgumentException if a path is not absolute or has {@code ..}
     */
    public Mount {
      checkPath("mount", hostPath);
      checkPath("mount", containerPath);
      options = List.copyOf(options);
    }
  }

  private static void checkPath(String what, String path) {
    Objects.requireNonNull(path, what);
    boolean isPlain = path.startsWith("/") && path.chars().noneMatch(Character::isISOControl);
    if (!isPlain || List.of(path.split("/")).contains("..")) {
      throw new IllegalArgumentException(
          "%s: path \"%s\" must be absolute, without '..' and control characters"
              .formatted(what, path));
    }
  }

  /** The oldest CDI version that supports these edits (tags.cncf.io/container-device-interface). */
  String version() {
    if (!additionalGids.isEmpty()) {
      return "0.7.0";
    }
    return deviceNodes.stream().anyMatch(node -> node.hostPath() != null) ? "0.5.0" : "0.3.0";
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    addStrings(json, "env", variables(environment));
    if (!deviceNodes.isEmpty()) {
      ArrayNode nodes = json.putArray("deviceNodes");
      deviceNodes.forEach(node -> addNode(nodes.addObject(), node));
    }
    if (!mounts.isEmpty()) {
      ArrayNode all = json.putArray("mounts");
      for (Mount mount : mounts) {
        ObjectNode one =
            all.addObject()
                .put("hostPath", mount.hostPath())
                .put("containerPath", mount.containerPath());
        addStrings(one, "options", mount.options());
      }
    }
    if (!hooks.isEmpty()) {
      ArrayNode all = json.putArray("hooks");
      hooks.forEach(hook -> addHook(all.addObject(), hook));
    }
    if (!additionalGids.isEmpty()) {
      ArrayNode all = json.putArray("additionalGids");
      additionalGids.forEach(all::add);
    }
    return json;
  }

  private static void addNode(ObjectNode json, DeviceNode node) {
    json.put("path", node.path());
    if (node.hostPath() != null) {
      json.put("hostPath", node.hostPath());
    }
    if (!node.permissions().isEmpty()) {
      json.put("permissions", node.permissions());
    }
    if (node.uid() != null) {
      json.put("uid", node.uid());
    }
    if (node.gid() != null) {
      json.put("gid", node.gid());
    }
    if (node.fileMode() != null) {
      json.put("fileMode", node.fileMode());
    }
  }

  private static void addHook(ObjectNode json, Hook hook) {
    json.put("hookName", hook.name()).put("path", hook.path());
    addStrings(json, "args", hook.arguments());
    addStrings(json, "env", variables(hook.environment()));
    if (hook.timeout() > 0) {
      json.put("timeout", hook.timeout());
    }
  }

  private static List<String> variables(Map<String, String> environment) {
    List<String> variables = new ArrayList<>();
    environment.forEach((name, value) -> variables.add(name + "=" + value));
    return variables;
  }

  private static void addStrings(ObjectNode json, String field, List<String> values) {
    if (!values.isEmpty()) {
      ArrayNode array = json.putArray(field);
      values.forEach(array::add);
    }
  }
}
