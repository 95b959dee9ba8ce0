package io.dra4j.dranet.attach;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.netlink.rdma.RdmaDevice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The record from which a step can be undone, also by a later process. */
sealed interface Undo {

  /** The maximum length of a record (io.dra4j.spi.Step), in characters of one byte. */
  int MAX_TEXT = 1 << 20;

  ObjectMapper JSON = new ObjectMapper();

  /** Nothing to undo: the effect ends when the link leaves. */
  record WithLink() implements Undo {}

  /**
   * The link returns to the namespace of the host under its name there. Needs no carrier, and
   * writes nothing else.
   *
   * @param link the link
   * @param podName its name in the pod
   */
  record Home(LinkIdentity link, String podName) implements Undo {}

  /**
   * The state of the link is restored after it has returned to the host. Recorded before {@link
   * Home}, so undone after it.
   *
   * @param link the link
   * @param podName its name in the pod
   * @param state its original state, {@link io.dra4j.netlink.state.LinkState#toText}
   * @param programs the BPF programs that are detached for the pod, {@link Programs#texts}; empty
   *     if none are
   */
  record Restore(LinkIdentity link, String podName, String state, List<String> programs)
      implements Undo {
    public Restore {
      programs = List.copyOf(programs);
    }
  }

  /**
   * {@link Home} and {@link Restore} in one step, as versions before the first release recorded it.
   *
   * @param home the return of the link
   * @param restore the state to restore
   */
  record ReturnLink(Home home, Restore restore) implements Undo {}

  /**
   * Rules of the pod are deleted.
   *
   * @param rules the rules, {@link Rules#text}, which name their priorities
   */
  record DeleteRules(List<String> rules) implements Undo {
    public DeleteRules {
      rules = List.copyOf(rules);
    }
  }

  /**
   * The link leaves a VRF of the pod. The VRF is deleted if the driver created it and it has no
   * other link.
   *
   * @param vrf the name of the VRF
   * @param podName the name of the link in the pod
   * @param mark the alias of VRFs that the driver creates
   * @param sysctls the original values of parameters of the pod, by path
   */
  record LeaveVrf(String vrf, String podName, String mark, Map<String, String> sysctls)
      implements Undo {
    public LeaveVrf {
      sysctls = Collections.unmodifiableMap(new TreeMap<>(sysctls));
    }
  }

  /**
   * An RDMA device returns to the host.
   *
   * @param name its name
   * @param nodeGuid its node GUID
   */
  record ReturnRdma(String name, long nodeGuid) implements Undo {

    /** Finds the device. A pod can change its name, and virtual functions may have no GUID. */
    Optional<RdmaDevice> find(List<RdmaDevice> devices) {
      List<RdmaDevice> same = devices.stream().filter(one -> one.nodeGuid() == nodeGuid).toList();
      Optional<RdmaDevice> named = same.stream().filter(one -> one.name().equals(name)).findFirst();
      return named.isEmpty() && nodeGuid != 0 && same.size() == 1
          ? Optional.of(same.get(0))
          : named;
    }
  }

  /** Returns the record as one line of JSON. */
  default String toText() {
    ObjectNode object = JSON.createObjectNode().put("version", 1);
    if (this instanceof WithLink) {
      object.put("undo", "with link");
    } else if (this instanceof Home one) {
      identity(object.put("undo", "home").put("podName", one.podName), one.link);
    } else if (this instanceof Restore one) {
      restore(object.put("undo", "restore"), one);
    } else if (this instanceof ReturnLink one) {
      restore(object.put("undo", "return link"), one.restore);
    } else if (this instanceof DeleteRules one) {
      ArrayNode rules = object.put("undo", "delete rules").putArray("rules");
      one.rules.forEach(rules::add);
    } else if (this instanceof LeaveVrf one) {
      object.put("undo", "leave vrf").put("vrf", one.vrf).put("podName", one.podName);
      ObjectNode sysctls = object.put("mark", one.mark).putObject("sysctls");
      one.sysctls.forEach(sysctls::put);
    } else if (this instanceof ReturnRdma one) {
      object.put("undo", "return rdma").put("name", one.name).put("nodeGuid", one.nodeGuid);
    }
    return object.toString();
  }

  /** Reads what {@link #toText} wrote; throws IllegalArgumentException for any other text. */
  static Undo parse(String text) {
    JsonNode object;
    try {
      object = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("it was not recorded by this driver", e);
    }
    if (object.path("version").asInt() != 1) {
      throw new IllegalArgumentException(
          "its version " + object.path("version") + " is not supported");
    }
    return switch (object.path("undo").asText()) {
      case "with link" -> new WithLink();
      case "home" -> new Home(identity(object), text(object, "podName"));
      case "restore" -> restore(object);
      case "return link" ->
          new ReturnLink(new Home(identity(object), text(object, "podName")), restore(object));
      case "delete rules" -> new DeleteRules(texts(object, "rules"));
      case "leave vrf" -> {
        Map<String, String> sysctls = new TreeMap<>();
        object
            .path("sysctls")
            .properties()
            .forEach(one -> sysctls.put(one.getKey(), one.getValue().asText()));
        yield new LeaveVrf(
            text(object, "vrf"), text(object, "podName"), text(object, "mark"), sysctls);
      }
      case "return rdma" -> new ReturnRdma(text(object, "name"), object.path("nodeGuid").asLong());
      default ->
          throw new IllegalArgumentException("its kind is not known: " + object.path("undo"));
    };
  }

  private static void identity(ObjectNode object, LinkIdentity link) {
    object.put("name", link.name()).put("index", link.index()).put("kind", link.kind());
    object.put("base", link.base()).put("parent", link.parent()).put("built", link.built());
    object.put("address", link.address()).put("given", link.given());
  }

  private static LinkIdentity identity(JsonNode object) {
    return new LinkIdentity(
        text(object, "name"),
        object.path("index").asInt(),
        text(object, "kind"),
        object.path("base").asInt(),
        text(object, "parent"),
        text(object, "built"),
        text(object, "address"),
        text(object, "given"));
  }

  private static void restore(ObjectNode object, Restore one) {
    identity(object.put("podName", one.podName).put("state", one.state), one.link);
    ArrayNode programs = object.putArray("programs");
    one.programs.forEach(programs::add);
  }

  private static Restore restore(JsonNode object) {
    return new Restore(
        identity(object),
        text(object, "podName"),
        text(object, "state"),
        texts(object, "programs"));
  }

  private static List<String> texts(JsonNode object, String name) {
    List<String> texts = new ArrayList<>();
    object.path(name).forEach(one -> texts.add(one.asText()));
    return texts;
  }

  private static String text(JsonNode object, String name) {
    if (!object.path(name).isTextual()) {
      throw new IllegalArgumentException("its field " + name + " is missing");
    }
    return object.get(name).textValue();
  }
}
