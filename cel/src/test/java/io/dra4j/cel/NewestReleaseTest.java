package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.common.KubernetesVersion;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Names that errors suggest, costs that know what nested lists and maps hold, and how texts are
 * quoted: as Kubernetes 1.38 has them, whose reference gave the answers.
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
        "has(device.attributes['a'].b) ? true : false|3",
        "optional.of(1) == optional.of(1)|3",
        "optional.of(optional.of(1)) == optional.of(optional.of(1))|1844674407370955268"
      })
  void costsKnowTheSizesOfWhatListsHold(String expression, long cost) throws SelectorException {
    assertThat(selectors.compileSelector(expression).maxCost()).isEqualTo(cost);
  }

  /** Unicode 17 has the letter U+1C89, Unicode 15 does not. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "url('\u1c89') == url('a:')|URL parse error during conversion from string: parse 'X': invalid URI for request",
        "semver('1.2.3-\u1c89') == semver('1.2.3')|Invalid character(s) found in prerelease 'X'"
      })
  void messagesQuoteTheLettersOfTheRelease(String expression, String error) throws Exception {
    Device device = Device.named("d").build();
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> selectors.compileSelector(expression).matches("d", device))
        .withMessageContaining(error.replace('\'', '"').replace("X", "\u1c89"));
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(() -> CelSelectors.create().compileSelector(expression).matches("d", device))
        .withMessageContaining(error.replace('\'', '"').replace("X", "\\u1c89"));
  }

  @Test
  void textsOfListsQuoteTheLettersOfTheRelease() throws Exception {
    String expression = "'%s'.format([['\u1c89']]) == '[\"\u1c89\"]'";
    Device device = Device.named("d").build();
    assertThat(selectors.compileSelector(expression).matches("d", device)).isTrue();
    assertThat(CelSelectors.create().compileSelector(expression).matches("d", device)).isFalse();
  }

  /** A map of capacities becomes a message entry by entry. */
  @Test
  void capacitiesOfAMessageAreConvertedOneByOne() throws Exception {
    Device device = Device.named("d").capacity("d/memory", "80Gi").build();
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(
            () ->
                selectors
                    .compileSelector(
                        "[google.protobuf.Struct{fields: device.capacity['d']}].size() == 1")
                    .matches("d", device))
        .withMessageContaining("type conversion error from 'Quantity' to '*structpb.Value'");
  }

  @Test
  void emptyTextIsAnEmptyRangeAndAnOptionalOneIsNone() throws Exception {
    Device device = Device.named("d").build();
    assertThat(selectors.compileSelector("dyn('').all(x, true)").matches("d", device)).isTrue();
    assertThatExceptionOfType(SelectorException.class)
        .isThrownBy(
            () ->
                selectors.compileSelector("dyn(optional.of('')).all(x, true)").matches("d", device))
        .withMessageContaining("got '*types.Optional', expected iterable type");
  }
}
