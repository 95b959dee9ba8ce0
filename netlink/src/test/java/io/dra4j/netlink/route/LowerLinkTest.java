package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.netlink.LinkKey;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What a link is on, and when it has a carrier. */
@EnabledIf(TestNamespace.MAY)
class LowerLinkTest {

  @Test
  void aLinkIsOnThatOfItsOwnNamespaceAndNoPairIsOnItsOtherEnd() throws Exception {
    try (TestNamespace inside = new TestNamespace();
        TestNamespace other = new TestNamespace()) {
      inside.veth("veth0", "veth1");
      inside.run("ip", "link add vxlan7 type vxlan id 7 dev veth1 dstport 4789");
      inside.run("ip", "link add vxlan8 type vxlan id 8 dstport 4790");
      inside.run("ip", "link add mac0 link veth1 type macvlan");
      inside.run("ip", "link add mac1 link veth1 type macvlan");
      Links links = inside.route.links();
      links.change(links.get("mac1"), LinkSettings.none().namespace(other.namespace));
      int index = links.get("veth1").index();

      assertThat(links.get("vxlan7").lowerIndex()).isEqualTo(OptionalInt.of(index));
      assertThat(links.get("mac0").lowerIndex()).isEqualTo(OptionalInt.of(index));
      assertThat(links.get("vxlan8").lowerIndex()).isEmpty();
      assertThat(links.get("veth0").lowerIndex()).isEmpty();
      assertThat(links.get("veth1").lowerIndex()).isEmpty();
      assertThat(other.route.links().get("mac1").parentIndex()).isEqualTo(OptionalInt.of(index));
      assertThat(other.route.links().get("mac1").lowerIndex()).isEmpty();
      assertThat(links.list(LinkQuery.lean()))
          .filteredOn(one -> one.name().equals("vxlan7"))
          .extracting(Link::lowerIndex)
          .containsExactly(OptionalInt.of(index));
    }
  }

  @Test
  void aCarrierIsWaitedForUntilItComesOrTheThreadIsInterrupted() throws Exception {
    try (TestNamespace inside = new TestNamespace()) {
      inside.run("ip", "link add veth0 type veth peer name veth1");
      inside.run("ip", "link set veth0 up");
      Links links = inside.route.links();
      LinkKey link = LinkKey.of("veth0");

      assertThat(links.awaitCarrier(link, Duration.ZERO).hasCarrier()).isFalse();
      Thread.currentThread().interrupt();
      assertThat(links.awaitCarrier(link, Duration.ofMinutes(5)).hasCarrier()).isFalse();
      assertThat(Thread.interrupted()).isTrue();
      inside.run("ip", "link set veth1 up");
      assertThat(links.awaitCarrier(link, Duration.ofMinutes(5)).name()).isEqualTo("veth0");
      assertThat(links.get("veth0").hasCarrier()).isTrue();
    }
  }
}
