package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceAttribute.BoolValue;
import io.dra4j.model.DeviceAttribute.BoolValues;
import io.dra4j.model.DeviceAttribute.IntValue;
import io.dra4j.model.DeviceAttribute.IntValues;
import io.dra4j.model.DeviceAttribute.NoValue;
import io.dra4j.model.DeviceAttribute.StringValue;
import io.dra4j.model.DeviceAttribute.StringValues;
import io.dra4j.model.DeviceAttribute.VersionValue;
import io.dra4j.model.DeviceAttribute.VersionValues;
import java.util.List;

/**
 * The value of a device attribute: an object with one field, named after the type. If an object has
 * several, the allocator of Kubernetes uses the first list that is not empty, in the order used
 * here, then the first scalar.
 */
final class AttributeCodec {

  private AttributeCodec() {}

  static DeviceAttribute read(FieldReader in) {
    // Every field is read, even if it does not count, so that a wrong type is found in each of
    // them.
    List<Long> ints = in.integers("ints");
    List<Boolean> bools = in.flags("bools");
    List<String> strings = in.texts("strings");
    List<String> versions = in.texts("versions");
    Long number = in.optionalInteger("int");
    Boolean flag = in.optionalFlag("bool");
    String string = in.optionalText("string");
    String version = in.optionalText("version");
    if (!ints.isEmpty()) {
      return new IntValues(ints);
    } else if (!bools.isEmpty()) {
      return new BoolValues(bools);
    } else if (!strings.isEmpty()) {
      return new StringValues(strings);
    } else if (!versions.isEmpty()) {
      return new VersionValues(versions);
    } else if (number != null) {
      return in.shared(new IntValue(number));
    } else if (flag != null) {
      return new BoolValue(flag);
    } else if (string != null) {
      return in.shared(new StringValue(string));
    } else if (version != null) {
      return in.shared(new VersionValue(version));
    }
    return readEmptyList(in);
  }

  /** Reads an empty list: a selector sees it, and only without it the attribute has no value. */
  private static DeviceAttribute readEmptyList(FieldReader in) {
    if (in.has("ints")) {
      return new IntValues(List.of());
    } else if (in.has("bools")) {
      return new BoolValues(List.of());
    } else if (in.has("strings")) {
      return new StringValues(List.of());
    } else if (in.has("versions")) {
      return new VersionValues(List.of());
    }
    return new NoValue();
  }

  static Json.Fields write(DeviceAttribute attribute) {
    FieldWriter out = new FieldWriter();
    if (attribute instanceof IntValue value) {
      out.required("int", value.value());
    } else if (attribute instanceof BoolValue value) {
      out.required("bool", value.value() ? Json.Flag.TRUE : Json.Flag.FALSE);
    } else if (attribute instanceof StringValue value) {
      out.required("string", value.value());
    } else if (attribute instanceof VersionValue value) {
      out.required("version", value.value());
    } else if (attribute instanceof IntValues list) {
      out.required("ints", list.values(), number -> new Json.Num(number.toString()));
    } else if (attribute instanceof BoolValues list) {
      out.required("bools", list.values(), flag -> flag ? Json.Flag.TRUE : Json.Flag.FALSE);
    } else if (attribute instanceof StringValues list) {
      out.required("strings", list.values(), Json.Text::new);
    } else if (attribute instanceof VersionValues list) {
      out.required("versions", list.values(), Json.Text::new);
    }
    return out.done();
  }
}
