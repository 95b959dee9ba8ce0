package io.dra4j.cel;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelParserFactory;
import dev.cel.parser.CelStandardMacro;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.check.Environment;
import io.dra4j.cel.internal.check.ExpressionChecker;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.library.Functions;
import io.dra4j.selector.SelectorException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Runs tests of the specification through the checker and the evaluator, in one dialect. */
final class SpecificationRunner {

  private static final CelParser PARSER =
      CelParserFactory.standardCelParserBuilder()
          .setOptions(CelOptions.current().enableOptionalSyntax(true).build())
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .addLibraries(
              CelExtensions.optional(), CelExtensions.bindings(), CelExtensions.comprehensions())
          .build();

  private final Dialect dialect;

  SpecificationRunner(Dialect dialect) {
    this.dialect = dialect;
  }

  /** What is wrong with the answer, or nothing. */
  Optional<String> problem(SpecificationCase test) {
    try {
      CheckedExpression checked = checked(test);
      Optional<String> wrongType = wrongType(test, checked);
      if (wrongType.isPresent() || !test.isEvaluated()) {
        return wrongType;
      }
      GeneralProgram.Outcome outcome =
          GeneralProgram.plan(checked, dialect).evaluate(bindings(test));
      Object value = outcome.value();
      if (value == null) {
        return test.expectsError() ? Optional.empty() : Optional.of("error: " + outcome.error());
      }
      Object expected = test.value().map(SpecificationValues::value).orElse(true);
      if (test.expectsError() || !SpecificationValues.equal(expected, value)) {
        return Optional.of(
            "%s of %s instead of %s"
                .formatted(value, value.getClass(), test.expectsError() ? "an error" : expected));
      }
      return Optional.empty();
    } catch (SelectorException | CelValidationException e) {
      return test.expectsError() ? Optional.empty() : Optional.of("error: " + e.getMessage());
    }
  }

  private CheckedExpression checked(SpecificationCase test)
      throws SelectorException, CelValidationException {
    if (!test.isChecked() && test.declarations().isEmpty()) {
      return CheckedTrees.of(PARSER.parse(test.expression()).getAst());
    }
    Map<String, CelType> variables = new HashMap<>();
    Map<String, Functions.Function> functions = new HashMap<>(Functions.all());
    if (dialect.stringsVersion() >= 3) {
      functions.compute("reverse", (name, reverse) -> withTexts(Objects.requireNonNull(reverse)));
    }
    for (TextProto declaration : test.declarations()) {
      String name = declaration.string("name");
      if (declaration.has("ident")) {
        // Without a check of types there is still one that tells which name means what.
        CelType type = type(declaration.message("ident").orElseThrow(), "type");
        variables.put(name, test.isChecked() ? type : SimpleType.DYN);
      } else {
        functions.put(name, function(name, declaration.message("function").orElseThrow()));
      }
    }
    Environment environment =
        new Environment(test.container(), variables, ImmutableMap.copyOf(functions), dialect);
    return new ExpressionChecker(environment, false).check(test.expression());
  }

  private static Functions.Function withTexts(Functions.Function reverse) {
    List<Functions.Overload> overloads = new ArrayList<>(reverse.overloads());
    overloads.add(
        new Functions.Overload(
            "string_reverse", true, List.of(SimpleType.STRING), SimpleType.STRING, true));
    return new Functions.Function(reverse.name(), overloads);
  }

  private static Functions.Function function(String name, TextProto declaration) {
    List<Functions.Overload> overloads = new ArrayList<>();
    for (TextProto overload : declaration.messages("overloads")) {
      List<CelType> parameters =
          overload.messages("params").stream().map(SpecificationValues::type).toList();
      overloads.add(
          new Functions.Overload(
              overload.string("overload_id"),
              overload.word("is_instance_function").equals("true"),
              parameters,
              type(overload, "result_type"),
              true));
    }
    return new Functions.Function(name, overloads);
  }

  private static CelType type(TextProto message, String field) {
    return SpecificationValues.type(message.message(field).orElseThrow());
  }

  private static Optional<String> wrongType(SpecificationCase test, CheckedExpression checked) {
    if (test.deducedType().isEmpty()) {
      return Optional.empty();
    }
    String expected =
        SpecificationValues.format(SpecificationValues.type(test.deducedType().get()));
    String actual = SpecificationValues.format(checked.resultType());
    return expected.equals(actual)
        ? Optional.empty()
        : Optional.of("type " + actual + " instead of " + expected);
  }

  private static Map<String, Object> bindings(SpecificationCase test) {
    Map<String, Object> bindings = new HashMap<>();
    for (TextProto binding : test.test().messages("bindings")) {
      TextProto value =
          binding.message("value").flatMap(entry -> entry.message("value")).orElseThrow();
      bindings.put(binding.string("key"), SpecificationValues.value(value));
    }
    return bindings;
  }
}
