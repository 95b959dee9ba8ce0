package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.cel.internal.library.Functions;
import io.dra4j.common.Feature;
import io.dra4j.common.KubernetesVersion;
import io.dra4j.selector.SelectorException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What expressions may use in which release; the table was recorded from the released modules. */
class CelEnvironmentTest {

  private static Set<String> overloads(CelEnvironment environment) {
    return environment.functions().stream()
        .map(CelFunction::overload)
        .collect(Collectors.toCollection(HashSet::new));
  }

  @ParameterizedTest
  @EnumSource(KubernetesVersion.class)
  void aReleaseHasWhatThoseBeforeItHaveAndNoMoreThanTheLast(KubernetesVersion version) {
    Set<String> stored = overloads(CelEnvironment.stored(version));
    Set<String> anew = overloads(CelEnvironment.newExpressions(version, Feature.kubernetes()));
    assertThat(overloads(CelEnvironment.stored(KubernetesVersion.V1_38))).containsAll(stored);
    assertThat(stored).contains("string_split_string", "quantity_is_less_than").containsAll(anew);
    for (KubernetesVersion earlier : KubernetesVersion.values()) {
      if (earlier.compareTo(version) < 0) {
        assertThat(stored).containsAll(overloads(CelEnvironment.stored(earlier)));
      }
    }
  }

  /** The numbers of overloads; a row that the table lost would give an old release too many. */
  @ParameterizedTest
  @CsvSource({
    "V1_32, 316, 314",
    "V1_33, 322, 320",
    "V1_34, 344, 322",
    "V1_35, 344, 344",
    "V1_36, 345, 345",
    "V1_37, 345, 345"
  })
  void aReleaseHasSoManyFunctions(KubernetesVersion version, int stored, int anew) {
    assertThat(CelEnvironment.stored(version).functions()).hasSize(stored);
    assertThat(CelEnvironment.newExpressions(version, Feature.kubernetes()).functions())
        .hasSize(anew);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          V1_33 | V1_34 | true  | [2, 1].sort()[0] == 1
          V1_34 | V1_35 | false | [2, 1].sort()[0] == 1
          V1_34 | V1_35 | false | lists.range(2).sortBy(x, -x)[0] == 1
          V1_32 | V1_33 | true  | isSemver('v1', true)
          V1_33 | V1_34 | false | isSemver('v1', true)
          V1_32 | V1_33 | false | [1].first().hasValue()
          V1_33 | V1_34 | true  | !device.allowMultipleAllocations
          V1_37 | V1_38 | true  | cidr('10.0.0.0/8').isMask()
          """)
  void anExpressionCompilesFromTheReleaseOnThatHasItsFunctions(
      KubernetesVersion before, KubernetesVersion from, boolean stored, String expression)
      throws Exception {
    assertThatThrownBy(() -> in(before, stored).compileSelector(expression))
        .hasMessageStartingWith("compilation failed: ");
    assertThat(in(from, stored).compileSelector(expression).maxCost()).isPositive();
  }

  private static CelSelectors in(KubernetesVersion version, boolean stored) {
    return CelSelectors.create(
        stored
            ? CelEnvironment.stored(version)
            : CelEnvironment.newExpressions(version, Feature.kubernetes()));
  }

  @Test
  void everyFunctionOfTheTableIsDeclared() throws IOException {
    Set<String> declared =
        Functions.all().values().stream()
            .flatMap(
                function -> function.overloads().stream().map(o -> function.name() + " " + o.id()))
            .collect(Collectors.toSet());
    List<String> recorded;
    try (InputStream table =
        Functions.class.getResourceAsStream("/io/dra4j/cel/internal/check/environments.txt")) {
      recorded =
          new String(table.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#") && !line.startsWith("."))
              .map(line -> line.split(" ", -1)[0] + " " + line.split(" ", -1)[1])
              .toList();
    }
    assertThat(recorded).isNotEmpty();
    assertThat(declared).containsAll(recorded);
  }

  /** Escaped names came with cel-go 0.29, which is in Kubernetes 1.37; 0.26 refuses them so. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          device.`driver` == 'a' | 8
          device.attributes['a'].`b` == 1 | 24
          device.?`driver`.hasValue() | 9
          true && has(device.`driver`) | 20
          """)
  void namesInBackticksAreThereSince137(String expression, int column) throws SelectorException {
    for (KubernetesVersion version : KubernetesVersion.values()) {
      CelSelectors selectors = CelSelectors.create(CelEnvironment.stored(version));
      if (version.compareTo(KubernetesVersion.V1_37) < 0) {
        assertThatThrownBy(() -> selectors.compileSelector(expression))
            .isInstanceOf(SelectorException.class)
            .hasMessageContaining("ERROR: <input>:1:" + column + ": unsupported syntax: '`'");
      } else {
        assertThat(selectors.compileSelector(expression)).isNotNull();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(KubernetesVersion.class)
  void aBacktickInATextIsAlwaysTaken(KubernetesVersion version) throws SelectorException {
    CelSelectors selectors = CelSelectors.create(CelEnvironment.stored(version));
    assertThat(selectors.compileSelector("device.driver == '`a`'")).isNotNull();
  }
}
