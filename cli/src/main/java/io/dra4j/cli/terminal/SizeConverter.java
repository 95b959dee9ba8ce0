package io.dra4j.cli.terminal;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes in their usual forms: {@code 4096}, {@code 512Ki}, {@code 256MiB}, {@code 1G}. */
public final class SizeConverter implements ITypeConverter<Long> {

  private static final Pattern SIZE = Pattern.compile("([0-9]{1,18})(?:([KMGT])(i?))?B?");

  @Override
  public Long convert(String text) {
    Matcher size = SIZE.matcher(text.strip());
    if (size.matches()) {
      String unit = size.group(2);
      long base = unit != null && size.group(3).isEmpty() ? 1_000 : 1_024;
      BigInteger bytes =
          new BigInteger(size.group(1))
              .multiply(BigInteger.valueOf(base).pow(unit == null ? 0 : 1 + "KMGT".indexOf(unit)));
      if (bytes.signum() > 0 && bytes.bitLength() < 64) {
        return bytes.longValueExact();
      }
    }
    throw new TypeConversionException("'" + text + "' is not a size such as 512Ki, 256MiB or 1G");
  }
}
