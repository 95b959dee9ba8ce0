package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "255.255.255.255, 255.255.255.255",
    "::, ::",
    "::1, ::1",
    "1::, 1::",
    "2001:DB8::1, 2001:db8::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "1:0:0:2:0:0:0:3, 1:0:0:2::3",
    "::ffff:192.0.2.1, ::ffff:192.0.2.1",
    "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
    "fe80::1, fe80::1",
    "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
  })
  void isReadAndWrittenAsRfc5952Says(String text, String canonical) {
    assertThat(IpAddress.parse(text)).hasToString(canonical);
    assertThat(IpAddress.parse(canonical)).isEqualTo(IpAddress.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "256.1.1.1",
        "01.2.3.4",
        "1.2.3.x",
        "-1.2.3.4",
        "1.2.3.",
        ":",
        ":::",
        "1:2",
        "1::2::3",
        "1:2:3:4:5:6:7:8:9",
        "12345::",
        "::g",
        "1:2:3:4:5:6:7:",
        ":1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8::",
        "::1.2.3",
        "1.2.3.4::",
        "fe80::1%eth0",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::٣",
        "localhost",
      })
  void everythingElseIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IpAddress.parse(text))
        .withMessage("not an IP address: '" + text + "'");
  }

  @Test
  void agreesWithTheJdkOnRandomAddresses() throws UnknownHostException {
    Random random = new Random(11);
    for (int i = 0; i < 5_000; i++) {
      byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
      random.nextBytes(bytes);
      for (int zero = random.nextInt(bytes.length); zero < bytes.length; zero += 2) {
        bytes[zero] = 0;
      }
      IpAddress address = IpAddress.of(bytes);
      InetAddress jdk = InetAddress.getByAddress(bytes);

      assertThat(address.toInetAddress()).isEqualTo(jdk);
      assertThat(IpAddress.of(jdk)).isEqualTo(address).hasSameHashCodeAs(address);
      assertThat(IpAddress.parse(address.toString())).isEqualTo(address);
      assertThat(IpAddress.parse(jdk.getHostAddress())).isEqualTo(address);
      assertThat(address.toBytes()).isEqualTo(bytes);
    }
  }

  @Test
  void mappedAddressesStayIpv6() {
    IpAddress mapped = IpAddress.parse("::ffff:192.0.2.1");

    assertThat(mapped).isNotEqualTo(IpAddress.parse("192.0.2.1"));
    assertThat(mapped.toInetAddress().getAddress()).hasSize(16);
  }

  @ParameterizedTest
  @CsvSource({
    "169.254.1.1, true",
    "169.255.0.0, false",
    "fe80::1, true",
    "febf::, true",
    "fec0::, false"
  })
  void linkLocalNetworksAreKnown(String text, boolean linkLocal) {
    assertThat(IpAddress.parse(text).isLinkLocal()).isEqualTo(linkLocal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.1", "10.0.0.1/", "10.0.0.1/33", "::/129", "10.0.0.1/-1", "x/8", "::/1x"})
  void prefixesWithoutALengthThatFitsAreRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> IpPrefix.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "52:54:00:0D:a0:00, 52:54:00:0d:a0:00",
    "80:00:02:08:fe:80:00:00:00:00:00:00:50:6b:4b:03:00:f6:a3:c2,"
        + " 80:00:02:08:fe:80:00:00:00:00:00:00:50:6b:4b:03:00:f6:a3:c2",
  })
  void hardwareAddressesAreReadAndWrittenAsLinuxDoes(String text, String written) {
    assertThat(HardwareAddress.parse(text)).hasToString(written);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5254.000d.a000", "52-54-00-0d-a0-00", "x", "5:4", "52:54:"})
  void hardwareAddressesOfOtherFormsAreRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> HardwareAddress.parse(text));
  }
}
