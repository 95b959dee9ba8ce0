package io.dra4j.cel.internal.check;

import cel.parser.internal.CELParser.CalcContext;
import cel.parser.internal.CELParser.ConditionalAndContext;
import cel.parser.internal.CELParser.ConditionalOrContext;
import cel.parser.internal.CELParser.ConstantLiteralContext;
import cel.parser.internal.CELParser.CreateListContext;
import cel.parser.internal.CELParser.CreateMapContext;
import cel.parser.internal.CELParser.CreateMessageContext;
import cel.parser.internal.CELParser.EscapeIdentContext;
import cel.parser.internal.CELParser.EscapedIdentifierContext;
import cel.parser.internal.CELParser.ExprContext;
import cel.parser.internal.CELParser.ExprListContext;
import cel.parser.internal.CELParser.FieldInitializerListContext;
import cel.parser.internal.CELParser.GlobalCallContext;
import cel.parser.internal.CELParser.IdentContext;
import cel.parser.internal.CELParser.IndexContext;
import cel.parser.internal.CELParser.ListInitContext;
import cel.parser.internal.CELParser.LiteralContext;
import cel.parser.internal.CELParser.LogicalNotContext;
import cel.parser.internal.CELParser.MapInitializerListContext;
import cel.parser.internal.CELParser.MemberCallContext;
import cel.parser.internal.CELParser.MemberExprContext;
import cel.parser.internal.CELParser.NegateContext;
import cel.parser.internal.CELParser.NestedContext;
import cel.parser.internal.CELParser.OptExprContext;
import cel.parser.internal.CELParser.PrimaryExprContext;
import cel.parser.internal.CELParser.RelationContext;
import cel.parser.internal.CELParser.SelectContext;
import cel.parser.internal.CELParser.SimpleIdentifierContext;
import cel.parser.internal.CELParser.StartContext;
import cel.parser.internal.CELParser.UnaryContext;
import io.dra4j.cel.internal.check.MacroErrors.Expansion;
import io.dra4j.cel.internal.check.SyntaxErrors.SyntaxError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/**
 * Visits the parse tree of an expression as cel-go does, even if it is incomplete, and finds errors
 * that the grammar allows: names that are reserved, arguments of macros ({@link MacroErrors}),
 * numbers and texts ({@link TokenErrors}).
 *
 * <p>Source: the visitor in {@code parser/parser.go} of cel-go.
 */
final class TreeErrors {

  private static final Set<String> RESERVED =
      Set.of(
          "as",
          "break",
          "const",
          "continue",
          "else",
          "false",
          "for",
          "function",
          "if",
          "import",
          "in",
          "let",
          "loop",
          "package",
          "namespace",
          "null",
          "return",
          "true",
          "var",
          "void",
          "while");

  private static final String NO_NAME = "unsupported ident kind";

  /** The error of cel-go 0.26 for names in backticks, accepted since 0.29 (in release 1.37). */
  private static final String NO_ESCAPED_NAME = "unsupported syntax: '`'";

  private static final int MAX_DEPTH = 250;

  private final List<SyntaxError> errors;
  private final boolean hasEscapedNames;
  private int depth;

  /** The kinds of parts of an expression in cel-go. */
  enum Kind {
    UNSPECIFIED,
    IDENT,
    SELECT,
    CALL,
    COMPREHENSION,
    LIST,
    MAP,
    STRUCT,
    LITERAL
  }

  /**
   * A part of an expression.
   *
   * @param kind its kind
   * @param name its name, if it is a name
   * @param place the token at which errors show it; null if there is no token
   */
  record Term(Kind kind, String name, @Nullable Token place) {

    boolean isNamed(String wanted) {
      return kind == Kind.IDENT && name.equals(wanted);
    }
  }

  /** Ends the search where expressions are nested too deeply. */
  static final class TooDeep extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooDeep() {
      super(null, null, false, false);
    }
  }

  /** Creates a search for errors; {@code hasEscapedNames} allows names of fields in backticks. */
  TreeErrors(List<SyntaxError> errors, boolean hasEscapedNames) {
    this.errors = errors;
    this.hasEscapedNames = hasEscapedNames;
  }

  /** Looks at an expression; throws {@code TooDeep} if it has too many levels. */
  void visit(StartContext start) {
    Term unused = visit(start.expr());
  }

  private Term visit(@Nullable ParseTree nested) {
    ParseTree tree = unnested(nested);
    boolean level =
        tree instanceof ExprContext
            || tree instanceof RelationContext
            || tree instanceof CalcContext
            || tree instanceof SelectContext
            || tree instanceof MemberCallContext
            || tree instanceof IndexContext;
    if (level && ++depth > MAX_DEPTH) {
      throw new TooDeep();
    }
    Term term = term(tree);
    depth -= level ? 1 : 0;
    return term;
  }

  /** Returns the first part below that is more than its only part. */
  private static @Nullable ParseTree unnested(@Nullable ParseTree nested) {
    ParseTree tree = nested;
    while (true) {
      ParseTree only;
      if (tree instanceof ExprContext expr && expr.op == null) {
        only = expr.e;
      } else if (tree instanceof ConditionalOrContext or && or.ops.isEmpty()) {
        only = or.e;
      } else if (tree instanceof ConditionalAndContext and && and.ops.isEmpty()) {
        only = and.e;
      } else if (tree instanceof RelationContext relation && relation.op == null) {
        only = relation.calc();
      } else if (tree instanceof CalcContext calc && calc.op == null) {
        only = calc.unary();
      } else if (tree instanceof MemberExprContext member) {
        only = member.member();
      } else if (tree instanceof PrimaryExprContext primary) {
        only = primary.primary();
      } else if (tree instanceof NestedContext parentheses) {
        only = parentheses.e;
      } else if (tree instanceof ConstantLiteralContext constant) {
        only = constant.literal();
      } else {
        return tree;
      }
      tree = only;
    }
  }

  @SuppressWarnings("MethodLength") // one case for each rule of the grammar
  private Term term(@Nullable ParseTree tree) {
    if (tree instanceof ExprContext choice) {
      visitAll(choice.e, choice.e1, choice.e2);
      return new Term(Kind.CALL, "", choice.op);
    } else if (tree instanceof ConditionalOrContext or) {
      return logic(or, or.e, or.ops, or.e1, "unexpected character, wanted '||'");
    } else if (tree instanceof ConditionalAndContext and) {
      return logic(and, and.e, and.ops, and.e1, "unexpected character, wanted '&&'");
    } else if (tree instanceof RelationContext relation) {
      visitAll(relation.relation(0), relation.relation(1));
      return new Term(Kind.CALL, "", relation.op);
    } else if (tree instanceof CalcContext calc) {
      visitAll(calc.calc(0), calc.calc(1));
      return new Term(Kind.CALL, "", calc.op);
    } else if (tree instanceof LogicalNotContext not) {
      return repeated(not.ops, not.member());
    } else if (tree instanceof NegateContext negate) {
      return repeated(negate.ops, negate.member());
    } else if (tree instanceof SelectContext select) {
      return select(select);
    } else if (tree instanceof MemberCallContext call) {
      Term target = visit(call.member());
      if (call.id == null) {
        return unspecified(call.getStart());
      }
      List<Term> args = args(call.args);
      return expanded(MacroErrors.member(call.id.getText(), target, args), call.open);
    } else if (tree instanceof IndexContext index) {
      visitAll(index.member());
      if (index.op == null) {
        return unspecified(index.getStart());
      }
      visitAll(index.index);
      return new Term(Kind.CALL, "", index.op);
    } else if (tree instanceof IdentContext name) {
      return checkName(name, name.id)
          ? new Term(Kind.IDENT, dotted(name.leadingDot, name.id), name.id)
          : unspecified(name.getStart());
    } else if (tree instanceof GlobalCallContext call) {
      return checkName(call, call.id)
          ? expanded(MacroErrors.global(dotted(call.leadingDot, call.id), args(call.args)), call.op)
          : unspecified(call.getStart());
    } else if (tree instanceof CreateListContext list) {
      ListInitContext elements = list.elems;
      if (elements != null) {
        elements.elems.forEach(element -> visitAll(element.e));
      }
      return new Term(Kind.LIST, "", list.op);
    } else if (tree instanceof CreateMapContext map) {
      visitEntries(map.entries);
      return new Term(Kind.MAP, "", map.op);
    } else if (tree instanceof CreateMessageContext message) {
      visitFields(message.entries);
      return new Term(Kind.STRUCT, "", message.op);
    } else if (tree instanceof LiteralContext literal) {
      return literal(literal);
    } else if (tree instanceof UnaryContext broken) {
      return new Term(Kind.LITERAL, "", broken.getStart());
    }
    return unspecified(null);
  }

  private void visitAll(@Nullable ParseTree... trees) {
    for (ParseTree tree : trees) {
      Term unused = visit(tree);
    }
  }

  private Term logic(
      ParserRuleContext context,
      @Nullable ParseTree first,
      List<Token> operators,
      List<? extends ParseTree> rest,
      String missing) {
    visitAll(first);
    for (int i = 0; i < operators.size(); i++) {
      if (i >= rest.size()) {
        add(context.getStart(), missing);
        return unspecified(context.getStart());
      }
      visitAll(rest.get(i));
    }
    return new Term(Kind.CALL, "", operators.get(operators.size() / 2)); // of the balanced tree
  }

  /** Two signs are none. */
  private Term repeated(List<Token> operators, @Nullable ParseTree member) {
    Term term = visit(member);
    return operators.size() % 2 == 0 ? term : new Term(Kind.CALL, "", operators.get(0));
  }

  private Term select(SelectContext select) {
    visitAll(select.member());
    if (select.id == null || select.op == null) {
      return unspecified(select.getStart());
    }
    if (!isName(select.id)) {
      add(select.id.getStart(), NO_NAME);
    } else if (isRefusedEscape(select.id)) {
      add(select.id.getStart(), NO_ESCAPED_NAME);
      return unspecified(select.id.getStart());
    }
    return new Term(select.opt != null ? Kind.CALL : Kind.SELECT, "", select.op);
  }

  private List<Term> args(@Nullable ExprListContext list) {
    List<Term> args = new ArrayList<>();
    if (list != null) {
      list.e.forEach(argument -> args.add(visit(argument)));
    }
    return args;
  }

  private Term expanded(Expansion expansion, @Nullable Token place) {
    Term refused = expansion.refused();
    if (refused != null) {
      add(refused.place(), expansion.message());
      return unspecified(refused.place());
    }
    Kind kind = expansion.kind();
    return new Term(kind == null ? Kind.CALL : kind, "", place);
  }

  private void visitEntries(@Nullable MapInitializerListContext list) {
    if (list == null) {
      return;
    }
    for (int i = 0; i < least(list.cols, list.keys, list.values); i++) { // the rest is broken off
      OptExprContext key = list.keys.get(i);
      visitAll(key.e, list.values.get(i));
    }
  }

  private void visitFields(@Nullable FieldInitializerListContext list) {
    if (list == null) {
      return;
    }
    for (int i = 0; i < least(list.cols, list.fields, list.values); i++) {
      if (isRefusedEscape(list.fields.get(i).escapeIdent())) {
        add(list.fields.get(i).escapeIdent().getStart(), NO_ESCAPED_NAME);
      } else if (isName(list.fields.get(i).escapeIdent())) {
        visitAll(list.values.get(i));
      } else {
        add(list.getStart(), NO_NAME);
      }
    }
  }

  private Term literal(LiteralContext literal) {
    String error = TokenErrors.of(literal);
    if (error != null) {
      add(literal.getStart(), error);
    }
    return new Term(
        error == null || TokenErrors.isText(literal) ? Kind.LITERAL : Kind.UNSPECIFIED,
        "",
        literal.getStart());
  }

  private boolean isRefusedEscape(@Nullable EscapeIdentContext name) {
    return !hasEscapedNames && name instanceof EscapedIdentifierContext;
  }

  private static boolean isName(@Nullable EscapeIdentContext name) {
    return name instanceof SimpleIdentifierContext || name instanceof EscapedIdentifierContext;
  }

  private static int least(List<?> some, List<?> more, List<?> others) {
    return Math.min(some.size(), Math.min(more.size(), others.size()));
  }

  private static String dotted(@Nullable Token dot, Token name) {
    return (dot == null ? "" : ".") + name.getText();
  }

  private boolean checkName(ParserRuleContext context, @Nullable Token name) {
    if (name != null && RESERVED.contains(name.getText())) {
      add(context.getStart(), "reserved identifier: " + name.getText());
      return false;
    }
    return name != null;
  }

  private static Term unspecified(@Nullable Token place) {
    return new Term(Kind.UNSPECIFIED, "", place);
  }

  private void add(@Nullable Token place, String message) {
    errors.add(
        place == null
            ? new SyntaxError(1, -1, message) // where nothing was read
            : new SyntaxError(place.getLine(), place.getCharPositionInLine(), message));
  }
}
