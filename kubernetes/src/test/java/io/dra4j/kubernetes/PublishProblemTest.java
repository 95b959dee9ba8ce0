package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.kubernetes.PublishProblem.Kind;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishProblemTest {

  @Test
  void lineOfALogHasPoolAndDevices() {
    assertThat(new PublishProblem(Kind.DENIED, "node-a", List.of(), "denied (403)", Instant.EPOCH))
        .hasToString("ResourceSlices of pool node-a cannot be published yet: denied (403)");
    assertThat(new PublishProblem(Kind.UNAVAILABLE, "", List.of(), "no answer", Instant.EPOCH))
        .hasToString("ResourceSlices cannot be published yet: no answer");
    assertThat(
            new PublishProblem(
                Kind.REFUSED, "node-a", List.of("d1", "d2"), "too long", Instant.EPOCH))
        .hasToString(
            "ResourceSlices of pool node-a, devices d1, d2: refused by the API server: too long");
    assertThat(
            new PublishProblem(
                Kind.DROPPED_FIELDS, "node-a", List.of(), "a gate is off", Instant.EPOCH))
        .hasToString("ResourceSlices of pool node-a: a gate is off");
  }
}
