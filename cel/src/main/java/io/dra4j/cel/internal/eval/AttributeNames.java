package io.dra4j.cel.internal.eval;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the names that programs read. Only so many get one, because each costs every device a
 * place, and only those that a device can have; values of others are looked up each time.
 */
public final class AttributeNames {

  private static final int MAX_NUMBERED = 1_024;

  // DeviceMaxDomainLength and DeviceMaxIDLength of resource.k8s.io/v1.
  private static final int MAX_DOMAIN = 63;
  private static final int MAX_ID = 32;

  private final Map<AttributeName, AttributeName> names = new ConcurrentHashMap<>();

  AttributeName name(AttributeName.Kind kind, String domain, @Nullable String id) {
    AttributeName plain = new AttributeName(kind, domain, id, AttributeName.UNNUMBERED);
    if (domain.length() > MAX_DOMAIN || (id != null && id.length() > MAX_ID)) {
      return plain;
    }
    AttributeName known = names.get(plain);
    return known != null ? known : add(plain);
  }

  private synchronized AttributeName add(AttributeName plain) {
    int number = 1 + names.size(); // behind the driver
    if (number > MAX_NUMBERED) {
      return names.getOrDefault(plain, plain);
    }
    return names.computeIfAbsent(
        plain, name -> new AttributeName(name.kind(), name.domain(), name.id(), number));
  }
}
