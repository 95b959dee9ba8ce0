package io.dra4j.cel;

import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.bundle.Cel;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.ListType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.validator.CelAstValidator;
import java.util.Optional;
import java.util.Set;

/**
 * {@code matches} of CEL, and {@code find} and {@code findAll} after {@code regex.go} of the API
 * server's CEL library. The dialect is RE2, whose search time is linear. Patterns written as
 * literals are checked when an expression is compiled.
 */
@SuppressWarnings("Immutable") // the cache only saves time
final class RegexFunctions implements CelAstValidator {

  private static final Set<String> NAMES = Set.of("matches", "find", "findAll");

  private final Cache<String, Pattern> patterns =
      CacheBuilder.newBuilder().maximumSize(256).build();

  void addTo(FunctionLibrary.Builder library) {
    library
        .binding(
            "matches",
            CelFunctionBinding.from("matches", String.class, String.class, this::matches))
        .binding(
            "matches",
            CelFunctionBinding.from("matches_string", String.class, String.class, this::matches))
        .member(
            "find",
            "string_find_string",
            STRING,
            STRING,
            String.class,
            STRING,
            String.class,
            this::find)
        .member(
            "findAll",
            "string_find_all_string",
            ListType.create(STRING),
            STRING,
            String.class,
            STRING,
            String.class,
            (text, regex) -> findAll(text, regex, -1))
        .member(
            "findAll",
            ListType.create(STRING),
            ImmutableList.of(STRING, STRING, INT),
            CelFunctionBinding.from(
                "string_find_all_string_int",
                ImmutableList.of(String.class, String.class, Long.class),
                args -> findAll((String) args[0], (String) args[1], (Long) args[2])));
  }

  @Override
  public void validate(CelNavigableAst ast, Cel cel, IssuesFactory issues) {
    ast.getRoot()
        .allNodes()
        .map(node -> node.expr().callOrDefault())
        .filter(call -> NAMES.contains(call.function()))
        .forEach(call -> patternOf(call).ifPresent(pattern -> validate(pattern, issues)));
  }

  private static Optional<CelExpr> patternOf(CelCall call) {
    int index = call.target().isPresent() ? 0 : 1;
    return call.args().size() <= index
        ? Optional.empty()
        : Optional.of(call.args().get(index))
            .filter(arg -> arg.exprKind().getKind() == CelExpr.ExprKind.Kind.CONSTANT);
  }

  private void validate(CelExpr literal, IssuesFactory issues) {
    try {
      pattern(literal.constant().stringValue());
    } catch (CelInvalidArgumentException e) {
      issues.addError(literal.id(), String.valueOf(e.getMessage()));
    }
  }

  private boolean matches(String text, String regex) {
    return pattern(regex).matcher(text).find();
  }

  private String find(String text, String regex) {
    Matcher matcher = pattern(regex).matcher(text);
    return matcher.find() ? matcher.group() : "";
  }

  private ImmutableList<String> findAll(String text, String regex, long limit) {
    ImmutableList.Builder<String> found = ImmutableList.builder();
    Matcher matcher = pattern(regex).matcher(text);
    int end = -1;
    for (long i = 0; (limit < 0 || i < limit) && matcher.find(); ) {
      // As in Go, an empty match directly behind another one does not count.
      if (matcher.start() != end || matcher.end() != end) {
        found.add(matcher.group());
        i++;
      }
      end = matcher.end();
    }
    return found.build();
  }

  private Pattern pattern(String regex) {
    Pattern pattern = patterns.getIfPresent(regex);
    if (pattern == null) {
      String refusal = RegexSize.refusal(regex);
      if (!refusal.isEmpty()) {
        throw new CelInvalidArgumentException("invalid regular expression: " + refusal);
      }
      try {
        pattern = Pattern.compile(regex);
      } catch (PatternSyntaxException e) {
        throw new CelInvalidArgumentException("invalid regular expression: " + e.getMessage());
      }
      patterns.put(regex, pattern);
    }
    return pattern;
  }
}
