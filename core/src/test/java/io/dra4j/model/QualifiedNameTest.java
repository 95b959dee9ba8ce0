package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QualifiedNameTest {

  @ParameterizedTest
  @CsvSource({"d/x, d, x", "x, '', x", "d/x/y, d, x/y", "/x, '', x", "d/, d, ''", "'', '', ''"})
  void aNameIsSplitAtItsFirstSlash(String text, String domain, String id) {
    QualifiedName name = QualifiedName.of(text);
    assertThat(name.domain()).isEqualTo(domain);
    assertThat(name.id()).isEqualTo(id);
    assertThat(name).hasToString(text);
  }

  @Test
  void onItsOwnDevicesADriverNeedNotWriteItsDomain() {
    assertThat(QualifiedName.of("drv", "x")).isEqualTo(QualifiedName.of("drv/x"));
    assertThat(QualifiedName.of("drv", "other/x")).isEqualTo(QualifiedName.of("other/x"));
  }

  @Test
  void aValueIsFoundUnderBothSpellingsOfItsDriverOnly() {
    QualifiedName name = QualifiedName.of("drv/x");
    assertThat(name.in("drv", Map.of("drv/x", 1, "x", 2))).isEqualTo(1);
    assertThat(name.in("drv", Map.of("x", 2))).isEqualTo(2);
    assertThat(name.in("other", Map.of("x", 2))).isNull();
    assertThat(name.in("other", Map.of("drv/x", 1, "x", 2))).isEqualTo(1);
    assertThat(QualifiedName.of("x").in("drv", Map.of("drv/x", 1))).isNull();
  }

  @Test
  void aNameMayBeThereTwice() {
    QualifiedName name = QualifiedName.of("drv/x");
    assertThat(name.isTwiceIn("drv", Map.of("drv/x", 1, "x", 2))).isTrue();
    assertThat(name.isTwiceIn("other", Map.of("drv/x", 1, "x", 2))).isFalse();
    assertThat(name.isTwiceIn("drv", Map.of("x", 2))).isFalse();
  }
}
