package io.dra4j.kubelet.cdi;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of the devices of one request of a claim, for programs in containers (KEP-5304): the
 * object {@code DeviceMetadata} of {@code metadata.resource.k8s.io/v1beta1}.
 *
 * @param namespace the namespace of the claim
 * @param claim the name of the claim
 * @param uid the UID of the claim
 * @param podClaimName the name of the claim in its pod, for a claim created from a template; null
 *     for other claims
 * @param request the name of the request, with its alternative: {@code REQUEST} or {@code
 *     REQUEST/ALTERNATIVE}
 * @param devices the devices of the request
 */
public record DeviceMetadata(
    String namespace,
    String claim,
    String uid,
    @Nullable String podClaimName,
    String request,
    List<Entry> devices) {

  private static final String API_VERSION = "metadata.resource.k8s.io/v1beta1";
  private static final String CONTAINER_DIRECTORY = "/var/run/kubernetes.io/dra-device-attributes";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");

  /**
   * Checks the names that become parts of paths. {@inheritDoc}
   *
   * @throws IllegalArgumentException if a name has other characters than letters, digits, {@code -}
   *     and {@code .}
   */
  public DeviceMetadata {
    devices = List.copyOf(devices);
    check("claim", claim);
    check("uid", uid);
    check("request", baseOf(request));
    if (podClaimName != null) {
      check("podClaimName", podClaimName);
    }
  }

  private static void check(String field, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "DeviceMetadata.%s: \"%s\" must match %s".formatted(field, name, NAME));
    }
  }

  /**
   * A device.
   *
   * @param pool the pool of the device
   * @param device the name of the device
   * @param attributes the attributes by their names, in the order of the file
   * @param network its network interface in the pod; null before it is attached, and for other
   *     kinds of devices
   */
  public record Entry(
      String pool, String device, Map<String, Attribute> attributes, @Nullable Network network) {

    /** Copies the attributes. {@inheritDoc} */
    public Entry {
      attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }
  }

  /**
   * The value of an attribute.
   *
   * @param field the field of the API for its type, such as {@code string} or {@code ints}
   * @param values the value, or the values of a list: strings, numbers or booleans
   * @param isList whether the attribute is a list
   */
  public record Attribute(String field, List<?> values, boolean isList) {

    /** Copies the list. {@inheritDoc} */
    public Attribute {
      values = List.copyOf(values);
    }

    /**
     * {@return an attribute with one value}
     *
     * @param field the field of the API for its type
     * @param value a string, number or boolean
     */
    public static Attribute of(String field, Object value) {
      return new Attribute(field, List.of(value), false);
    }
  }

  /**
   * A network interface in a pod.
   *
   * @param interfaceName its name; empty if it is not known
   * @param ips its IP addresses with prefix lengths
   * @param hardwareAddress its hardware address; empty if it is not known
   */
  public record Network(String interfaceName, List<String> ips, String hardwareAddress) {

    /** Copies the list. {@inheritDoc} */
    public Network {
      ips = List.copyOf(ips);
    }
  }

  static String baseOf(String request) {
    int alternative = request.indexOf('/');
    return alternative < 0 ? request : request.substring(0, alternative);
  }

  DeviceMetadata withPodClaimName(@Nullable String name) {
    return new DeviceMetadata(namespace, claim, uid, name, request, devices);
  }

  /** The path of the file in containers. */
  String containerPath(String driver) {
    String own = podClaimName;
    return "%s/%s/%s/%s/%s-metadata.json"
        .formatted(
            CONTAINER_DIRECTORY,
            own == null ? "resourceclaims" : "resourceclaimtemplates",
            own == null ? claim : own,
            baseOf(request),
            driver);
  }

  ObjectNode toJson(String driver, long generation) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("kind", "DeviceMetadata").put("apiVersion", API_VERSION);
    root.putObject("metadata")
        .put("name", claim)
        .put("namespace", namespace)
        .put("uid", uid)
        .put("generation", generation);
    if (podClaimName != null) {
      root.put("podClaimName", podClaimName);
    }
    ObjectNode asked = root.putArray("requests").addObject().put("name", request);
    ArrayNode all = asked.putArray("devices");
    for (Entry one : devices) {
      ObjectNode entry = all.addObject();
      entry.put("driver", driver).put("pool", one.pool()).put("name", one.device());
      if (!one.attributes().isEmpty()) {
        ObjectNode attributes = entry.putObject("attributes");
        one.attributes().forEach((name, value) -> put(attributes.putObject(name), value));
      }
      if (one.network() != null) {
        put(entry.putObject("networkData"), one.network());
      }
    }
    return root;
  }

  private static void put(ObjectNode object, Attribute attribute) {
    if (attribute.isList()) {
      ArrayNode list = object.putArray(attribute.field());
      attribute.values().forEach(list::addPOJO);
    } else {
      object.putPOJO(attribute.field(), attribute.values().get(0));
    }
  }

  private static void put(ObjectNode object, Network network) {
    if (!network.interfaceName().isEmpty()) {
      object.put("interfaceName", network.interfaceName());
    }
    if (!network.ips().isEmpty()) {
      ArrayNode ips = object.putArray("ips");
      network.ips().forEach(ips::add);
    }
    if (!network.hardwareAddress().isEmpty()) {
      object.put("hardwareAddress", network.hardwareAddress());
    }
  }
}
