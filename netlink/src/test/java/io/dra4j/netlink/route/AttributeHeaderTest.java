package io.dra4j.netlink.route;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.dra4j.linux.HeaderCheck;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names and numbers of rtnetlink's attributes, as the kernel's headers have them. */
class AttributeHeaderTest {

  private static final Path HEADERS = Path.of("/usr/include/linux");
  private static final List<String> INCLUDED =
      List.of(
          "if_link.h",
          "if_addr.h",
          "if_bridge.h",
          "if_tunnel.h",
          "veth.h",
          "rtnetlink.h",
          "fib_rules.h",
          "neighbour.h",
          "nexthop.h",
          "net_namespace.h");
  private static final int LAST = 300;

  /** Tables that have the first attributes only, and keep the others as they come. */
  private static final List<String> ENDING_EARLY = List.of("IFLA_GRE_", "IFLA_XDP_");

  private static final List<String> KINDS =
      List.of(
          "macvlan", "ipvlan", "vlan", "vrf", "ipoib", "veth", "vxlan", "bond", "geneve", "bridge",
          "gretap", "hsr", "macsec", "netkit");

  /** Each table by the prefix of its names. */
  private static Map<String, AttributeTable> tables() {
    Map<String, AttributeTable> all = new TreeMap<>();
    all.put("IFLA_", LinkTables.LINK);
    all.put("IFLA_VF_", LinkTables.VF);
    all.put("IFLA_INFO_", LinkTables.INFO);
    all.put("IFLA_XDP_", LinkTables.XDP);
    all.put("IFLA_INET6_", LinkTables.AF_SPEC.in(LinkTables.AF_SPEC.type("INET6")));
    all.put("RTA_", RouteCodec.TABLE);
    all.put("RTAX_", RouteCodec.METRICS);
    all.put("FRA_", RuleCodec.LAYOUT.attributes());
    all.put("IFA_", AddressCodec.LAYOUT.attributes());
    all.put("NDA_", NeighbourCodec.LAYOUT.attributes());
    all.put("NHA_", NextHopCodec.LAYOUT.attributes());
    for (String kind : KINDS) {
      AttributeTable table = LinkTables.ofKind(kind);
      all.put(table.name(1).substring(0, table.name(1).length() - table.word(1).length()), table);
    }
    for (String master : List.of("bridge", "bond", "vrf")) {
      AttributeTable table = LinkTables.ofMember(master);
      all.put(table.name(1).substring(0, table.name(1).length() - table.word(1).length()), table);
    }
    return all;
  }

  private static Map<String, Integer> numbers() {
    Map<String, Integer> all = new TreeMap<>();
    tables()
        .forEach(
            (prefix, table) -> {
              for (int type = 1; type < LAST; type++) {
                if (table.name(type).startsWith(prefix)) {
                  all.put(table.name(type), type);
                }
              }
            });
    return all;
  }

  private static String headers() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String one : INCLUDED) {
      assumeThat(HEADERS.resolve(one)).as("linux-libc-dev").exists();
      text.append(Files.readString(HEADERS.resolve(one))).append('\n');
    }
    return text.toString();
  }

  /** Names that are younger than the compiler's headers are left out. */
  @ParameterizedTest
  @ValueSource(strings = {"x86_64-linux-gnu-gcc", "aarch64-linux-gnu-gcc"})
  void areThoseOfTheCompilerForBothArchitectures(String compiler, @TempDir Path directory)
      throws Exception {
    headers(); // or they are not installed
    StringBuilder includes = new StringBuilder("#include <sys/socket.h>\n");
    INCLUDED.forEach(one -> includes.append("#include <linux/").append(one).append(">\n"));
    HeaderCheck.holds(compiler, includes.toString(), Map.of(), directory);
    Path source = Files.writeString(directory.resolve("headers.c"), includes);
    Process process = new ProcessBuilder(compiler, "-E", source.toString()).start();
    Set<String> named =
        new HashSet<>(
            List.of(new String(process.getInputStream().readAllBytes(), UTF_8).split("\\W+", -1)));
    Map<String, Integer> values = numbers();
    values.keySet().retainAll(named);

    assertThat(values).hasSizeGreaterThan(350);
    HeaderCheck.holds(compiler, includes.toString(), values, directory);
  }

  /** What the headers name in an enumeration of which a table has names, the table has. */
  @Test
  void noneOfTheHeadersIsLeftOut() throws IOException {
    Map<String, Integer> known = numbers();
    Set<String> missing = new TreeSet<>();
    Matcher enumerations =
        Pattern.compile("enum\\s*\\w*\\s*\\{([^}]*)\\}")
            .matcher(headers().replaceAll("(?s)/\\*.*?\\*/", ""));
    while (enumerations.find()) {
      List<String> names = new ArrayList<>();
      for (String word : enumerations.group(1).split(",", -1)) {
        names.add(word.strip().split("\\s|=", 2)[0]);
      }
      if (names.stream().filter(known::containsKey).count() >= 2) {
        names.removeIf(name -> !name.matches("[A-Z][A-Z0-9_]+")); // __..._MAX
        missing.addAll(names);
      }
    }
    missing.removeAll(known.keySet());
    missing.removeIf(
        name -> name.endsWith("_UNSPEC") || name.equals("IFLA_IF_NETNSID")); // an alias
    missing.removeIf(name -> ENDING_EARLY.stream().anyMatch(name::startsWith));

    assertThat(missing).isEmpty();
  }

  private static void named(
      String what, Attributes told, AttributeTable table, Set<String> without) {
    for (int type : told.types()) {
      if (!table.name(type).matches("[A-Z0-9_]+")) {
        without.add(what + " " + type);
      }
    }
  }

  /** What is younger than the headers, this kernel tells. */
  @Test
  @EnabledIf(TestNamespace.MAY)
  void noneThatThisKernelTellsIsLeftOut() throws IOException {
    Set<String> without = new TreeSet<>();
    try (TestNamespace inside = new TestNamespace()) {
      inside.veth("veth0", "veth1");
      for (String line :
          List.of(
              "link add br0 type bridge",
              "link set veth0 master br0",
              "link set veth0 up",
              "link set veth1 up",
              "addr add 192.0.2.1/24 dev veth1",
              "route add 198.51.100.0/24 via 192.0.2.2 mtu 1400",
              "neigh add 192.0.2.3 lladdr 02:00:00:00:00:77 dev veth1",
              "rule add from 192.0.2.0/24 iif veth1 ipproto 6 sport 80 dport 443 lookup 7",
              "rule add tos 0x10 lookup 7",
              "-6 rule add sport 80 lookup 7",
              "nexthop add id 7 via 192.0.2.2 dev veth1")) {
        inside.run("ip", line);
      }
      RouteNetlink route = inside.route;
      for (Link link : TestNamespace.own(route.links().list())) {
        named(
            "IFLA",
            route.links().details(LinkKey.of(link.index())).attributes(),
            LinkTables.LINK,
            without);
        named(link.kind(), link.kindAttributes(), LinkTables.ofKind(link.kind()), without);
        named("port", link.memberAttributes(), LinkTables.ofMember(link.memberKind()), without);
      }
      int dscp = RuleCodec.LAYOUT.attributes().type("DSCP");
      try {
        route.rules().add(Rule.lookup(false, 7).withAttribute(dscp, new byte[] {8}));
      } catch (NetlinkException.Refused e) {
        // before Linux 6.13
      }
      for (Rule one : route.rules().list()) {
        named("FRA", one.attributes(), RuleCodec.LAYOUT.attributes(), without);
      }
      for (Route one : route.routes().list()) {
        named("RTA", one.attributes(), RouteCodec.TABLE, without);
      }
      for (InterfaceAddress one : route.addresses().list()) {
        named("IFA", one.attributes(), AddressCodec.LAYOUT.attributes(), without);
      }
      for (Neighbour one : route.neighbours().list()) {
        named("NDA", one.attributes(), NeighbourCodec.LAYOUT.attributes(), without);
      }
      for (NextHopObject one : route.nextHopObjects().list()) {
        named("NHA", one.attributes(), NextHopCodec.LAYOUT.attributes(), without);
      }
    }
    assertThat(without).isEmpty();
  }
}
