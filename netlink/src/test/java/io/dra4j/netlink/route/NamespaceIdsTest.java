package io.dra4j.netlink.route;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.u32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.Recording;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Two who number a namespace at once, in an order that a kernel cannot be made to repeat. */
class NamespaceIdsTest {

  private static final int RTM_NEWNSID = 88;
  private static final int RTM_GETNSID = 90;
  private static final int EEXIST = 17;

  private final Recording answers = new Recording();

  private void asked(NetworkNamespace namespace, int number) {
    byte[] descriptor = attribute(3, u32(namespace.descriptor().number()));
    answers.sent(RTM_GETNSID, 0, new byte[4], descriptor);
    answers.received(RTM_NEWNSID, 0, new byte[4], attribute(1, u32(number)));
  }

  private void refused(NetworkNamespace namespace, int wanted) {
    byte[] descriptor = attribute(3, u32(namespace.descriptor().number()));
    answers.sent(RTM_NEWNSID, MessageFlags.ACK, new byte[4], attribute(1, u32(wanted)), descriptor);
    answers.answered(EEXIST);
  }

  @Test
  void theNumberThatAnotherHasGivenMeanwhileIsTheNumber() throws IOException {
    try (NetworkNamespace namespace = NetworkNamespace.current()) {
      asked(namespace, -1);
      refused(namespace, -1);
      asked(namespace, 5);

      assertThat(ids().assign(namespace)).isEqualTo(5);
    }
  }

  @Test
  void aNumberThatIsAnotherNamespacesIsRefused() throws IOException {
    try (NetworkNamespace namespace = NetworkNamespace.current()) {
      asked(namespace, -1);
      refused(namespace, 7);
      asked(namespace, -1);

      assertThatExceptionOfType(NetlinkException.Exists.class)
          .isThrownBy(() -> ids().assign(namespace, 7));
    }
  }

  private NamespaceIds ids() {
    return RouteNetlink.over(NetlinkSocket.over(answers.play())).namespaceIds();
  }
}
