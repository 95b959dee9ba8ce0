package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.dra4j.linux.Privileges;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.state.LinkState;
import io.dra4j.netlink.state.Obstacle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A namespace with ten thousand links, or a hundred thousand routes, is read whole. */
@EnabledIf(TestNamespace.MAY)
@Tag("exhaustive")
class LargeNamespaceTest {

  private static final int LINKS = 10_000;

  /** 10,000 took between one and four minutes, most of which the kernel needs to take them away. */
  private static final int UPPERS = Integer.getInteger("restored-uppers", 1_000);

  private static final int ROUTES = 100_000;

  private TestNamespace inside;

  @BeforeEach
  void open() throws IOException {
    inside = new TestNamespace();
    ip(List.of("link set lo up", "link add v0 type veth peer name v1", "link set v1 up"));
    ip(List.of("link set v0 up", "addr add 192.0.2.5/24 dev v0"));
  }

  @AfterEach
  void close() {
    inside.close();
  }

  private void ip(List<String> lines) throws IOException {
    Privileges.assumeInstalled("ip");
    inside.namespace.<Boolean>call(
        () -> {
          Process process =
              new ProcessBuilder("ip", "-batch", "-").redirectErrorStream(true).start();
          process
              .getOutputStream()
              .write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
          process.getOutputStream().close();
          String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
          assertThat(process.waitFor()).as(said).isZero();
          return true;
        });
  }

  /** Macvlans cost the kernel least. */
  private void addMacvlans(int count) throws IOException {
    ip(
        IntStream.range(0, count)
            .mapToObj(i -> "link add m" + i + " link v0 type macvlan mode bridge")
            .toList());
  }

  @Test
  void tenThousandLinksAreListedFollowedAndFound() throws IOException {
    addMacvlans(LINKS);

    List<Link> all = inside.route.links().list();
    assertThat(all.stream().map(Link::name).collect(Collectors.toSet()))
        .hasSize(LINKS + 3)
        .contains("lo", "m0", "m" + (LINKS - 1));
    assertThat(inside.route.links().list(LinkQuery.lean().ofKind("macvlan"))).hasSize(LINKS);
    assertThat(inside.route.links().get("m" + (LINKS - 1)).kind()).isEqualTo("macvlan");
    try (LinkCache cache = LinkCache.follow(inside.namespace)) {
      assertThat(cache.snapshot().links()).hasSize(LINKS + 3);
    }
  }

  @Test
  void aLinkWithManyOnItIsRestored() throws IOException {
    addMacvlans(UPPERS);

    LinkState one = LinkState.capture(inside.namespace, "m77");
    assertThat(one.obstacles()).isEmpty();
    assertThat(one.values()).containsEntry("kind", "macvlan");
    assertThat(one.restore(inside.namespace, "m77").left()).isEmpty();
    LinkState below = LinkState.capture(inside.namespace, "v0");
    assertThat(below.obstacles())
        .singleElement()
        .extracting(Obstacle::text, STRING)
        .contains(" more; ");
    assertThat(below.obstacles().get(0).objects()).hasSize(UPPERS);
    ip(List.of("link set v0 mtu 1400"));
    assertThat(below.restore(inside.namespace, "v0").left()).isEmpty();
  }

  @Test
  void aHundredThousandRoutesAreListedAndStoredWithTheirLink() throws IOException {
    ip(
        IntStream.range(0, ROUTES)
            .mapToObj(
                i -> "route add 10.%d.%d.%d/32 dev v0".formatted(i >> 16, i >> 8 & 255, i & 255))
            .toList());

    assertThat(inside.route.routes().list(Route.MAIN_TABLE)).hasSizeGreaterThanOrEqualTo(ROUTES);
    assertThat(inside.route.routes().through(LinkKey.of("v1"))).hasSizeLessThan(10);
    assertThat(LinkState.capture(inside.namespace, "v1").routes()).hasSizeLessThan(10);
    LinkState whole = LinkState.capture(inside.namespace, "v0");
    assertThat(whole.routes()).hasSizeGreaterThanOrEqualTo(ROUTES);
    assertThat(LinkState.parse(whole.toText())).isEqualTo(whole);
    ip(List.of("route del 10.0.0.9/32 dev v0", "route del 10.1.0.9/32 dev v0"));
    assertThat(whole.restore(inside.namespace, "v0").left()).isEmpty();
    assertThat(inside.route.routes().list(Route.MAIN_TABLE)).hasSizeGreaterThanOrEqualTo(ROUTES);
  }
}
