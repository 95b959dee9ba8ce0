package io.dra4j.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledIf("io.dra4j.linux.Privileges#canMakeNamespaces")
class LinkSysctlsTest {

  private NetworkNamespace namespace;

  @BeforeEach
  void open() throws IOException {
    namespace = NetworkNamespace.create();
  }

  @AfterEach
  void close() {
    namespace.close();
  }

  private LinkSysctls link(String name) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(namespace)) {
      route.links().create(NewLink.veth(name, "other"));
    }
    return LinkSysctls.of(namespace, name);
  }

  /** In one read, as the kernel wants it. */
  private String seen(String path) throws IOException {
    return namespace.call(
        () -> {
          try (InputStream file = new FileInputStream("/proc/sys/net/" + path)) {
            byte[] bytes = new byte[100];
            return new String(bytes, 0, file.read(bytes), StandardCharsets.UTF_8).strip();
          }
        });
  }

  @Test
  void areReadAndWrittenInTheNamespace() throws IOException {
    LinkSysctls sysctls = link("veth0");

    sysctls.set("ipv4/conf/arp_ignore", "2");
    sysctls.set("ipv4/neigh/gc_stale_time", "77");

    assertThat(sysctls.get("ipv4/conf/arp_ignore")).isEqualTo("2");
    assertThat(seen("ipv4/conf/veth0/arp_ignore")).isEqualTo("2");
    assertThat(seen("ipv4/neigh/veth0/gc_stale_time")).isEqualTo("77");
    assertThat(seen("ipv4/conf/other/arp_ignore")).isEqualTo("0");
  }

  @Test
  void allAreReadAtOnce() throws IOException {
    LinkSysctls sysctls = link("veth0");
    sysctls.set("ipv4/conf/rp_filter", "2");

    Map<String, String> all = sysctls.getAll();

    assertThat(all)
        .hasSizeGreaterThan(60)
        .containsEntry("ipv4/conf/rp_filter", "2")
        .containsKeys(
            "ipv4/conf/forwarding",
            "ipv4/conf/arp_announce",
            "ipv6/conf/accept_ra",
            "ipv6/conf/accept_dad",
            "ipv6/conf/disable_ipv6",
            "ipv6/conf/addr_gen_mode",
            "ipv6/neigh/ucast_solicit")
        .doesNotContainKey("ipv6/conf/stable_secret"); // not set: EIO
  }

  @ParameterizedTest
  @ValueSource(strings = {"eth0.100", "...", "a.b.c", "über", "all"})
  void namesOfLinksMayHoldDots(String name) throws IOException {
    assumeTrue(
        !name.equals("über") || "UTF-8".equals(System.getProperty("sun.jnu.encoding")),
        "needs a locale with UTF-8 to name the file");
    LinkSysctls sysctls = name.equals("all") ? LinkSysctls.of(namespace, name) : link(name);

    sysctls.set("ipv4/conf/arp_announce", "1");

    assertThat(seen("ipv4/conf/" + name + "/arp_announce")).isEqualTo("1");
    assertThat(sysctls.getAll()).containsEntry("ipv4/conf/arp_announce", "1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "..", "a/b", "../all", "a b", "a\0", "0123456789abcdef", "äöüäöüäö"})
  void whatCannotBeALinkIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinkSysctls.of(namespace, name))
        .withMessage("not a name of a link: '" + name + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "arp_ignore",
        "ipv4/arp_ignore",
        "ipv4/conf/",
        "ipv4/conf/..",
        "ipv4/conf/../all/arp_ignore",
        "ipv4/../conf/arp_ignore",
        "/ipv4/conf/arp_ignore",
        "ipv4/conf/lo/arp_ignore",
        "ipv4/conf/arp ignore"
      })
  void whatCannotBeAParameterIsRefused(String parameter) {
    LinkSysctls sysctls = LinkSysctls.of(namespace, "lo");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> sysctls.get(parameter))
        .withMessage("not a sysctl of a link: '" + parameter + "'");
    assertThatIllegalArgumentException().isThrownBy(() -> sysctls.set(parameter, "1"));
  }

  @Test
  void ofLinksThatAreNotThereThereIsNothing() {
    LinkSysctls sysctls = LinkSysctls.of(namespace, "none");

    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> sysctls.get("ipv4/conf/arp_ignore"))
        .withMessage("open /proc/sys/net/ipv4/conf/none/arp_ignore: ENOENT");
    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(sysctls::getAll)
        .withMessage("list the sysctls of link none: ENOENT");
  }

  @Test
  void anotherDirectoryStandsForThatOfTheKernel(@TempDir Path directory) throws IOException {
    LinkSysctls sysctls = link("veth0");
    Files.createSymbolicLink(directory.resolve("net"), Path.of("/proc/sys/net"));

    namespace.call(
        () -> {
          SysctlFiles files = new SysctlFiles(NativeAccess.system(), directory.toString());
          files.write("net/ipv4/conf/veth0/arp_ignore", "2");
          assertThat(files.read("net/ipv4/conf/veth0/arp_ignore")).isEqualTo("2");
          assertThat(files.list("net/ipv4/conf")).contains("veth0");
          return true;
        });

    assertThat(sysctls.get("ipv4/conf/arp_ignore")).isEqualTo("2");
    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> new SysctlFiles(NativeAccess.system(), "/none").read("net/x"))
        .withMessage("open /none/net/x: ENOENT");
  }

  @Test
  void aReadOnlyDirectoryIsAnErrorThatSaysWhatToMount() throws IOException {
    link("veth0");
    FaultyAccess kernel = FaultyAccess.overSystem();
    SysctlFiles files = new SysctlFiles(kernel.access(), "");
    kernel.failNext("open", 1, Errno.EROFS);

    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> files.write("net/ipv4/conf/veth0/arp_ignore", "1"))
        .withMessage(
            "write /proc/sys/net/ipv4/conf/veth0/arp_ignore: EROFS: /proc/sys is mounted read-only:"
                + " mount the host's /proc/sys/net writable as net in another directory, and set"
                + " the path of that directory in the environment variable DRA4J_SYSCTL_ROOT")
        .satisfies(e -> assertThat(e.is(Errno.EROFS)).isTrue());
  }

  @Test
  void whatTheKernelRefusesIsToldAndTheRestIsWritten() throws IOException {
    LinkSysctls sysctls = link("veth0");
    Map<String, String> values = new LinkedHashMap<>();
    values.put("ipv4/conf/nothing", "1");
    values.put("ipv6/conf/addr_gen_mode", "77");
    values.put("ipv4/conf/arp_notify", "1");

    Map<String, LinuxException> refused = sysctls.setAll(values);

    assertThat(refused).containsOnlyKeys("ipv4/conf/nothing", "ipv6/conf/addr_gen_mode");
    assertThat(refused.values()).extracting(LinuxException::errno).contains(Errno.EINVAL.code());
    assertThat(sysctls.get("ipv4/conf/arp_notify")).isEqualTo("1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sysctls.set("ipv4/conf/arp_notify", "1".repeat(4_096)));
  }
}
