package io.dra4j.cel;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import io.dra4j.cel.CostEstimator.Argument;
import io.dra4j.cel.CostEstimator.CallCost;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What calls cost at worst, without their arguments. Three sources have rules, and the first that
 * has one wins: the extensions of cel-go ({@code ext/lists.go}, {@code ext/sets.go}), Kubernetes
 * ({@code apiserver/pkg/cel/library/cost.go}), and cel-go itself ({@code checker/cost.go}).
 */
final class FunctionCosts {

  /** Of going through a text. */
  private static final double TEXT = 0.1;

  /** Of a regular expression, by its length. */
  private static final double REGEX = 0.25;

  private static final double FORMAT_REGEX_LENGTH = 128;
  private static final long FORMAT_LENGTH = 64;
  private static final long LIST = 10;
  // 4 bytes of IPv4 to 16 of IPv6.
  private static final Estimate ADDRESS = new Estimate(4, 16);
  private static final CallCost ONE = new CallCost(Estimate.ONE);

  /** Of asking an authorizer. Selectors have none: the call then fails, but it costs. */
  static final long AUTHORIZATION = 350_000;

  /** How many requirements there may be in each character of a selector of labels or fields. */
  static final double REQUIREMENTS = 0.5;

  /** Of making one of them. */
  static final long REQUIREMENT = 50;

  private FunctionCosts() {}

  static CallCost of(
      String function, String overload, @Nullable Argument target, List<Argument> args) {
    CallCost cost = ofExtension(function, overload, target, args);
    if (cost == null) {
      cost = ofKubernetes(function, overload, target, args);
    }
    return cost == null ? ofStandard(overload, target, args) : cost;
  }

  private static @Nullable CallCost ofExtension(
      String function, String overload, @Nullable Argument target, List<Argument> args) {
    switch (function) {
      case "sets.contains", "sets.intersects" -> {
        return new CallCost(pairs(args).plus(Estimate.ONE));
      }
      case "sets.equivalent" -> {
        return new CallCost(pairs(args).times(2.0).plus(Estimate.ONE));
      }
      case "lists.range" -> {
        return newList(1, Estimate.fixed(number(args.get(0), Estimate.MAX)));
      }
      default -> {}
    }
    if (target == null) {
      return null;
    }
    return switch (function) {
      case "slice" -> {
        long start = number(args.get(0), 0);
        long end = number(args.get(1), target.sizeOrDeclared().max());
        yield newList(1, Estimate.fixed(end - start));
      }
      case "reverse" -> newList(1, target.sizeOrDeclared());
      case "flatten" -> {
        long depth = args.isEmpty() ? 1 : number(args.get(0), Estimate.MAX);
        yield newList(Estimate.toDouble(depth), target.sizeOrDeclared());
      }
      case "distinct" -> sort("", target);
      case "sort" -> sort(overload, target);
      case "@sortByAssociatedKeys" -> sort(overload, args.get(0));
      default -> null;
    };
  }

  private static Estimate pairs(List<Argument> args) {
    return args.get(0).sizeOrDeclared().times(args.get(1).sizeOrDeclared());
  }

  private static CallCost sort(String overload, Argument list) {
    boolean texts = overload.startsWith("list_string_") || overload.startsWith("list_bytes_");
    Estimate size = list.sizeOrDeclared();
    return newList(texts ? 2 + TEXT : 2, size.times(size));
  }

  private static CallCost newList(double factor, Estimate size) {
    return new CallCost(size.times(factor).plus(Estimate.ONE).plus(Estimate.fixed(LIST)), size);
  }

  /** Returns a number if it is literal; 0 if it is negative. */
  private static long number(Argument argument, long otherwise) {
    Long value = literal(argument);
    return value == null ? otherwise : Math.max(0, value);
  }

  private static @Nullable Long literal(Argument argument) {
    CelExpr expr = argument.expr();
    return expr != null
            && expr.getKind() == Kind.CONSTANT
            && expr.constant().getKind() == CelConstant.Kind.INT64_VALUE
        ? (Long) expr.constant().int64Value()
        : null;
  }

  private static @Nullable CallCost ofKubernetes(
      String function, String overload, @Nullable Argument target, List<Argument> args) {
    return switch (function) {
      case "check" -> new CallCost(Estimate.fixed(AUTHORIZATION));
      case "serviceAccount",
          "path",
          "group",
          "resource",
          "subresource",
          "namespace",
          "name",
          "allowed",
          "reason",
          "error",
          "errored",
          "masked",
          "prefixLength",
          "family",
          "isUnspecified",
          "isLoopback",
          "isLinkLocalMulticast",
          "isLinkLocalUnicast",
          "isGlobalUnicast",
          "format.named",
          "sign",
          "asInteger",
          "isInteger",
          "asApproximateFloat",
          "isGreaterThan",
          "isLessThan",
          "compareTo",
          "add",
          "sub",
          "major",
          "minor",
          "patch",
          "getScheme",
          "getHostname",
          "getHost",
          "getPort",
          "getEscapedPath",
          "getQuery" ->
          ONE;
      case "fieldSelector", "labelSelector" -> {
        Estimate size = args.get(0).sizeOrDeclared();
        Estimate requirements = size.times(REQUIREMENTS).times(REQUIREMENT);
        yield new CallCost(Estimate.fixed(LIST).plus(size.times(TEXT)).plus(requirements));
      }
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes" ->
          target == null ? null : scan(function, target);
      case "url" -> {
        Estimate size = args.get(0).sizeOrDeclared();
        yield new CallCost(size.times(TEXT), size);
      }
      case "lowerAscii", "upperAscii", "substring", "trim" -> {
        if (target == null) {
          yield null;
        }
        Estimate size = target.sizeOrDeclared();
        yield new CallCost(size.times(TEXT), size);
      }
      case "replace" -> target == null ? null : replace(target, args);
      case "split" -> target == null ? null : split(target, args);
      case "join" -> target == null ? null : join(target, args);
      case "find", "findAll" -> {
        if (target == null) {
          yield null;
        }
        Estimate size = target.sizeOrDeclared();
        yield new CallCost(match(size, args.get(0).sizeOrDeclared()), new Estimate(0, size.max()));
      }
      case "ip" ->
          overload.equals("cidr_ip") ? ONE : new CallCost(args.get(0).sizeOrDeclared().times(TEXT));
      case "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" ->
          new CallCost(args.get(0).sizeOrDeclared().times(TEXT));
      case "ip.isCanonical" -> new CallCost(args.get(0).sizeOrDeclared().times(2 * TEXT));
      case "containsIP" -> {
        Estimate cost = ADDRESS.plus(ADDRESS).times(TEXT);
        yield new CallCost(
            overload.equals("cidr_contains_ip_string")
                ? cost.plus(args.get(0).sizeOrDeclared().times(TEXT))
                : cost);
      }
      case "containsCIDR" -> {
        Estimate cost =
            ADDRESS.plus(ADDRESS).times(TEXT).plus(ADDRESS.times(TEXT)).plus(Estimate.ONE);
        yield new CallCost(
            overload.equals("cidr_contains_cidr_string")
                ? cost.plus(args.get(0).sizeOrDeclared().times(TEXT))
                : cost);
      }
      case "validate" ->
          new CallCost(args.get(0).sizeOrDeclared().times(TEXT).times(FORMAT_REGEX_LENGTH * REGEX));
      case "_==_" -> equal(args.get(0), args.get(1));
      default -> null;
    };
  }

  private static CallCost scan(String function, Argument target) {
    Argument element = element(target);
    if (element != null) {
      Estimate each = Estimate.ONE;
      CelKind kind = element.type().kind();
      if (kind == CelKind.STRING || kind == CelKind.BYTES) {
        each = each.plus(element.sizeOrDeclared().times(TEXT));
      }
      return new CallCost(target.sizeOrDeclared().times(each));
    }
    return new CallCost(
        function.equals("includes")
            ? target.sizeOrDeclared().times(Estimate.ONE)
            : target.sizeOrDeclared().times(TEXT));
  }

  /** Returns what a list holds, or null if it is not known to be a list. */
  private static @Nullable Argument element(Argument list) {
    List<CelType> parameters = list.type().parameters();
    if (parameters.isEmpty()) {
      return null;
    }
    FieldPath path = list.path();
    return new Argument(
        null, parameters.get(0), path.length() == 0 ? path : path.copyAnd("@items"), null);
  }

  private static CallCost replace(Argument target, List<Argument> args) {
    Estimate size = target.sizeOrDeclared();
    Estimate old = args.get(0).sizeOrDeclared();
    Estimate replacement = args.get(1).sizeOrDeclared();
    long maxCount = 0;
    long maxKept = 0;
    if (old.min() == 0) {
      maxCount = Estimate.add(size.max(), 1);
      maxKept = size.max();
    } else if (Long.compareUnsigned(replacement.max(), old.min()) <= 0) {
      maxKept = size.max();
    } else {
      maxCount = quotient(size.max(), old.min());
    }
    long minCount = 0;
    long minKept = 0;
    if (old.max() == 0) {
      minCount = Estimate.add(size.min(), 1);
      minKept = size.min();
    } else if (Long.compareUnsigned(old.max(), replacement.min()) <= 0) {
      minKept = size.min();
    } else {
      minCount = quotient(size.min(), old.max());
    }
    Estimate result =
        new Estimate(minCount, maxCount).times(replacement).plus(new Estimate(minKept, maxKept));
    return new CallCost(size.times(2 * TEXT), result);
  }

  private static long quotient(long dividend, long divisor) {
    return Estimate.round(Math.ceil(Estimate.toDouble(dividend) / Estimate.toDouble(divisor)));
  }

  private static CallCost split(Argument target, List<Argument> args) {
    Estimate size = target.sizeOrDeclared();
    Long limit = args.size() > 1 ? literal(args.get(1)) : null;
    return new CallCost(
        size.times(2 * TEXT), new Estimate(0, limit == null ? size.max() : (long) limit));
  }

  private static CallCost join(Argument target, List<Argument> args) {
    Estimate count = target.sizeOrDeclared();
    Estimate size = Estimate.ZERO;
    Argument element = element(target);
    if (element != null) {
      size = count.times(element.sizeOrDeclared());
    }
    if (!args.isEmpty()) {
      Estimate separators =
          new Estimate(
              count.min() == 0 ? 0 : count.min() - 1, count.max() == 0 ? 0 : count.max() - 1);
      size = size.plus(args.get(0).sizeOrDeclared().times(separators));
    }
    return new CallCost(size.times(TEXT), size);
  }

  /** One more than the length, so that the expression counts for an empty text too. */
  private static Estimate match(Estimate text, Estimate regex) {
    return text.plus(Estimate.ONE).times(TEXT).times(regex.times(REGEX));
  }

  private static @Nullable CallCost equal(Argument left, Argument right) {
    CelType type = left.type();
    if (type.kind() != CelKind.OPAQUE || !type.name().equals(right.type().name())) {
      return null;
    }
    return switch (type.name()) {
      case "kubernetes.NamedFormat" -> new CallCost(new Estimate(1, FORMAT_LENGTH).times(TEXT));
      case "kubernetes.URL" -> {
        Estimate size = right.size();
        yield new CallCost(new Estimate(1, size == null ? 1 : size.max()).times(TEXT));
      }
      case "net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver" -> ONE;
      default -> type.name().startsWith("kubernetes.authorization.") ? ONE : null;
    };
  }

  private static CallCost ofStandard(
      String overload, @Nullable Argument target, List<Argument> args) {
    return switch (overload) {
      case "string_format" ->
          target == null ? ONE : new CallCost(target.sizeOrUnknown().times(TEXT));
      case "string_to_bytes" -> {
        Estimate size = args.get(0).sizeOrUnknown();
        yield new CallCost(size.times(TEXT), new Estimate(size.min(), size.max() * 4));
      }
      case "bytes_to_string" -> {
        Estimate size = args.get(0).sizeOrUnknown();
        yield new CallCost(
            size.times(TEXT), new Estimate(Long.divideUnsigned(size.min(), 4), size.max()));
      }
      case "strings_quote" -> {
        Estimate size = args.get(0).sizeOrUnknown();
        yield new CallCost(size.times(TEXT), new Estimate(size.min() + 2, size.max() * 2 + 2));
      }
      case "starts_with_string", "ends_with_string" ->
          new CallCost(args.get(0).sizeOrUnknown().times(TEXT));
      case "in_list" -> new CallCost(args.get(1).sizeOrUnknown().times(1.0));
      case "matches" ->
          new CallCost(match(args.get(0).sizeOrUnknown(), args.get(1).sizeOrUnknown()));
      case "matches_string" ->
          target == null
              ? ONE
              : new CallCost(match(target.sizeOrUnknown(), args.get(0).sizeOrUnknown()));
      case "contains_string" ->
          target == null
              ? ONE
              : new CallCost(
                  target
                      .sizeOrUnknown()
                      .times(TEXT)
                      .times(args.get(0).sizeOrUnknown().times(TEXT)));
      case "add_string", "add_bytes" -> {
        Estimate size = args.get(0).sizeOrUnknown().plus(args.get(1).sizeOrUnknown());
        yield new CallCost(size.times(TEXT), size);
      }
      case "add_list" ->
          new CallCost(Estimate.ONE, args.get(0).sizeOrUnknown().plus(args.get(1).sizeOrUnknown()));
      case "equals",
          "not_equals",
          "less_string",
          "less_equals_string",
          "greater_string",
          "greater_equals_string",
          "less_bytes",
          "less_equals_bytes",
          "greater_bytes",
          "greater_equals_bytes" -> {
        long left = args.get(0).sizeOrUnknown().max();
        long right = args.get(1).sizeOrUnknown().max();
        long max = Long.compareUnsigned(left, right) <= 0 ? left : right;
        yield new CallCost(new Estimate(max == 0 ? 0 : 1, max).times(TEXT));
      }
      default -> ONE;
    };
  }
}
