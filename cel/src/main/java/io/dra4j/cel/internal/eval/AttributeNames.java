package io.dra4j.cel.internal.eval;

import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Assigns numbers to the names that programs read. Only a limited number of names get one, because
 * each needs a place in every device, and only names that a device can have. Other names are the
 * same object in all programs, so that a device with a cached value need not compare strings.
 */
public final class AttributeNames {

  private static final int MAX_NUMBERED = 1_024;

  // DeviceMaxDomainLength and DeviceMaxIDLength of resource.k8s.io/v1.
  private static final int MAX_DOMAIN = 63;
  private static final int MAX_ID = 32;

  private final Map<AttributeName, AttributeName> names = new ConcurrentHashMap<>();
  private final Interner<AttributeName> unnumbered = Interners.newWeakInterner();

  AttributeName name(AttributeName.Kind kind, String domain, @Nullable String id) {
    AttributeName plain = new AttributeName(kind, domain, id, AttributeName.UNNUMBERED);
    if (domain.length() > MAX_DOMAIN || (id != null && id.length() > MAX_ID)) {
      return unnumbered.intern(plain);
    }
    AttributeName known = names.get(plain);
    return known != null ? known : add(plain);
  }

  private synchronized AttributeName add(AttributeName plain) {
    int number = 1 + names.size(); // behind the driver
    if (number > MAX_NUMBERED) {
      AttributeName known = names.get(plain);
      return known != null ? known : unnumbered.intern(plain);
    }
    return names.computeIfAbsent(
        plain, name -> new AttributeName(name.kind(), name.domain(), name.id(), number));
  }
}
