package io.dra4j.cel.hostile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Selectors from which the fuzzer starts. */
public final class Seeds {

  private static final List<String> SMALL =
      List.of(
          "device.driver == 'd' && device.attributes['d'].a.startsWith('t')",
          "device.capacity['d'].memory.compareTo(quantity('40Gi')) >= 0",
          "cel.bind(x, device.attributes['d'], has(x.n) ? x.n in [1, 3] : x[?'n'].orValue(1) == 1)",
          "['a', 'b'].exists_one(s, s.matches('[a-c]+')) || semver('1.2.3').isLessThan(semver('2.0.0'))",
          "duration('1h30m') < duration('2h') && timestamp('2020-01-01T00:00:00Z').getHours('UTC') == 0",
          "'%s %d %.2f'.format(['a', 1, 2.5]).split(' ', -1).map(x, x + '!').join(',').size() > 0",
          "url('http://a:1/b?c#d').getPort() == '1' && ip('::1').isLoopback() && cidr('10.0.0.0/8').containsIP('10.1.1.1')",
          "{'a': 1, 'c': 2}.all(k, v, type(k) == string || dyn(v) != b'x')",
          "optional.of(1).optMap(x, x + 1).hasValue() && lists.range(5).sortBy(x, -x)[0] == 4");

  private Seeds() {}

  /**
   * Writes each to a file, for Jazzer.
   *
   * @param args the directory
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    int number = 0;
    for (String expression : SMALL) {
      Files.write(
          directory.resolve("seed-" + number++), expression.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Returns the seeds. */
  static List<String> all() {
    return SMALL;
  }
}
