package io.dra4j.inventory.internal;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.DeviceTaintSelector;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The device taint rules of a cluster in their order, indexed by the devices that they select: of
 * thousands of rules, only the rules for a slice's driver, pool and device names are evaluated.
 * Immutable.
 */
public final class DeviceTaintRules {

  public static final DeviceTaintRules NONE = new DeviceTaintRules(List.of());

  /** The driver and the pool that a rule names; null if it names none. */
  private record Scope(@Nullable String driver, @Nullable String pool)
      implements Comparable<Scope> {

    private static final Comparator<Scope> ORDER =
        Comparator.comparing(Scope::driver, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(Scope::pool, Comparator.nullsFirst(Comparator.naturalOrder()));

    /** An order for maps, so that look-ups stay fast even if names have equal hash codes. */
    @Override
    public int compareTo(Scope other) {
      return ORDER.compare(this, other);
    }
  }

  /** The taint of a rule, with the position of the rule among all rules. */
  private record Numbered(int number, DeviceTaint taint) {}

  /** The rules of one scope. */
  private static final class Scoped {
    final List<Numbered> ofAll = new ArrayList<>(0);
    final Map<String, List<Numbered>> ofDevice = new HashMap<>(0);
    private List<DeviceTaint> taintsOfAll =
        List.of(); // shared by all slices that have only this list
  }

  final List<DeviceTaintRule> all;
  private final Map<Scope, Scoped> scopes = new HashMap<>(0);

  private DeviceTaintRules(List<DeviceTaintRule> all) {
    this.all = all;
    for (int i = 0; i < all.size(); i++) {
      DeviceTaintSelector selector = all.get(i).deviceSelector();
      if (selector == null) {
        continue; // a rule without selector selects no device
      }
      Scoped scoped =
          scopes.computeIfAbsent(
              new Scope(selector.driver(), selector.pool()), scope -> new Scoped());
      List<Numbered> rules =
          selector.device() == null
              ? scoped.ofAll
              : scoped.ofDevice.computeIfAbsent(selector.device(), name -> new ArrayList<>(1));
      rules.add(new Numbered(i, all.get(i).taint()));
    }
    scopes.values().forEach(scoped -> scoped.taintsOfAll = taints(scoped.ofAll));
  }

  static DeviceTaintRules of(List<DeviceTaintRule> all) {
    return all.isEmpty() ? NONE : new DeviceTaintRules(List.copyOf(all));
  }

  /** Whether a rule can select a device of the slice, judged by driver and pool. */
  boolean mayConcern(ResourceSlice slice) {
    return !concerned(slice).isEmpty();
  }

  /**
   * The slice with the taints of the rules after the taints that its driver publishes, as in
   * Kubernetes' resourceslice tracker. Returns the same slice if no rule selects any of its
   * devices.
   */
  ResourceSlice tainted(ResourceSlice slice) {
    List<Scoped> concerned = concerned(slice);
    if (concerned.isEmpty()) {
      return slice;
    }
    List<Numbered> ofAll = new ArrayList<>();
    concerned.forEach(scoped -> ofAll.addAll(scoped.ofAll));
    List<DeviceTaint> taintsOfAll =
        concerned.size() == 1 ? concerned.get(0).taintsOfAll : taints(ofAll);
    boolean any = false;
    List<Device> devices = new ArrayList<>(slice.devices().size());
    for (Device device : slice.devices()) {
      List<DeviceTaint> more = taintsOfAll;
      List<Numbered> ofDevice = ofDevice(concerned, device.name());
      if (!ofDevice.isEmpty()) {
        ofDevice.addAll(ofAll);
        more = taints(ofDevice);
      }
      devices.add(more.isEmpty() ? device : device.withTaints(behind(device.taints(), more)));
      any |= !more.isEmpty();
    }
    return any ? slice.withDevices(devices) : slice;
  }

  private List<Scoped> concerned(ResourceSlice slice) {
    List<Scoped> concerned = new ArrayList<>(4);
    String driver = slice.driver();
    String pool = slice.pool().name();
    add(concerned, new Scope(null, null));
    add(concerned, new Scope(driver, null));
    add(concerned, new Scope(null, pool));
    add(concerned, new Scope(driver, pool));
    return concerned;
  }

  private void add(List<Scoped> concerned, Scope scope) {
    Scoped scoped = scopes.get(scope);
    if (scoped != null) {
      concerned.add(scoped);
    }
  }

  private static List<Numbered> ofDevice(List<Scoped> concerned, String device) {
    List<Numbered> found = new ArrayList<>(0);
    for (Scoped scoped : concerned) {
      found.addAll(scoped.ofDevice.getOrDefault(device, List.of()));
    }
    return found;
  }

  /** The taints in the order of their rules. */
  private static List<DeviceTaint> taints(List<Numbered> rules) {
    return rules.stream()
        .sorted(Comparator.comparingInt(Numbered::number))
        .map(Numbered::taint)
        .collect(Collectors.toUnmodifiableList()); // devices share this list
  }

  private static List<DeviceTaint> behind(List<DeviceTaint> own, List<DeviceTaint> more) {
    if (own.isEmpty()) {
      return more;
    }
    List<DeviceTaint> all = new ArrayList<>(own.size() + more.size());
    all.addAll(own);
    all.addAll(more);
    return all;
  }
}
