package io.dra4j.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.QualifiedName;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What topologies of slices are made from. */
class SliceDevicesTest {

  /** The names of attributes that an object, or its class, has in fields. */
  private static void collect(Object of, List<QualifiedName> names) throws IllegalAccessException {
    for (Field field : of.getClass().getDeclaredFields()) {
      field.setAccessible(true);
      Object value = field.get(Modifier.isStatic(field.getModifiers()) ? null : of);
      if (value instanceof QualifiedName name) {
        names.add(name);
      } else if (value instanceof Collection<?> several) {
        several.stream()
            .filter(QualifiedName.class::isInstance)
            .forEach(name -> names.add((QualifiedName) name));
      }
    }
  }

  @Test
  void everyAttributeThatIsReadIsAmongThoseThatDecide() throws ReflectiveOperationException {
    List<QualifiedName> names = new ArrayList<>();
    collect(new PlaceReader("gpu.example.com"), names);
    collect(new PublishedKind("gpu.example.com"), names);
    for (Field field : SliceDevices.class.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        field.setAccessible(true);
        if (field.get(null) instanceof QualifiedName name) {
          names.add(name);
        } else if (field.get(null) instanceof List<?> several) {
          several.forEach(name -> names.add((QualifiedName) name));
        }
      }
    }

    assertThat(names)
        .hasSizeGreaterThan(20)
        .allMatch(name -> HostTopology.isMadeFrom(name.toString()))
        .allMatch(name -> HostTopology.isMadeFrom(name.id()));
    assertThat(HostTopology.isMadeFrom("gpu.example.com/uuid")).isFalse();
  }
}
