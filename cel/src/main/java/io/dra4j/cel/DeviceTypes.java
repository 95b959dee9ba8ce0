package io.dra4j.cel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import java.util.Optional;

/** The types that Kubernetes adds to CEL and lets expressions name. */
@SuppressWarnings("Immutable") // the map is immutable, and so are types
final class DeviceTypes implements CelTypeProvider {

  private final ImmutableMap<String, CelType> types =
      Maps.uniqueIndex(
          ImmutableList.of(DeviceValue.TYPE, IpValue.TYPE, CidrValue.TYPE), CelType::name);

  @Override
  public ImmutableList<CelType> types() {
    return types.values().asList();
  }

  @Override
  public Optional<CelType> findType(String typeName) {
    return Optional.ofNullable(types.get(typeName));
  }
}
