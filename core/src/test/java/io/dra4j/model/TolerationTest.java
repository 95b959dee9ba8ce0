package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code Toleration.ToleratesTaint} of k8s.io/api, line by line. */
class TolerationTest {

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  /** Key, operator, value and effect of the toleration; the taint is k=v:NoSchedule. */
  @ParameterizedTest
  @CsvSource({
    "k, Exists, , , true",
    "k, Exists, , NoSchedule, true",
    "k, Exists, , NoExecute, false",
    "k, Exists, other, , true",
    "j, Exists, , , false",
    ", Exists, , , true",
    ", Exists, , NoExecute, false",
    "k, Equal, v, , true",
    "k, Equal, w, , false",
    "k, Equal, , , false",
    "k, , v, NoSchedule, true",
    "k, , , , false",
    ", , v, , true",
    "k, Lt, 9, , false",
    "k, Gt, 1, , false",
    "k, exists, , , false",
  })
  void itCoversTheTaint(
      @Nullable String key,
      @Nullable String operator,
      @Nullable String value,
      @Nullable String effect,
      boolean covers) {
    Toleration toleration =
        new Toleration(
            orEmpty(key),
            new TolerationOperator(orEmpty(operator)),
            orEmpty(value),
            new TaintEffect(orEmpty(effect)),
            null);
    assertThat(toleration.tolerates(Taint.of("k", "v", TaintEffect.NO_SCHEDULE))).isEqualTo(covers);
  }

  /** The comparison of numbers is behind a gate that is off by default. */
  @Test
  void numbersAreNotCompared() {
    Toleration toleration =
        Toleration.equal("sla", "950").toBuilder().operator(new TolerationOperator("Gt")).build();
    assertThat(toleration.tolerates(Taint.of("sla", "999", TaintEffect.NO_SCHEDULE))).isFalse();
  }

  @Test
  void onlyTwoEffectsKeepPodsAway() {
    assertThat(Taint.of("k", "", TaintEffect.NO_SCHEDULE).keepsAway()).isTrue();
    assertThat(Taint.of("k", "", TaintEffect.NO_EXECUTE).keepsAway()).isTrue();
    assertThat(Taint.of("k", "", TaintEffect.PREFER_NO_SCHEDULE).keepsAway()).isFalse();
    assertThat(Taint.of("k", "", TaintEffect.UNSET).keepsAway()).isFalse();
  }

  @Test
  void aTaintIsWrittenAsKubectlDoes() {
    assertThat(Taint.of("k", "v", TaintEffect.NO_EXECUTE)).hasToString("k=v:NoExecute");
    assertThat(Taint.of("a.b/k", "", TaintEffect.NO_SCHEDULE)).hasToString("a.b/k:NoSchedule");
  }
}
