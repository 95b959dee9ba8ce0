package io.dra4j.cli.cluster;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.explanation.ExcludedDevice;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.allocation.explanation.Reason;
import io.dra4j.cli.SvgTexts;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryEvent.ClassPut;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceId;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the states of devices from pictures, and compares each with the allocation of a claim that
 * selects only this device. The devices must be {@link #marked}.
 */
final class DrawnStates {

  private static final String MARK = "check.example.com/mark";
  private static final DeviceClass ALL = DeviceClass.named("check-all");

  /** The prefixes of states. */
  static final List<String> KINDS =
      List.of("free", "held", "in use", "tainted", "counters", "refused", "its pool");

  private static final Pattern TEXT_LINE =
      Pattern.compile("[ |]*[|`]-- (\\S+) +(\\S+)  (\\S+)  (\\S.*)");
  private static final Pattern PAGE_DEVICE =
      Pattern.compile(
          "<div class=\"device[^\"]*\">\\n<b>(.*)</b>\\n<small>(.*)</small>\\n"
              + "(?:<small>[0-9a-f]{4}:[0-9a-f:.]*</small>\\n)?<small>(.*)</small>\\n");
  private static final Pattern HELD = Pattern.compile("(?:<== |held by |in use by )(.*)");

  private final Allocator allocator;
  private final DeviceInventory inventory;
  private final Map<Map.Entry<String, DeviceId>, AllocationOutcome> outcomes = new HashMap<>();
  private final List<String> contradictions = new ArrayList<>();
  private final Map<String, Integer> seen = new TreeMap<>();

  /**
   * Prepares the comparison.
   *
   * @param inventory the drawn inventory
   */
  DrawnStates(Allocator allocator, DeviceInventory inventory) {
    this.allocator = allocator;
    this.inventory = inventory.apply(List.of(new ClassPut(ALL)));
  }

  /** The same objects with an attribute on each device by which a claim can select it. */
  static List<KubernetesObject> marked(List<? extends KubernetesObject> objects) {
    List<KubernetesObject> marked = new ArrayList<>();
    for (KubernetesObject object : objects) {
      marked.add(object instanceof ResourceSlice slice ? marked(slice) : object);
    }
    return marked;
  }

  private static ResourceSlice marked(ResourceSlice slice) {
    return slice.withDevices(
        slice.devices().stream()
            .map(
                device -> device.toBuilder().attribute(MARK, slice.idOf(device).toString()).build())
            .toList());
  }

  /** Contradictions to the allocator, a line each. */
  List<String> contradictions() {
    return contradictions;
  }

  /** How many devices were compared, by the beginning of their state. */
  Map<String, Integer> seen() {
    return seen;
  }

  /** Compares the lines of a picture in text. */
  void compareText(String node, List<String> lines) {
    List<Drawn> drawn = new ArrayList<>();
    for (String line : lines) {
      Matcher device = TEXT_LINE.matcher(line);
      if (device.matches()) {
        drawn.add(new Drawn(device.group(1), device.group(2), device.group(4)));
      }
    }
    compare(node, drawn);
  }

  /** Compares the cards of a picture as SVG. */
  void compareSvg(String node, String svg) {
    List<String> texts = SvgTexts.in(svg);
    List<Drawn> drawn = new ArrayList<>();
    List<String> drivers =
        new DeviceCatalog(inventory)
            .devicesOf(node).stream().map(DeviceId::driver).distinct().toList();
    for (int i = 1; i + 1 < texts.size(); i++) {
      List<String> card = texts.subList(i - 1, i + 2);
      boolean isCut = card.stream().anyMatch(text -> text.contains("…"));
      if (drivers.contains(card.get(1)) && !isCut) {
        drawn.add(new Drawn(card.get(0), card.get(1), card.get(2)));
      }
    }
    compare(node, drawn);
  }

  /** Compares the devices of a page of an explanation. */
  void comparePage(String node, String html) {
    Matcher device = PAGE_DEVICE.matcher(html);
    List<Drawn> drawn = new ArrayList<>();
    while (device.find()) {
      drawn.add(new Drawn(device.group(1), device.group(2), device.group(3).replace("&#39;", "'")));
    }
    compare(node, drawn);
  }

  private record Drawn(String device, String driver, String state) {}

  private void compare(String node, List<Drawn> drawn) {
    Map<List<String>, List<DeviceId>> byName = new HashMap<>();
    for (DeviceId id : new DeviceCatalog(inventory).devicesOf(node)) {
      byName.computeIfAbsent(List.of(id.device(), id.driver()), any -> new ArrayList<>()).add(id);
    }
    for (Drawn one : drawn) {
      List<DeviceId> ids = byName.getOrDefault(List.of(one.device, one.driver), List.of());
      if (ids.isEmpty()) {
        contradictions.add(node + ": draws the unknown device " + one);
      } else if (ids.size() == 1) { // of two pools with one name the picture does not say which
        compare(node, ids.get(0), one.state);
      }
    }
  }

  private void compare(String node, DeviceId id, String state) {
    seen.merge(kind(state), 1, Integer::sum);
    AllocationOutcome outcome =
        outcomes.computeIfAbsent(Map.entry(node, id), any -> allocate(node, id));
    if (!agrees(id, state, outcome)) {
      contradictions.add(
          "%s: %s is drawn as \"%s\", and a claim for it: %s".formatted(node, id, state, outcome));
    }
  }

  private static String kind(String state) {
    return state.startsWith("<== ")
        ? "held"
        : KINDS.stream().filter(state::startsWith).findFirst().orElse(state);
  }

  private AllocationOutcome allocate(String node, DeviceId id) {
    ResourceClaim claim =
        ResourceClaim.named("check", "alone")
            .request(
                "r",
                request ->
                    request
                        .deviceClass(ALL.metadata().name())
                        .selector(
                            "device.attributes['check.example.com'].mark == '%s'".formatted(id)))
            .build();
    return allocator.allocate(inventory, node, List.of(claim));
  }

  private boolean agrees(DeviceId id, String state, AllocationOutcome outcome) {
    Matcher held = HELD.matcher(state);
    if (held.matches()) {
      String names = held.group(1);
      int rest = names.indexOf(", else ");
      return rest < 0
          ? isHeldBy(id, names, outcome)
          : agrees(id, names.substring(rest + 7), outcome);
    } else if (outcome instanceof Allocated) {
      return state.equals("free");
    } else if (outcome instanceof Rejected rejected) {
      return state.equals("its pool is not usable")
          || (state.startsWith("refused: ") && state.contains(rejected.error()));
    }
    return outcome instanceof Unallocatable refused
        && agrees(id, state, refused.explanation().reasons());
  }

  /** Of a shared device some may be left. */
  private boolean isHeldBy(DeviceId id, String names, AllocationOutcome outcome) {
    List<ClaimKey> holders = inventory.holdersOf(id);
    List<String> drawn =
        List.of(names.split(", ")).stream()
            .filter(name -> !name.endsWith(" (admin)"))
            .map(name -> name.replace(" (share)", ""))
            .distinct()
            .sorted()
            .toList();
    boolean same = holders.stream().map(ClaimKey::toString).sorted().toList().equals(drawn);
    return same && (!(outcome instanceof Allocated) || isShareable(id));
  }

  private boolean isShareable(DeviceId id) {
    return inventory
        .device(id)
        .map(device -> device.device().allowMultipleAllocations())
        .orElse(false);
  }

  private static boolean agrees(DeviceId id, String state, List<Reason> refusals) {
    ExcludedDevice refused = null;
    boolean unusablePool = false;
    for (Reason refusal : refusals) {
      for (ExcludedDevice device : refusal.refused()) {
        refused = device.device().equals(id) ? device : refused;
      }
      unusablePool |=
          refusal instanceof Reason.UnusablePool pool
              && pool.pool().driver().equals(id.driver())
              && pool.pool().name().equals(id.pool());
    }
    if (state.equals("its pool is not usable")) {
      return refused == null && unusablePool;
    } else if (refused == null) {
      return false;
    }
    String detail = state.substring(state.indexOf(": ") + 1).strip();
    if (state.startsWith("tainted: ")) {
      return refused.rule() == ExclusionCause.TAINTS
          && refused.reason().startsWith("has the taint " + detail + ",");
    } else if (state.startsWith("counters used up: ")) {
      return refused.rule() == ExclusionCause.COUNTERS
          && refused.reason().contains("more of the shared counter " + detail + " than ");
    } else if (state.startsWith("counters of its pool overdrawn: ")) {
      return refused.rule() == ExclusionCause.COUNTERS
          && refused.reason().contains("whose counter " + detail + " is overdrawn");
    }
    return state.equals("refused: " + refused.reason());
  }
}
