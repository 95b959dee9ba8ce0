package io.dra4j.netlink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A host and a pod, a network namespace each, for every test. */
abstract class TwoHosts {

  Host host;
  Host pod;

  @BeforeEach
  final void openBoth() throws IOException {
    host = new Host();
    pod = new Host();
  }

  @AfterEach
  final void closeBoth() {
    pod.close();
    host.close();
  }

  /** Restores {@code nic0} of the host: nothing is left, and a second restoration does nothing. */
  final void isBack(LinkState before) throws IOException {
    assertThat(before.restore(host.namespace, "nic0").left()).isEmpty();
    assertThat(before.changesTo(LinkState.capture(host.namespace, "nic0"))).isEmpty();
    assertThat(before.restore(host.namespace, "nic0")).isEqualTo(new Restoration(0, List.of()));
  }
}
