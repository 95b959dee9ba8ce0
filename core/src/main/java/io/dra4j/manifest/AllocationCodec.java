package io.dra4j.manifest;

import io.dra4j.model.AllocationResult;
import io.dra4j.model.DeviceRequestAllocationResult;

/** What a claim got: {@code status.allocation}. */
final class AllocationCodec {

  private AllocationCodec() {}

  static AllocationResult read(FieldReader in) {
    return in.object(
        "devices",
        devices ->
            new AllocationResult(
                devices.objects("results", AllocationCodec::readResult),
                devices.objects("config", ConfigurationCodec::readOfAllocation),
                in.optionalObject("nodeSelector", NodeSelectorCodec::read),
                in.time("allocationTimestamp")));
  }

  static Json.Fields write(AllocationResult allocation) {
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
    return new DeviceRequestAllocationResult(
        in.text("request"),
        in.text("driver"),
        in.text("pool"),
        in.text("device"),
        in.optionalFlag("adminAccess"),
        in.objects("tolerations", TaintCodec::readToleration),
        in.texts("bindingConditions"),
        in.texts("bindingFailureConditions"),
        in.optionalText("shareID"),
        in.quantityMap("consumedCapacity"),
        in.texts("skipNodeOperations"));
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
