package io.dra4j.cel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import io.dra4j.cel.internal.message.WellKnownMessage;
import io.dra4j.cel.internal.value.CidrValue;
import io.dra4j.cel.internal.value.IpValue;
import java.util.Optional;
import java.util.stream.Stream;

/** The types that Kubernetes adds to CEL and lets expressions name, and those of messages. */
@SuppressWarnings("Immutable") // the map is immutable, and so are types
final class DeviceTypes implements CelTypeProvider {

  private final ImmutableMap<String, CelType> types =
      Maps.uniqueIndex(
          ImmutableList.<CelType>builder()
              .add(DeviceValue.TYPE, IpValue.TYPE, CidrValue.TYPE)
              .addAll(
                  Stream.of(WellKnownMessage.values()).map(WellKnownMessage::structure).iterator())
              .build(),
          CelType::name);

  @Override
  public ImmutableList<CelType> types() {
    return types.values().asList();
  }

  @Override
  public Optional<CelType> findType(String typeName) {
    return Optional.ofNullable(types.get(typeName));
  }
}
