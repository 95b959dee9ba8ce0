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
 * What a container gets with a device.
 *
 * @param environment environment variables, values by name
 * @param deviceNodes device nodes
 * @param mounts files and folders of the host
 */
public record CdiEdits(
    Map<String, String> environment, List<DeviceNode> deviceNodes, List<Mount> mounts) {

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");
  private static final Pattern PERMISSIONS = Pattern.compile("r?w?m?");

  /** Nothing. */
  public static final CdiEdits NONE = new CdiEdits(Map.of(), List.of(), List.of());

  /**
   * Copies the lists and checks the names. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the name of a variable has a character that no shell has in
   *     names, or a value has a NUL
   */
  public CdiEdits {
    environment = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    deviceNodes = List.copyOf(deviceNodes);
    mounts = List.copyOf(mounts);
    environment.forEach(
        (name, value) -> {
          if (!VARIABLE.matcher(name).matches()) {
            throw new IllegalArgumentException(
                "environment variable \"%s\" has to be letters, digits, '_', '.' and '-'"
                    .formatted(name));
          }
          if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                "environment variable %s: value has a NUL".formatted(name));
          }
        });
  }

  /**
   * Returns edits that set environment variables.
   *
   * @param environment values by name
   * @return the edits
   */
  public static CdiEdits environment(Map<String, String> environment) {
    return new CdiEdits(environment, List.of(), List.of());
  }

  /**
   * A device node.
   *
   * @param path the path in the container
   * @param hostPath the path on the host, null: the same
   * @param permissions what the container may do: {@code r}, {@code w} and {@code m} in this order;
   *     empty: all
   */
  public record DeviceNode(String path, @Nullable String hostPath, String permissions) {

    /**
     * Checks the paths. {@inheritDoc}
     *
     * @throws IllegalArgumentException if a path is not absolute or has {@code ..}, or the
     *     permissions are none
     */
    public DeviceNode {
      checkPath("device node", path);
      if (hostPath != null) {
        checkPath("device node", hostPath);
      }
      if (!PERMISSIONS.matcher(permissions).matches()) {
        throw new IllegalArgumentException(
            "device node %s: permissions \"%s\" have to be of r, w, m"
                .formatted(path, permissions));
      }
    }
  }

  /**
   * A file or folder of the host in the container.
   *
   * @param hostPath the path on the host
   * @param containerPath the path in the container
   * @param options options of mount(8), {@code ro} and {@code bind} for example
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
          "%s: path \"%s\" has to be absolute, without '..' and control characters"
              .formatted(what, path));
    }
  }

  boolean hasHostPaths() {
    return deviceNodes.stream().anyMatch(node -> node.hostPath() != null);
  }

  ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    List<String> variables = new ArrayList<>();
    environment.forEach((name, value) -> variables.add(name + "=" + value));
    addStrings(json, "env", variables);
    if (!deviceNodes.isEmpty()) {
      ArrayNode nodes = json.putArray("deviceNodes");
      for (DeviceNode node : deviceNodes) {
        ObjectNode one = nodes.addObject().put("path", node.path());
        if (node.hostPath() != null) {
          one.put("hostPath", node.hostPath());
        }
        if (!node.permissions().isEmpty()) {
          one.put("permissions", node.permissions());
        }
      }
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
    return json;
  }

  private static void addStrings(ObjectNode json, String field, List<String> values) {
    if (!values.isEmpty()) {
      ArrayNode array = json.putArray(field);
      values.forEach(array::add);
    }
  }
}
