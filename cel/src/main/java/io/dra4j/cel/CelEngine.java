package io.dra4j.cel;

import com.google.common.base.Utf8;
import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelRuntimeLibrary;
import dev.cel.runtime.Program;
import dev.cel.runtime.RuntimeEquality;
import dev.cel.runtime.RuntimeHelpers;
import dev.cel.validator.CelValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.DurationLiteralValidator;
import dev.cel.validator.validators.TimestampLiteralValidator;
import io.dra4j.model.SelectorException;
import java.util.Optional;

/**
 * cel-java set up as {@code apiserver/pkg/cel/environment/base.go} and {@code
 * dynamic-resource-allocation/cel/compile.go} set up cel-go. Nothing but {@link SelectorException}
 * leaves it, whatever the expression.
 */
final class CelEngine {

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .maxExpressionCodePointSize(Limits.EXPRESSION_BYTES)
          .comprehensionMaxIterations(Limits.ITERATIONS)
          .build();

  /** Checks the type of a result. */
  @FunctionalInterface
  interface ResultCheck {
    void check(CelType type) throws SelectorException;
  }

  private final CelCompiler compiler;
  private final CelRuntime runtime;
  private final CelValidator validator;

  CelEngine() {
    RegexFunctions regex = new RegexFunctions();
    ImmutableList<Object> libraries = libraries(regex);
    CelTypeProvider types = new DeviceTypes();
    this.compiler =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .setTypeProvider(types)
            .addVar("device", DeviceValue.TYPE)
            .addLibraries(only(libraries, CelCompilerLibrary.class))
            .build();
    this.runtime =
        CelRuntimeFactory.plannerRuntimeBuilder()
            .setOptions(OPTIONS)
            .setTypeProvider(types)
            .setStandardFunctions(OperatorFunctions.otherStandardFunctions())
            .addLibraries(only(libraries, CelRuntimeLibrary.class))
            .build();
    this.validator =
        CelValidatorFactory.standardCelValidatorBuilder(compiler, runtime)
            .addAstValidators(
                regex,
                new HomogeneousLiterals(),
                DurationLiteralValidator.INSTANCE,
                TimestampLiteralValidator.INSTANCE)
            .addAstValidators(LiteralConversion.ALL)
            .addAstValidators(new LiteralSize())
            .build();
  }

  /**
   * Compiles an expression.
   *
   * @throws SelectorException if it is not valid
   */
  Program compile(String expression, ResultCheck resultCheck) throws SelectorException {
    int length = length(expression);
    if (length > Limits.EXPRESSION_BYTES) {
      throw new SelectorException(
          "compilation failed: the expression has "
              + length
              + " bytes, more than "
              + Limits.EXPRESSION_BYTES);
    }
    try {
      CelAbstractSyntaxTree ast = compiler.compile(expression).getAst();
      resultCheck.check(ast.getResultType());
      validator.validate(ast).getAst();
      return runtime.createProgram(ast);
    } catch (CelValidationException | CelEvaluationException | RuntimeException e) {
      throw new SelectorException("compilation failed: " + e.getMessage());
    } catch (StackOverflowError e) {
      throw new SelectorException("compilation failed: the expression is nested too deeply");
    }
  }

  /**
   * Evaluates an expression on a device.
   *
   * @throws SelectorException if that fails
   */
  static Object evaluate(Program program, Optional<Object> device) throws SelectorException {
    try {
      return program.eval(name -> name.equals("device") ? device : Optional.empty());
    } catch (CelEvaluationException | RuntimeException e) {
      throw new SelectorException(String.valueOf(e.getMessage()));
    } catch (StackOverflowError e) {
      throw new SelectorException("the expression is nested too deeply");
    }
  }

  private static ImmutableList<Object> libraries(RegexFunctions regex) {
    RuntimeEquality equality = RuntimeEquality.create(RuntimeHelpers.create(), OPTIONS);
    FunctionLibrary.Builder functions = new FunctionLibrary.Builder();
    OperatorFunctions.addTo(functions, equality, OPTIONS);
    StringFunctions.addTo(functions);
    new ListFunctions(new Equality(equality)).addTo(functions);
    regex.addTo(functions);
    QuantityFunctions.addTo(functions);
    SemVerFunctions.addTo(functions);
    IpFunctions.addTo(functions);
    return ImmutableList.of(
        functions.build(),
        CelExtensions.optional(),
        CelExtensions.bindings(),
        CelExtensions.comprehensions(),
        CelExtensions.sets(OPTIONS),
        CelExtensions.lists(),
        CelExtensions.strings(
            CelStringExtensions.Function.CHAR_AT,
            CelStringExtensions.Function.LOWER_ASCII,
            CelStringExtensions.Function.UPPER_ASCII,
            CelStringExtensions.Function.SPLIT,
            CelStringExtensions.Function.SUBSTRING,
            CelStringExtensions.Function.TRIM));
  }

  private static <T> ImmutableList<T> only(ImmutableList<Object> libraries, Class<T> type) {
    return libraries.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .collect(ImmutableList.toImmutableList());
  }

  private static int length(String expression) throws SelectorException {
    try {
      return Utf8.encodedLength(expression);
    } catch (IllegalArgumentException e) {
      throw new SelectorException("compilation failed: " + e.getMessage());
    }
  }
}
