package io.dra4j.dranet.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterDialectTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      value = {
        "attributes[\"dra.net/type\"].StringValue != \"veth\""
            + "#device.attributes[\"dra.net\"].type != \"veth\"",
        "!(\"dra.net/type\" in attributes) || attributes[\"dra.net/type\"].StringValue != \"veth\""
            + "#!(\"type\" in device.attributes[\"dra.net\"])"
            + " || device.attributes[\"dra.net\"].type != \"veth\"",
        "attributes['dra.net/rdma'].BoolValue && attributes[ 'dra.net/mtu' ] .IntValue > 1500"
            + "#device.attributes[\"dra.net\"].rdma && device.attributes[\"dra.net\"].mtu > 1500",
        "attributes[\"resource.kubernetes.io/pcieRoot\"].StringValue.startsWith(\"pci0000\")"
            + "#device.attributes[\"resource.kubernetes.io\"].pcieRoot.startsWith(\"pci0000\")",
      })
  void filterIsWrittenAsASelector(String filter, String selector) {
    assertThat(FilterDialect.isUsedIn(filter)).isTrue();
    assertThat(FilterDialect.rewrite(filter)).isEqualTo(selector);
  }

  @Test
  void selectorStaysAsItIs() {
    String selector = "device.attributes[\"dra.net\"].type == \"attributes\"";
    assertThat(FilterDialect.isUsedIn(selector)).isFalse();
    assertThat(FilterDialect.rewrite(selector)).isEqualTo(selector);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "size(attributes) > 3",
        "attributes[\"type\"].StringValue == \"a\"",
        "attributes[\"dra.net/type\"] == \"a\"",
        "attributes.exists(a, a == \"dra.net/rdma\")",
      })
  void whatHasNoFormIsRefused(String filter) {
    assertThatThrownBy(() -> FilterDialect.rewrite(filter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("device.attributes[\"DOMAIN\"].NAME");
  }
}
