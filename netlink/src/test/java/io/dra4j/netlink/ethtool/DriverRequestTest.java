package io.dra4j.netlink.ethtool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.linux.FaultyAccess;
import io.dra4j.netlink.LinkKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverRequestTest {

  @ParameterizedTest
  @ValueSource(strings = {"exactly16bytes-x", "ä-of-two-bytes-x"})
  void namesThatNoLinkHasAreRefusedBeforeASocketIsOpened(String name) {
    FaultyAccess kernel = FaultyAccess.overSystem();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> DriverRequest.ask(kernel.access(), LinkKey.of(name)))
        .withMessageContaining("an index or a name of at most 15 bytes: '" + name + "'");
    assertThat(kernel.calls()).isEmpty();
  }
}
