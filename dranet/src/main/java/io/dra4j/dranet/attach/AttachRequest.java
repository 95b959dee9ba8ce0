package io.dra4j.dranet.attach;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.common.PrintableText;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.netlink.route.IpPrefix;
import io.dra4j.netlink.route.Link;
import io.dra4j.spi.configuration.ConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A request to attach a device.
 *
 * @param device the published name of the device
 * @param link the name of its network interface on the host; null if it has none
 * @param rdmaDevice the name of its RDMA device; null if it has none
 * @param config the merged configuration of the device
 * @param number the index of the device among the devices of its request, from 0
 * @param maxMtu the MTU of its physical function in bytes, if the device is a virtual function
 * @param identity the identity of the interface, which outlives renaming ({@link #identityOf});
 *     empty to accept any interface of the name
 * @param leased the destinations of the routes of the configuration that come from a DHCP server;
 *     such a route is left out if the pod has another route to its destination
 */
public record AttachRequest(
    String device,
    @Nullable String link,
    @Nullable String rdmaDevice,
    NetworkConfig config,
    int number,
    OptionalInt maxMtu,
    String identity,
    List<IpPrefix> leased) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 1;

  /** Copies the list. {@inheritDoc} */
  public AttachRequest {
    leased = List.copyOf(leased);
  }

  /**
   * Creates a request for any interface of the name.
   *
   * @param device the published name of the device
   * @param link the name of its network interface on the host; null if it has none
   * @param rdmaDevice the name of its RDMA device; null if it has none
   * @param config the merged configuration of the device
   * @param number the index of the device among the devices of its request, from 0
   * @param maxMtu the MTU of its physical function, in bytes, if the device is a virtual function
   */
  public AttachRequest(
      String device,
      @Nullable String link,
      @Nullable String rdmaDevice,
      NetworkConfig config,
      int number,
      OptionalInt maxMtu) {
    this(device, link, rdmaDevice, config, number, maxMtu, "", List.of());
  }

  /**
   * {@return a request for a network interface}
   *
   * @param link the name of the interface on the host, which is also the name of the device
   * @param config the configuration of the interface
   */
  public static AttachRequest ofLink(String link, NetworkConfig config) {
    return new AttachRequest(link, link, null, config, 0, OptionalInt.empty());
  }

  /**
   * {@return the identity of an interface, which outlives renaming: the parent device, such as
   * {@code 0000:8f:00.0}, or else its kind and hardware address}
   *
   * @param link the interface on the host
   */
  public static String identityOf(Link link) {
    return link.parentDevice().isEmpty() ? link.kind() + " " + link.address() : link.parentDevice();
  }

  /**
   * {@return this request with a configuration to which a DHCP lease was added}
   *
   * @param newConfig the configuration with the lease
   * @param destinations the destinations of its routes that come from the server
   */
  public AttachRequest withLease(NetworkConfig newConfig, List<IpPrefix> destinations) {
    return new AttachRequest(
        device, link, rdmaDevice, newConfig, number, maxMtu, identity, destinations);
  }

  /**
   * {@return the name of the interface in the pod; empty if the device has no interface} The name
   * can be longer than the kernel allows; planning checks that.
   */
  public String podName() {
    String name = config.link().name() == null ? "" : config.link().name();
    if (link == null || !name.isEmpty()) {
      return link == null ? "" : name.replace("%d", Integer.toString(number));
    }
    return link;
  }

  /** {@return the request as one JSON line for {@link #parse}, so that it outlives the process} */
  public String toJson() {
    ObjectNode object = JSON.createObjectNode();
    object.put("version", VERSION).put("device", device).put("number", number);
    if (link != null) {
      object.put("link", link);
    }
    if (rdmaDevice != null) {
      object.put("rdmaDevice", rdmaDevice);
    }
    maxMtu.ifPresent(mtu -> object.put("maxMtu", mtu));
    object.put("identity", identity).put("config", config.toJson());
    ArrayNode destinations = object.putArray("leased");
    leased.forEach(one -> destinations.add(one.toString()));
    return object.toString();
  }

  /**
   * {@return the request in JSON}
   *
   * @param json the result of {@link #toJson}
   * @throws IllegalArgumentException if the text is not a request or has another version
   */
  public static AttachRequest parse(String json) {
    try {
      JsonNode object = JSON.readTree(json);
      List<IpPrefix> leased = new ArrayList<>();
      object.path("leased").forEach(one -> leased.add(IpPrefix.parse(one.asText())));
      if (object.path("version").asInt() != VERSION || !object.path("device").isTextual()) {
        throw new IllegalArgumentException(
            "expected a device to attach, version "
                + VERSION
                + ", found: "
                + PrintableText.start(json, 100));
      }
      return new AttachRequest(
          object.get("device").textValue(),
          object.path("link").textValue(),
          object.path("rdmaDevice").textValue(),
          NetworkConfig.parseMerged(object.path("config").asText()),
          object.path("number").asInt(),
          object.has("maxMtu")
              ? OptionalInt.of(object.get("maxMtu").intValue())
              : OptionalInt.empty(),
          object.path("identity").asText(),
          leased);
    } catch (JsonProcessingException | ConfigurationException e) {
      throw new IllegalArgumentException(
          "expected a device to attach, found: " + PrintableText.start(json, 100), e);
    }
  }
}
