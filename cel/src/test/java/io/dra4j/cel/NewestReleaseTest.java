package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.common.KubernetesVersion;
import io.dra4j.selector.SelectorException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Names that errors suggest, and costs that know what nested lists and maps hold: as Kubernetes
 * 1.38 has them, whose reference gave the answers.
 */
class NewestReleaseTest {

  private final CelSelectors selectors =
      CelSelectors.create(CelEnvironment.stored(KubernetesVersion.V1_38));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "devise.driver == 'x'|1:1: undeclared reference to 'devise' (did you mean 'device'?)",
        "quantiti('1').isInteger()|1:9: undeclared reference to 'quantiti' (did you mean 'quantity'?)",
        "siez('a') == 1|1:5: undeclared reference to 'siez' (did you mean 'size'?)",
        "'a'.startWith('a')|1:14: undeclared reference to 'startWith' (did you mean 'startsWith'?)",
        "xyzzyplugh == 1|1:1: undeclared reference to 'xyzzyplugh'"
      })
  void unknownNamesComeWithTheNearestKnownOnes(String expression, String error) {
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> selectors.compileSelector(expression))
        .satisfies(
            e ->
                assertThat(String.valueOf(e.getMessage()).lines())
                    .anyMatch(line -> line.endsWith(error)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "device.attributes['a'].b.startsWith('x')|5",
        "[['a'],['bb']].all(x, x.all(y, y == 'a'))|51",
        "{'a': ['b']}.all(k, k == 'a')|46",
        "['aaaaaaaaaaaaaaaaaaaa'].exists(x, x.matches('a+'))|19",
        "[1, 2].map(x, [x]).all(y, y.size() == 1)|80",
        "device.capacity['d'].exists(k, k.contains('mem'))|292",
        "has(device.attributes['a'].b) ? true : false|3"
      })
  void costsKnowTheSizesOfWhatListsHold(String expression, long cost) throws SelectorException {
    assertThat(selectors.compileSelector(expression).maxCost()).isEqualTo(cost);
  }
}
