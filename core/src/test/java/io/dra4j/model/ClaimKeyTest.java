package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimKeyTest {

  @Test
  void aClaimWithoutNamespaceIsInTheDefaultOne() {
    ClaimKey key = ClaimKey.of(ResourceClaim.named("gpus").build());
    assertThat(key).isEqualTo(new ClaimKey("default", "gpus"));
    assertThat(key).hasToString("default/gpus");
  }

  @Test
  void aClaimOfAPodIsInTheNamespaceOfThePod() {
    ObjectMeta pod = ResourceClaim.named("team", "pod").build().metadata();
    assertThat(ClaimKey.of(pod, "gpus")).isEqualTo(new ClaimKey("team", "gpus"));
    assertThat(ClaimKey.of(ObjectMeta.named("pod"), "gpus").namespace()).isEqualTo("default");
  }

  @Test
  void keysAreOrderedByNamespaceThenName() {
    ClaimKey first = new ClaimKey("a", "z");
    ClaimKey second = new ClaimKey("b", "a");
    ClaimKey third = new ClaimKey("b", "b");
    assertThat(List.of(third, first, second).stream().sorted())
        .containsExactly(first, second, third);
  }

  @Test
  void anEmptyNamespaceIsTheDefaultOne() {
    assertThat(new ClaimKey("", "gpus")).isEqualTo(new ClaimKey("default", "gpus"));
    ObjectMeta nowhere = ObjectMeta.named("", "gpus");
    assertThat(new ClaimKey("", "gpus")).isEqualTo(ClaimKey.of(nowhere, "gpus"));
  }
}
