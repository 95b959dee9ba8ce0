package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rule that is deleted goes, and no other goes or stands elsewhere afterwards. */
@EnabledIf(TestNamespace.MAY)
class RulesTest {

  private TestNamespace inside;
  private RouteNetlink route;

  @BeforeEach
  void open() throws IOException {
    inside = new TestNamespace();
    route = inside.route;
  }

  @AfterEach
  void close() {
    inside.close();
  }

  private List<String> shown() throws IOException {
    List<String> shown = new ArrayList<>();
    for (String family : List.of("-4", "-6")) {
      inside
          .run("ip", "-d " + family + " rule show pref 70")
          .lines()
          .forEach(line -> shown.add(family + " " + line.strip()));
    }
    return shown;
  }

  private List<Rule> rules() throws IOException {
    return route.rules().list().stream().filter(one -> one.priority().orElse(0) == 70).toList();
  }

  /** What the kernel takes for each other, for what it compares as 0 it takes for any. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "lookup 10 protocol 4|lookup 10 protocol 0",
        "lookup 10 fwmark 1/0xff|lookup 10 fwmark 0/0xff|lookup 10 fwmark 0/0xff00",
        "lookup 10 tos 0x10|lookup 10",
        "not from 9.9.9.9 lookup 10|from 9.9.9.9 lookup 10",
        "from 9.9.9.9 goto 32766|from 9.9.9.9 goto 32767",
        "lookup 10 ipproto 6 sport 1-5|lookup 10 ipproto 6|lookup 10 sport 9|lookup 10",
        "lookup 10 suppress_prefixlength 1|lookup 10 suppress_prefixlength 0|lookup 10",
        "lookup 10 suppress_ifgroup 1|lookup 10 suppress_ifgroup 0|lookup 10",
        "lookup 10 uidrange 0-0|lookup 10 uidrange 1-5|lookup 10",
        "lookup 10 tun_id 5|lookup 10",
        "l3mdev protocol 4|l3mdev|lookup 10",
        "from 9.9.9.9 iif a lookup 10|to 9.9.9.9 lookup 10|iif b lookup 10|from 9.9.9.9 lookup 11"
            + "|iif a protocol 4 lookup 10|iif a lookup 10 protocol 0|blackhole"
      })
  void eachOfSomeRulesGoesAndLeavesTheOthersInTheirOrder(String lines) throws IOException {
    List<Rule> adding = new ArrayList<>();
    for (String line : lines.split("\\|", -1)) {
      inside.run("ip", "rule add pref 70 " + line);
      adding.addAll(rules());
      inside.run("ip", "rule del pref 70");
      inside.run("ip", "-6 rule add pref 70 " + line.replace("9.9.9.9", "2001:db8::9"));
      adding.addAll(rules());
      inside.run("ip", "-6 rule del pref 70");
    }
    adding.sort(Comparator.comparing(Rule::v6));
    for (int i = 0; i < adding.size(); i++) {
      for (Rule one : adding) {
        route.rules().add(one); // ip adds none that says less than another
      }
      List<String> wanted = shown();
      List<Rule> rules = rules();
      assertThat(rules).hasSameSizeAs(wanted).isEqualTo(adding);

      route.rules().delete(rules.get(i));

      wanted.remove(i);
      assertThat(shown()).as("without %s", adding.get(i)).isEqualTo(wanted);
      route.rules().deleteAll(rules());
      assertThat(shown()).isEmpty();
    }
  }

  @Test
  void someGoAtOnce() throws IOException {
    for (int i = 0; i < 6; i++) {
      inside.run("ip", "rule add pref 70 iif a from 10.0.0." + i + " lookup 10 protocol " + i);
    }
    Rule all = Rule.lookup(false, 10).withPriority(70).withInputLink("a").withProtocol(0);
    route.rules().add(all);
    List<String> wanted = shown();
    List<Rule> rules = rules();

    route.rules().deleteAll(List.of(all, rules.get(2), rules.get(4)));

    wanted.remove(6);
    wanted.remove(4);
    wanted.remove(2);
    assertThat(shown()).isEqualTo(wanted);
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> route.rules().deleteAll(List.of(rules.get(0), all)));
    assertThat(shown()).as("none goes where one is not there").isEqualTo(wanted);
  }

  @Test
  void aRuleIsDeletedAsItWasAdded() throws IOException {
    Rule rule =
        Rule.lookup(false, 10)
            .withPriority(70)
            .withIpProtocol(6)
            .withSourcePorts(new Rule.Range(80, 80))
            .withMark(5, -1)
            .withUsers(new Rule.Range(0, 0));
    route.rules().add(rule);

    route.rules().delete(rule);

    assertThat(shown()).isEmpty();
  }
}
