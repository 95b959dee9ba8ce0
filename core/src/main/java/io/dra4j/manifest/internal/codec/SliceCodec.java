package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.CounterSet;
import io.dra4j.model.ResourcePool;
import io.dra4j.model.ResourceSlice;

/** A {@code ResourceSlice}. */
final class SliceCodec {

  private SliceCodec() {}

  static ResourceSlice read(FieldReader in) {
    return in.object(
        "spec",
        spec ->
            ResourceSlice.named("", spec.text("driver"))
                .metadata(MetadataCodec.read(in))
                .pool(spec.object("pool", SliceCodec::readPool))
                .nodeSelection(NodeSelectorCodec.readSelection(spec))
                .perDeviceNodeSelection(spec.optionalFlag("perDeviceNodeSelection"))
                .devices(spec.objects("devices", DeviceCodec::read))
                .sharedCounters(spec.objects("sharedCounters", SliceCodec::readCounterSet))
                .partitionTypeAttribute(spec.optionalText("partitionTypeAttribute"))
                .skipNodeOperations(spec.texts("skipNodeOperations"))
                .build());
  }

  static Json.Fields write(ResourceSlice slice) {
    FieldWriter spec =
        new FieldWriter()
            .required("driver", slice.driver())
            .required("pool", writePool(slice.pool()));
    NodeSelectorCodec.writeSelection(slice.nodeSelection(), spec);
    spec.list("devices", slice.devices(), DeviceCodec::write)
        .optionalFlag("perDeviceNodeSelection", slice.perDeviceNodeSelection())
        .list("sharedCounters", slice.sharedCounters(), SliceCodec::writeCounterSet)
        .optionalText("partitionTypeAttribute", slice.partitionTypeAttribute())
        .texts("skipNodeOperations", slice.skipNodeOperations());
    return new FieldWriter()
        .required("metadata", MetadataCodec.write(slice.metadata()))
        .required("spec", spec.done())
        .done();
  }

  private static ResourcePool readPool(FieldReader in) {
    return new ResourcePool(
        in.text("name"), in.integer("generation"), in.integer("resourceSliceCount"));
  }

  private static Json.Fields writePool(ResourcePool pool) {
    return new FieldWriter()
        .required("name", pool.name())
        .required("generation", pool.generation())
        .required("resourceSliceCount", pool.resourceSliceCount())
        .done();
  }

  private static CounterSet readCounterSet(FieldReader in) {
    return new CounterSet(in.text("name"), DeviceCodec.readCounters(in));
  }

  private static Json.Fields writeCounterSet(CounterSet set) {
    FieldWriter out = new FieldWriter().required("name", set.name());
    DeviceCodec.writeCounters(set.counters(), out);
    return out.done();
  }
}
