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
 * A device that is to be attached.
 *
 * @param device the name of the device, as it is published
 * @param link the name of its network interface on the host; null if it has none
 * @param rdmaDevice the name of its RDMA device; null if it has none
 * @param config what it is to be like, after everything is merged
 * @param number which of the devices of its request it is, from 0
 * @param maxMtu the MTU of the physical function that it is a virtual function of, in bytes, if it
 *     is one
 * @param identity what the interface is known by when names change, {@link #identityOf}; empty for
 *     whatever has its name
 * @param leased the destinations of those routes of the configuration that a DHCP server gave; they
 *     are left out where the pod has other ones
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
   * Asks for whatever interface has the name.
   *
   * @param device the name of the device, as it is published
   * @param link the name of its network interface on the host; null if it has none
   * @param rdmaDevice the name of its RDMA device; null if it has none
   * @param config what it is to be like, after everything is merged
   * @param number which of the devices of its request it is, from 0
   * @param maxMtu the MTU of its physical function, in bytes, if it is a virtual one
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
   * Asks for a network interface.
   *
   * @param link the name of the interface on the host, which is also taken as that of the device
   * @param config what it is to be like
   * @return the request
   */
  public static AttachRequest ofLink(String link, NetworkConfig config) {
    return new AttachRequest(link, link, null, config, 0, OptionalInt.empty());
  }

  /**
   * Returns what an interface is known by when names change.
   *
   * @param link the interface on the host
   * @return the device that it is on, such as {@code 0000:8f:00.0}; of one that is on none its kind
   *     and hardware address
   */
  public static String identityOf(Link link) {
    return link.parentDevice().isEmpty() ? link.kind() + " " + link.address() : link.parentDevice();
  }

  /**
   * Replaces what the device is to be like, by what a DHCP server gave.
   *
   * @param newConfig what the device is to be like
   * @param destinations the destinations of those of its routes that the server gave
   * @return another request
   */
  public AttachRequest withLease(NetworkConfig newConfig, List<IpPrefix> destinations) {
    return new AttachRequest(
        device, link, rdmaDevice, newConfig, number, maxMtu, identity, destinations);
  }

  /**
   * Returns the name that the interface has in the pod, if it is short enough for one.
   *
   * @return the name; empty if the device has no interface
   */
  public String podName() {
    String name = config.link().name() == null ? "" : config.link().name();
    if (link == null || !name.isEmpty()) {
      return link == null ? "" : name.replace("%d", Integer.toString(number));
    }
    return link;
  }

  /**
   * Writes the request down, so that it outlives the process.
   *
   * @return JSON in one line, for {@link #parse}
   */
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
   * Reads a request that was written down.
   *
   * @param json what {@link #toJson} gave
   * @return the request
   * @throws IllegalArgumentException if it is something else, or of another version
   */
  public static AttachRequest parse(String json) {
    try {
      JsonNode object = JSON.readTree(json);
      List<IpPrefix> leased = new ArrayList<>();
      object.path("leased").forEach(one -> leased.add(IpPrefix.parse(one.asText())));
      if (object.path("version").asInt() != VERSION || !object.path("device").isTextual()) {
        throw new IllegalArgumentException(
            "no device to attach of version " + VERSION + ": " + PrintableText.start(json, 100));
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
          "no device to attach: " + PrintableText.start(json, 100), e);
    }
  }
}
