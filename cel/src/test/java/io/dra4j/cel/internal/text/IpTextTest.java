package io.dra4j.cel.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.io.BaseEncoding;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpTextTest {

  @ParameterizedTest
  @CsvSource({
    "10.1.2.3, 0A010203",
    "::, 00000000000000000000000000000000",
    "::1, 00000000000000000000000000000001",
    "1::, 00010000000000000000000000000000",
    "2001:DB8::a:0, 20010DB80000000000000000000A0000",
    "1:2:3:4:5:6:7:8, 00010002000300040005000600070008",
    "1:2:3:4:5:6:7::, 00010002000300040005000600070000",
    "::ffff:1.2.3.4, 00000000000000000000FFFF01020304",
  })
  void readsAddresses(String text, String bytes) {
    assertThat(BaseEncoding.base16().encode(IpText.address(text).bytes())).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          １.1.1.1         | unexpected character (at "１.1.1.1")
          1.2.3           | IPv4 address too short
          1.2.3.4.5       | IPv4 address too long
          1..2.3          | IPv4 field must have at least one digit (at ".2.3")
          01.2.3.4        | IPv4 field has octet with leading zero
          1.2.3.256       | IPv4 field has value >255
          1               | unable to parse IP
          %eth0           | missing IPv6 address
          fe80::1%        | zone must be a non-empty string
          12345::         | each group must have 4 or less digits (at "12345::")
          1::2::3         | multiple :: in address (at ":3")
          1:2:            | colon must be followed by more characters (at ":")
          1:2             | address string too short
          1:2:3:4:5:6:7:8:9 | trailing garbage after address (at "9")
          1:2:3:4:5:6:7:8:: | the :: must expand to at least one field of zeros
          1:2:3:4::5:6:7:8 | the :: must expand to at least one field of zeros
          1:1.2.3.4       | embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")
          """)
  void saysWhatIsWrongAsGoDoes(String text, String problem) {
    assertThatThrownBy(() -> IpText.address(text))
        .hasMessage("ParseAddr(\"" + text + "\"): " + problem);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0, no '/'",
    "10.0.0.0/33, prefix length out of range",
    "10.0.0.0/08, bad bits after slash: \"08\"",
    "10.0.0.0/+8, bad bits after slash: \"+8\"",
    "fe80::1%1/64, IPv6 zones cannot be present in a prefix",
  })
  void refusesPrefixesAsGoDoes(String text, String problem) {
    assertThatThrownBy(() -> IpText.prefix(text))
        .hasMessage("netip.ParsePrefix(\"" + text + "\"): " + problem);
  }
}
