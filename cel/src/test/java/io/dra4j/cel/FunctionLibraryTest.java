package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cel.internal.library.FunctionLibrary;
import io.dra4j.cel.internal.library.Functions;
import io.dra4j.cel.internal.library.Implementation;
import io.dra4j.cel.internal.library.StandardLibrary;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every function that is declared has what belongs to it, and every one that is there is declared.
 */
class FunctionLibraryTest {

  private static final FunctionLibrary LIBRARY = StandardLibrary.create();

  private static List<Functions.Overload> overloads(boolean operators) {
    return Functions.all().values().stream()
        .filter(function -> Functions.isOperator(function.name()) == operators)
        .flatMap(function -> function.overloads().stream())
        .toList();
  }

  @Test
  void everyDeclaredOverloadHasItsCost() {
    assertThat(overloads(false))
        .allSatisfy(
            overload -> assertThat(LIBRARY.cost(overload.id())).as(overload.id()).isNotNull());
  }

  @Test
  void everyDeclaredOverloadHasABodyUnlessThereIsNothingToCallItWith() {
    assertThat(overloads(false))
        .filteredOn(overload -> LIBRARY.overload(overload.id()) == null)
        .allSatisfy(
            overload ->
                assertThat(overload.parameters().get(0).name())
                    .startsWith("kubernetes.authorization."));
  }

  @Test
  void everyBodyBelongsToADeclaredOverload() {
    Set<String> declared =
        overloads(false).stream().map(Functions.Overload::id).collect(Collectors.toSet());
    assertThat(LIBRARY.all().values())
        .extracting(Implementation::id)
        .allSatisfy(id -> assertThat(declared).contains(id));
  }

  @Test
  void theEnvironmentsOfferTheFunctionsThatKubernetesOffersInThem() {
    Set<String> stored = names(CelEnvironment.stored());
    Set<String> anew = names(CelEnvironment.newExpressions(Set.of()));
    assertThat(stored).hasSize(158).contains("split", "includes", "format.dns1123Label", "_&&_");
    assertThat(anew).hasSize(157).doesNotContain("includes");
    assertThat(CelEnvironment.stored().functions())
        .extracting(CelFunction::toString)
        .contains(
            "string.split(string, int) -> list(string)",
            "sets.contains(list(T), list(T)) -> bool",
            "quantity(string) -> kubernetes.Quantity");
  }

  /**
   * What is declared and not in the recorded table counts as there in all releases: whoever
   * declares an overload asks the releases ({@code cel/src/environments/record}), and only then
   * counts it here.
   */
  @Test
  void theReleaseOfEveryOverloadWasAsked() {
    assertThat(CelEnvironment.stored().functions())
        .as("overloads; run cel/src/environments/record for a new one")
        .hasSize(345);
    assertThat(CelEnvironment.newExpressions(Set.of()).functions())
        .as("overloads of new expressions; run cel/src/environments/record for a new one")
        .hasSize(344);
  }

  private static Set<String> names(CelEnvironment environment) {
    return environment.functions().stream().map(CelFunction::name).collect(Collectors.toSet());
  }
}
