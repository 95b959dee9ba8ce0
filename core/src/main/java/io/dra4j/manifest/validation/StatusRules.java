package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.ALLOCATION_CONFIG_MAX;
import static io.dra4j.manifest.validation.ValidationRule.CONFIG_SOURCE;
import static io.dra4j.manifest.validation.ValidationRule.DEVICE_NAME;
import static io.dra4j.manifest.validation.ValidationRule.DRIVER_NAME;
import static io.dra4j.manifest.validation.ValidationRule.HARDWARE_ADDRESS_SIZE;
import static io.dra4j.manifest.validation.ValidationRule.INTERFACE_NAME_SIZE;
import static io.dra4j.manifest.validation.ValidationRule.NETWORK_ADDRESS;
import static io.dra4j.manifest.validation.ValidationRule.NETWORK_ADDRESSES_MAX;
import static io.dra4j.manifest.validation.ValidationRule.POOL_NAME;
import static io.dra4j.manifest.validation.ValidationRule.RESERVED_ALLOCATED;
import static io.dra4j.manifest.validation.ValidationRule.RESERVED_CONSUMER;
import static io.dra4j.manifest.validation.ValidationRule.RESERVED_MAX;
import static io.dra4j.manifest.validation.ValidationRule.RESERVED_UNIQUE;
import static io.dra4j.manifest.validation.ValidationRule.RESULTS_MAX;
import static io.dra4j.manifest.validation.ValidationRule.SHARE_ID;
import static io.dra4j.manifest.validation.ValidationRule.STATUS_DATA;
import static io.dra4j.manifest.validation.ValidationRule.STATUS_DEVICE_ALLOCATED;
import static io.dra4j.manifest.validation.ValidationRule.STATUS_DEVICE_UNIQUE;

import io.dra4j.manifest.Json;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of the status of a claim. */
final class StatusRules {

  private static final List<String> SOURCES = List.of("FromClass", "FromClaim");

  private final ConfigurationRules configurations = new ConfigurationRules();
  private final NodeSelectorRules nodeSelectors = new NodeSelectorRules();
  private final TaintRules taints = new TaintRules();
  private final BindingRules bindings = new BindingRules();
  private final ConditionRules conditions = new ConditionRules();
  private final SkippedOperations skippedOperations = new SkippedOperations();

  /** The key of a device in results and statuses. */
  private record DeviceKey(
      @Nullable String driver,
      @Nullable String pool,
      @Nullable String device,
      @Nullable String shareId)
      implements Comparable<DeviceKey> {

    private static final Comparator<@Nullable String> TEXTS =
        Comparator.nullsFirst(Comparator.naturalOrder());

    private static final Comparator<DeviceKey> ORDER =
        Comparator.comparing(DeviceKey::device, TEXTS)
            .thenComparing(DeviceKey::pool, TEXTS)
            .thenComparing(DeviceKey::driver, TEXTS)
            .thenComparing(DeviceKey::shareId, TEXTS);

    /** An order for sets, to keep lookups fast even if names are chosen for equal hash codes. */
    @Override
    public int compareTo(DeviceKey other) {
      return ORDER.compare(this, other);
    }

    static DeviceKey of(FieldCursor object) {
      return new DeviceKey(
          object.text("driver"),
          object.text("pool"),
          object.text("device"),
          object.text("shareID"));
    }
  }

  /** Checks the status of a claim whose requests have names. */
  void check(FieldCursor status, RequestNames requests) {
    Set<DeviceKey> allocated = new HashSet<>();
    FieldCursor allocation = status.object("allocation");
    if (allocation != null) {
      checkAllocation(allocation, requests, allocated);
    }
    checkConsumers(status);
    Set<DeviceKey> known = new HashSet<>();
    for (FieldCursor device : status.objects("devices")) {
      DeviceKey key = DeviceKey.of(device);
      checkDevice(device);
      if (!allocated.contains(key)) {
        device.problem(STATUS_DEVICE_ALLOCATED, "", "expected a device of the allocation");
      }
      if (!known.add(key)) {
        device.problem(STATUS_DEVICE_UNIQUE, "", "the device is a duplicate");
      }
      checkReport(device);
    }
  }

  private void checkAllocation(
      FieldCursor allocation, RequestNames requests, Set<DeviceKey> allocated) {
    FieldCursor devices = allocation.objectOrEmpty("devices");
    devices.atMost(RESULTS_MAX, "results", ApiLimits.RESULTS);
    for (FieldCursor result : devices.objects("results")) {
      allocated.add(DeviceKey.of(result));
      String request = result.text("request");
      if (request != null || !result.has("request")) {
        requests.check(result, "request", request == null ? "" : request);
      }
      checkDevice(result);
      bindings.check(result);
      result.objects("tolerations").forEach(taints::checkToleration);
      skippedOperations.check(result);
    }
    devices.atMost(ALLOCATION_CONFIG_MAX, "config", 2 * ApiLimits.CONFIG);
    for (FieldCursor entry : devices.objects("config")) {
      String source = entry.required(CONFIG_SOURCE, "source", String.join(" or ", SOURCES));
      if (source != null) {
        entry.checkWord(CONFIG_SOURCE, "source", source, SOURCES);
      }
      requests.checkAll(entry);
      configurations.checkEntry(entry);
    }
    nodeSelectors.check(allocation);
  }

  private static void checkDevice(FieldCursor object) {
    object.requireName(DRIVER_NAME, "driver", NameFormat.DRIVER);
    object.requireName(POOL_NAME, "pool", NameFormat.POOL);
    object.requireName(DEVICE_NAME, "device", NameFormat.LABEL);
    object.checkName(SHARE_ID, "shareID", NameFormat.UUID);
  }

  private static void checkConsumers(FieldCursor status) {
    status.atMost(RESERVED_MAX, "reservedFor", ApiLimits.CONSUMERS);
    if (status.size("reservedFor") > 0 && !status.has("allocation")) {
      status.problem(RESERVED_ALLOCATED, "reservedFor", "expected none, as there is no allocation");
    }
    Set<String> uids = new HashSet<>();
    for (FieldCursor consumer : status.objects("reservedFor")) {
      for (String field : List.of("resource", "name", "uid")) {
        consumer.required(RESERVED_CONSUMER, field, "the consumer's");
      }
      Unique.check(RESERVED_UNIQUE, consumer, "uid", uids);
    }
  }

  private void checkReport(FieldCursor device) {
    conditions.check(device);
    Json data = device.get("data");
    if (data != null) {
      ConfigurationRules.checkJson(STATUS_DATA, STATUS_DATA, device, "data", data);
    }
    FieldCursor network = device.object("networkData");
    if (network == null) {
      return;
    }
    checkBytes(INTERFACE_NAME_SIZE, network, "interfaceName", ApiLimits.INTERFACE_BYTES);
    checkBytes(HARDWARE_ADDRESS_SIZE, network, "hardwareAddress", ApiLimits.HARDWARE_ADDRESS_BYTES);
    network.atMost(NETWORK_ADDRESSES_MAX, "ips", ApiLimits.ADDRESSES);
    Set<String> addresses = new HashSet<>();
    network.texts(
        "ips",
        (path, address) -> {
          if (!NetworkAddresses.isCanonical(address)) {
            network.problem(
                NETWORK_ADDRESS,
                path,
                "expected an address such as 192.0.2.1/24 or 2001:db8::1/64, found "
                    + FieldCursor.shown(address));
          } else if (!addresses.add(address)) {
            network.problem(NETWORK_ADDRESS, path, FieldCursor.shown(address) + " is a duplicate");
          }
        });
  }

  private static void checkBytes(ValidationRule rule, FieldCursor object, String field, int most) {
    String text = object.text(field);
    if (text != null && NameFormat.bytes(text) > most) {
      object.problem(
          rule, field, "expected at most " + most + " bytes, found " + NameFormat.bytes(text));
    }
  }
}
