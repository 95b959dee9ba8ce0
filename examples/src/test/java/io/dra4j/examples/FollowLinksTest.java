package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FollowLinksTest {

  @Test
  void listsTheLinksOfThisHost() {
    assertThatCode(() -> FollowLinks.follow(Duration.ofMillis(1))).doesNotThrowAnyException();
  }
}
