package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;

/** The allocation of a claim: {@code status.allocation}. */
public final class AllocationCodec {

  private AllocationCodec() {}

  static AllocationResult read(FieldReader in) {
    return in.object(
        "devices",
        devices ->
            AllocationResult.builder()
                .results(devices.objects("results", AllocationCodec::readResult))
                .config(devices.objects("config", ConfigurationCodec::readOfAllocation))
                .nodeSelector(in.optionalObject("nodeSelector", NodeSelectorCodec::read))
                .allocationTimestamp(in.time("allocationTimestamp"))
                .build());
  }

  public static Json.Fields write(AllocationResult allocation) {
    return new FieldWriter()
        .required(
            "devices",
            new FieldWriter()
                .list("results", allocation.results(), AllocationCodec::writeResult)
                .list("config", allocation.config(), ConfigurationCodec::writeOfAllocation)
                .done())
        .optional("nodeSelector", allocation.nodeSelector(), NodeSelectorCodec::write)
        .optionalText("allocationTimestamp", allocation.allocationTimestamp())
        .done();
  }

  private static DeviceRequestAllocationResult readResult(FieldReader in) {
    String request = in.text("request");
    return DeviceRequestAllocationResult.of(request, readDevice(in))
        .adminAccess(in.optionalFlag("adminAccess"))
        .tolerations(in.objects("tolerations", TaintCodec::readToleration))
        .bindingConditions(in.texts("bindingConditions"))
        .bindingFailureConditions(in.texts("bindingFailureConditions"))
        .shareId(in.optionalText("shareID"))
        .consumedCapacity(in.quantityMap("consumedCapacity"))
        .skipNodeOperations(in.texts("skipNodeOperations"))
        .build();
  }

  static DeviceId readDevice(FieldReader in) {
    return new DeviceId(in.text("driver"), in.text("pool"), in.text("device"));
  }

  private static Json.Fields writeResult(DeviceRequestAllocationResult result) {
    return new FieldWriter()
        .required("request", result.request())
        .required("driver", result.driver())
        .required("pool", result.pool())
        .required("device", result.device())
        .optionalFlag("adminAccess", result.adminAccess())
        .list("tolerations", result.tolerations(), TaintCodec::writeToleration)
        .texts("bindingConditions", result.bindingConditions())
        .texts("bindingFailureConditions", result.bindingFailureConditions())
        .optionalText("shareID", result.shareId())
        .quantityMap("consumedCapacity", result.consumedCapacity())
        .texts("skipNodeOperations", result.skipNodeOperations())
        .done();
  }
}
