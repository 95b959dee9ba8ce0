package io.dra4j.dranet.config;

import io.dra4j.common.PrintableText;
import io.dra4j.netlink.route.HardwareAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Parses hardware addresses in their usual forms: {@code 02:00:5e:10:00:01}, {@code
 * 02-00-5e-10-00-01}, {@code 0200.5e10.0001}, {@code 02005e100001}; 6, 8 or 20 bytes.
 */
final class MacText {

  private static final Pattern FORM =
      Pattern.compile(
          "\\p{XDigit}{2}(:\\p{XDigit}{2})+|\\p{XDigit}{2}(-\\p{XDigit}{2})+"
              + "|\\p{XDigit}{4}(\\.\\p{XDigit}{4})+|(\\p{XDigit}{2})+");
  private static final List<Integer> LENGTHS = List.of(6, 8, 20);

  private MacText() {}

  static HardwareAddress parse(String text) {
    if (text.length() <= 64 && FORM.matcher(text).matches()) {
      byte[] bytes = HexFormat.of().parseHex(text.replaceAll("[:.-]", ""));
      if (LENGTHS.contains(bytes.length)) {
        return HardwareAddress.of(bytes);
      }
    }
    throw new IllegalArgumentException(
        "'"
            + PrintableText.start(text, 64)
            + "' is not a hardware address of 6, 8 or 20 bytes, such as 02:00:5e:10:00:01");
  }
}
