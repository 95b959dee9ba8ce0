package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Condition;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.NetworkDeviceData;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceClaimStatus;

/** Reads and writes what became of a claim. */
final class StatusFields {

  private StatusFields() {}

  static ResourceClaimStatus read(Fields status) {
    return new ResourceClaimStatus(
        status.object("allocation", StatusFields::readAllocation),
        status.list(
            "reservedFor",
            consumer ->
                new ResourceClaimConsumerReference(
                    consumer.text("apiGroup"),
                    consumer.text("resource"),
                    consumer.text("name"),
                    consumer.text("uid"))),
        status.list("devices", StatusFields::readDevice));
  }

  /** Leaves the status out where there is nothing to say. */
  static void write(ResourceClaimStatus status, ObjectNode claim) {
    if (status.equals(ResourceClaimStatus.EMPTY)) {
      return;
    }
    ObjectNode json = claim.putObject("status");
    Json.object(json, "allocation", status.allocation(), StatusFields::writeAllocation);
    Json.list(
        json,
        "reservedFor",
        status.reservedFor(),
        (consumer, object) -> {
          Json.text(object, "apiGroup", consumer.apiGroup());
          object.put("resource", consumer.resource());
          object.put("name", consumer.name());
          object.put("uid", consumer.uid());
        });
    Json.list(json, "devices", status.devices(), StatusFields::writeDevice);
  }

  private static AllocationResult readAllocation(Fields allocation) {
    Fields devices = allocation.at("devices");
    return new AllocationResult(
        devices.list("results", StatusFields::readResult),
        devices.list("config", ConfigFields::readOfAllocation),
        NodeFields.readSelector(allocation, "nodeSelector"),
        allocation.nonEmptyText("allocationTimestamp"));
  }

  /** As Go's {@code json.Marshal} writes the v1 type: {@code devices} is always there. */
  static void writeAllocation(AllocationResult allocation, ObjectNode json) {
    ObjectNode devices = json.putObject("devices");
    Json.list(devices, "results", allocation.results(), StatusFields::writeResult);
    Json.list(devices, "config", allocation.config(), ConfigFields::writeOfAllocation);
    Json.object(json, "nodeSelector", allocation.nodeSelector(), NodeFields::writeSelector);
    Json.text(json, "allocationTimestamp", allocation.allocationTimestamp());
  }

  private static DeviceRequestAllocationResult readResult(Fields result) {
    return new DeviceRequestAllocationResult(
        result.text("request"),
        result.text("driver"),
        result.text("pool"),
        result.text("device"),
        result.optionalFlag("adminAccess"),
        result.list("tolerations", TaintFields::readToleration),
        result.texts("bindingConditions"),
        result.texts("bindingFailureConditions"),
        result.optionalText("shareID"),
        result.quantityMap("consumedCapacity"),
        result.texts("skipNodeOperations"));
  }

  private static void writeResult(DeviceRequestAllocationResult result, ObjectNode json) {
    json.put("request", result.request());
    json.put("driver", result.driver());
    json.put("pool", result.pool());
    json.put("device", result.device());
    Json.flag(json, "adminAccess", result.adminAccess());
    Json.list(json, "tolerations", result.tolerations(), TaintFields::writeToleration);
    Json.texts(json, "bindingConditions", result.bindingConditions());
    Json.texts(json, "bindingFailureConditions", result.bindingFailureConditions());
    Json.pointer(json, "shareID", result.shareId());
    Json.quantityMap(json, "consumedCapacity", result.consumedCapacity());
    Json.texts(json, "skipNodeOperations", result.skipNodeOperations());
  }

  private static AllocatedDeviceStatus readDevice(Fields device) {
    return new AllocatedDeviceStatus(
        device.text("driver"),
        device.text("pool"),
        device.text("device"),
        device.optionalText("shareID"),
        device.list(
            "conditions",
            condition ->
                new Condition(
                    condition.text("type"),
                    condition.text("status"),
                    condition.optionalInteger("observedGeneration"),
                    condition.nonEmptyText("lastTransitionTime"),
                    condition.text("reason"),
                    condition.text("message"))),
        device.rawJson("data"),
        device.object(
            "networkData",
            data ->
                new NetworkDeviceData(
                    data.text("interfaceName"), data.texts("ips"), data.text("hardwareAddress"))));
  }

  private static void writeDevice(AllocatedDeviceStatus device, ObjectNode json) {
    json.put("driver", device.driver());
    json.put("pool", device.pool());
    json.put("device", device.device());
    Json.pointer(json, "shareID", device.shareId());
    Json.list(
        json,
        "conditions",
        device.conditions(),
        (condition, object) -> {
          object.put("type", condition.type());
          object.put("status", condition.status());
          if (condition.observedGeneration() != null) {
            object.put("observedGeneration", condition.observedGeneration());
          }
          object.put("lastTransitionTime", condition.lastTransitionTime());
          object.put("reason", condition.reason());
          object.put("message", condition.message());
        });
    if (!device.data().isEmpty()) {
      json.set("data", Json.raw(device.data()));
    }
    Json.object(
        json,
        "networkData",
        device.networkData(),
        (data, object) -> {
          Json.text(object, "interfaceName", data.interfaceName());
          Json.texts(object, "ips", data.ips());
          Json.text(object, "hardwareAddress", data.hardwareAddress());
        });
  }
}
