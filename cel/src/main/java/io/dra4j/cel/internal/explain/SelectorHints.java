package io.dra4j.cel.internal.explain;

import dev.cel.common.ast.CelConstant;
import io.dra4j.cel.internal.check.ExpressionChecker;
import io.dra4j.cel.internal.explain.DeviceTerms.Term;
import io.dra4j.cel.internal.explain.DeviceTerms.Use;
import io.dra4j.cel.internal.explain.DeviceTerms.Wrapped;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.PrintableText;
import io.dra4j.common.SimilarNames;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.Quantity;
import io.dra4j.model.SemVer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the likely intention of a selector: compares names and literals with those of a device. */
final class SelectorHints {

  private static final String ATTRIBUTES = "attributes";
  private static final String CAPACITY = "capacity";

  private static final List<String> DEVICE_FIELDS =
      List.of("driver", ATTRIBUTES, CAPACITY, "allowMultipleAllocations");

  /** The maximum number of domains in a sentence. */
  private static final int MAX_NAMED = 4;

  /** Functions of versions and quantities with another version or quantity as the argument. */
  private static final Set<String> METHODS = Set.of("compareTo", "isLessThan", "isGreaterThan");

  private static final Set<String> TEXT_FUNCTIONS =
      Set.of("startsWith", "endsWith", "contains", "matches", "indexOf", "split", "find");

  /** The names between a name and its value in a ResourceSlice, or in Go. */
  private static final Set<String> TYPES =
      Set.of(
          "string",
          "int",
          "bool",
          "version",
          "value",
          "StringValue",
          "IntValue",
          "BoolValue",
          "VersionValue",
          "Value");

  /** A version as people write it: with a v, with one or two numbers, with zeros before them. */
  private static final Pattern SHORT_VERSION =
      Pattern.compile("[vV]?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?([-+].*)?");

  /** An amount of bytes: GB is 10^9 of them as the quantity G is, GiB is Gi. */
  private static final Pattern BYTES = Pattern.compile("([0-9.]+[kMGTPE]?i?)B");

  /** The attributes and the capacities, by domain and name, as CEL values. */
  private final Map<String, Map<String, Object>> attributes = new LinkedHashMap<>();

  private final Map<String, Map<String, Object>> capacity = new LinkedHashMap<>();
  private final Set<String> hints = new LinkedHashSet<>();
  private final Set<String> vague = new HashSet<>(); // hints without a proposal
  private final String driver;
  private final HintTrial trial;

  SelectorHints(String driver, Device device, HintTrial trial, Budget budget)
      throws BudgetExceededException {
    this.driver = driver;
    this.trial = trial;
    for (Map.Entry<String, DeviceAttribute> attribute : device.attributes().entrySet()) {
      budget.spend(1);
      put(attributes, driver, attribute.getKey(), attribute.getValue());
    }
    for (Map.Entry<String, DeviceCapacity> amount : device.capacity().entrySet()) {
      budget.spend(1);
      put(capacity, driver, amount.getKey(), amount.getValue().value());
    }
  }

  private static void put(
      Map<String, Map<String, Object>> values, String driver, String name, Object value) {
    QualifiedName qualified = QualifiedName.of(driver, name);
    values
        .computeIfAbsent(qualified.domain(), any -> new LinkedHashMap<>())
        .put(qualified.id(), value);
  }

  /** Examines the places that a part of the expression reads; deciding parts come first. */
  void look(DeviceTerms read) {
    read.terms().forEach(this::look);
    read.uses().forEach(this::look);
    read.wrapped().forEach(this::look);
    read.versions().forEach(this::madeVersion);
    read.quantities().forEach(this::madeQuantity);
    read.unbound().forEach(this::unbound);
  }

  /** Looks for operators of other languages in an expression that does not compile. */
  void lookForOperators(String expression, ExpressionChecker checker) {
    ForeignOperators.in(expression)
        .ifPresent(
            written -> {
              if (trial.works(written.text())) {
                hints.add(written.hint());
              } else if (checker.parsed(written.text()).isPresent()) {
                hints.add("CEL writes " + written.signs()); // and has another mistake
                checker.parsed(written.text()).ifPresent(tree -> look(DeviceTerms.of(tree)));
              }
            });
  }

  /** Examines a string that is converted to a version but is not one. */
  private void madeVersion(String text) {
    if (SemVer.tryParse(text).isPresent()) {
      return;
    }
    String meant = versionOf(text);
    String sentence = "%s is not a version: a version has three numbers, as in 1.2.3";
    if (meant == null) {
      hints.add(sentence.formatted(GoText.quote(text)));
    } else {
      hints.add(sentence.formatted(GoText.quote(text)) + ": write " + version(meant));
    }
  }

  /** Examines a string that is converted to a quantity but is not one. */
  private void madeQuantity(String text) {
    if (Quantity.tryParse(text).isPresent()) {
      return;
    }
    String meant = quantityOf(text);
    String sentence = "%s is not a quantity such as 80Gi or 500M".formatted(GoText.quote(text));
    hints.add(
        meant == null ? sentence : sentence + ": write quantity(" + GoText.quote(meant) + ")");
  }

  /** Returns the version in a string, with 0 for omitted numbers; null if there is none. */
  private static @Nullable String versionOf(String text) {
    String stripped = text.strip();
    Matcher written = SHORT_VERSION.matcher(stripped);
    if (!written.matches()) {
      return SemVer.tryParse(text).isPresent() ? text : null;
    }
    StringBuilder version = new StringBuilder();
    for (int group = 1; group <= 3; group++) {
      String number = written.group(group);
      String digits = number == null ? "0" : number.replaceFirst("^0+(?=\\d)", "");
      version.append(group == 1 ? "" : ".").append(digits);
    }
    String rest = written.group(4) == null ? "" : written.group(4);
    return SemVer.tryParse(version + rest).isPresent() ? version + rest : null;
  }

  /** Returns the quantity in a string, without blanks and the B of bytes, or null. */
  private static @Nullable String quantityOf(String text) {
    if (Quantity.tryParse(text).isPresent()) {
      return text;
    }
    String meant = text.replaceAll("\\s+", "");
    Matcher bytes = BYTES.matcher(meant);
    if (bytes.matches()) {
      meant = bytes.group(1);
    }
    return Quantity.tryParse(meant).isPresent() ? meant : null;
  }

  /** Returns the hints, each once. */
  List<String> hints() {
    return List.copyOf(hints);
  }

  /** Returns the hints with a proposal. */
  List<String> sureHints() {
    return hints.stream().filter(hint -> !vague.contains(hint)).toList();
  }

  /** Returns the value of a place as CEL writes it, or null if the device does not have it. */
  @Nullable String value(Term term) {
    if (term.domain() == null) {
      return GoText.quote(driver);
    }
    Object value = find(term);
    return value == null ? null : text(value);
  }

  private @Nullable Object find(Term term) {
    Map<String, Object> domain = term.domain() == null ? null : of(term.field()).get(term.domain());
    return domain == null || term.id() == null ? null : domain.get(term.id());
  }

  private Map<String, Map<String, Object>> of(String field) {
    return field.equals(ATTRIBUTES) ? attributes : capacity;
  }

  private Set<String> ids(Term term, String domain) {
    return of(term.field()).getOrDefault(domain, Map.of()).keySet();
  }

  private void look(Term term) {
    String domain = term.domain();
    String id = term.id();
    if (domain == null || find(term) != null) {
      return;
    }
    if (id == null) {
      domainAlone(term, domain);
    } else if (domain.indexOf('/') >= 0 || id.indexOf('/') >= 0) {
      qualifiedInOnePlace(term, domain, id);
    } else {
      missing(term, domain, id);
    }
  }

  /** Examines a name of an attribute in the place of the domain. */
  private void domainAlone(Term term, String written) {
    if (of(term.field()).containsKey(written)) {
      return;
    }
    if (written.indexOf('/') >= 0) {
      qualifiedInOnePlace(term, written, null);
      return;
    }
    List<Term> places = placesOf(written);
    if (!places.isEmpty()) {
      hints.add(
          "%s is in the place of the domain: write %s"
              .formatted(GoText.quote(written), written(places)));
      return;
    }
    noDomain(term, written, null);
  }

  private void qualifiedInOnePlace(Term term, String domain, @Nullable String id) {
    boolean inDomain = domain.indexOf('/') >= 0;
    QualifiedName name = QualifiedName.of(inDomain || id == null ? domain : id);
    Term meant = new Term(term.field(), name.domain(), name.id());
    List<Term> places = find(meant) != null ? List.of(meant) : placesOf(name.id());
    hints.add(
        "%s has the domain and the name in one key: write %s"
            .formatted(
                GoText.quote(inDomain || id == null ? domain : id),
                written(places.isEmpty() ? List.of(meant) : places)));
  }

  private void missing(Term term, String domain, String id) {
    String other = term.field().equals(ATTRIBUTES) ? CAPACITY : ATTRIBUTES;
    Term elsewhere = new Term(other, domain, id);
    if (find(elsewhere) != null) {
      hints.add(
          "%s is %s of this device: write %s"
              .formatted(
                  GoText.quote(id),
                  other.equals(CAPACITY)
                      ? "a capacity, not an attribute,"
                      : "an attribute, not a capacity,",
                  elsewhere));
    } else if (!of(term.field()).containsKey(domain)) {
      noDomain(term, domain, id);
    } else {
      List<Term> places = placesOf(id);
      List<String> near = SimilarNames.of(id, ids(term, domain));
      String sentence =
          "this device has no %s %s in the domain %s"
              .formatted(noun(term), GoText.quote(id), GoText.quote(domain));
      if (!places.isEmpty()) {
        hints.add(sentence + ": write " + written(places));
      } else if (!near.isEmpty()) {
        hints.add(
            sentence
                + ": did you mean "
                + written(
                    near.stream().map(name -> new Term(term.field(), domain, name)).toList()));
      } else {
        vague(sentence + "; it has " + some(ids(term, domain)));
      }
    }
  }

  private void noDomain(Term term, String domain, @Nullable String id) {
    String sentence =
        "this device has no %s in the domain %s".formatted(plural(term), GoText.quote(domain));
    List<Term> places = id == null ? List.of() : placesOf(id);
    List<String> near = SimilarNames.of(domain, of(term.field()).keySet());
    if (!places.isEmpty()) {
      hints.add(sentence + ": write " + written(places));
    } else if (!near.isEmpty()) {
      hints.add(
          sentence
              + ": did you mean "
              + written(near.stream().map(name -> new Term(term.field(), name, id)).toList()));
    } else if (of(term.field()).isEmpty()) {
      vague("this device has no " + plural(term));
    } else {
      vague(
          sentence
              + ", only in %s; a selector of another driver's devices begins with device.driver == %s &&"
                  .formatted(some(of(term.field()).keySet()), GoText.quote(domain)));
    }
  }

  private void vague(String hint) {
    hints.add(hint);
    vague.add(hint);
  }

  /** Examines an unknown variable, which may be the name of an attribute. */
  private void unbound(String name) {
    if (name.equals(ATTRIBUTES) || name.equals(CAPACITY)) {
      hints.add("%s is a part of the device: write device.%s".formatted(name, name));
      return;
    }
    List<Term> places = placesOf(name);
    if (!places.isEmpty()) {
      hints.add(
          "%s is %s of this device and must be qualified: write %s"
              .formatted(
                  name,
                  places.get(0).field().equals(ATTRIBUTES) ? "an attribute" : "a capacity",
                  written(places)));
      return;
    }
    List<String> near = SimilarNames.of(name, DEVICE_FIELDS);
    if (!near.isEmpty()) {
      hints.add("a device has no field %s: write device.%s".formatted(name, near.get(0)));
      return;
    }
    for (String field : List.of(ATTRIBUTES, CAPACITY)) {
      of(field).keySet().stream()
          .filter(domain -> domain.startsWith(name + ".") || domain.startsWith(name + "-"))
          .findFirst()
          .ifPresent(
              domain ->
                  hints.add("a domain must be a string in quotes: write " + GoText.quote(domain)));
    }
  }

  /** Returns the only place that a missing name can mean; null if there is none or a second one. */
  private @Nullable Term meant(Term term) {
    String domain = term.domain();
    if (domain == null) {
      return null;
    }
    boolean inDomain = domain.indexOf('/') >= 0;
    String written = term.id() == null || inDomain ? domain : term.id();
    String id = QualifiedName.of(written).id();
    Term elsewhere = new Term(term.field().equals(ATTRIBUTES) ? CAPACITY : ATTRIBUTES, domain, id);
    if (find(elsewhere) != null) {
      return elsewhere;
    }
    List<Term> places = placesOf(id);
    if (places.isEmpty() && term.id() != null) {
      places =
          of(term.field()).containsKey(domain)
              ? SimilarNames.of(id, ids(term, domain)).stream()
                  .map(name -> new Term(term.field(), domain, name))
                  .toList()
              : List.of();
    }
    return places.size() == 1 ? places.get(0) : null;
  }

  /** Examines a comparison. For a missing name, the place that it means is used. */
  private void look(Use written) {
    Term place = find(written.term()) == null ? meant(written.term()) : null;
    Use use =
        place == null
            ? written
            : new Use(
                place, written.operator(), written.function(), written.literal(), written.result());
    Object value = find(use.term());
    if (value instanceof DeviceAttribute.VersionValue version) {
      versionUse(use, version);
    } else if (value instanceof Quantity quantity) {
      quantityUse(use, quantity);
    } else if (value != null
        && !use.isConverted()
        && !isList(value)
        && !kind(value).equals(kind(use.literal()))
        && isComparison(use.operator())) {
      hints.add(otherKind(use, value));
    } else if (value != null
        && !isList(value)
        && use.isConverted()
        && isComparison(use.operator())) {
      hints.add(needlessConversion(use, value));
    }
  }

  private static String otherKind(Use use, Object value) {
    return "%s is %s, %s, and is compared with %s, %s: they %s"
        .formatted(
            use.term(),
            kind(value),
            text(value),
            kind(use.literal()),
            literal(use.literal()),
            orders(use.operator()) ? "cannot be ordered" : "are never equal");
  }

  private static String needlessConversion(Use use, Object value) {
    return "%s is %s, %s, and is compared with a %s: write %s without %s"
        .formatted(
            use.term(),
            kind(value),
            text(value),
            use.function().equals("semver") ? "version" : "quantity",
            literal(use.literal()),
            use.function());
  }

  /** Examines a field of a value: ResourceSlices type it, {@code {string: …}}; selectors do not. */
  private void look(Wrapped read) {
    if (TYPES.contains(read.field()) && find(read.term()) != null) {
      hints.add(
          "a value has no field %2$s in a selector: write %1$s"
              .formatted(read.term(), read.field()));
    }
  }

  private void versionUse(Use use, DeviceAttribute.VersionValue version) {
    if (!isText(use.literal()) || use.function().equals("quantity")) {
      return;
    }
    String subject = "%s is a version, %s".formatted(use.term(), text(version));
    String wanted = use.literal().stringValue();
    String meant = versionOf(wanted);
    if (use.isConverted()) {
      if (meant != null && orders(use.operator())) {
        propose(subject, comparison(use, version(meant), true));
      }
      return; // another hint reports that the string is not a version
    }
    String sentence = subject + ", not a string";
    if (TEXT_FUNCTIONS.contains(use.operator())) {
      hints.add(
          ("%s: %s is a function of strings; compare versions with compareTo, isLessThan, "
                  + "isGreaterThan, major(), minor() or patch()")
              .formatted(sentence, use.operator()));
    } else if (meant == null) {
      hints.add(
          "%s: %s is not a version: a version has three numbers, as in 1.2.3"
              .formatted(sentence, GoText.quote(wanted)));
    } else {
      propose(sentence, comparison(use, version(meant), true));
    }
  }

  private void quantityUse(Use use, Quantity quantity) {
    if (use.function().equals("semver")) {
      return;
    }
    String sentence = "%s is a quantity, %s".formatted(use.term(), text(quantity));
    if (use.isConverted()) {
      String meant = quantityOf(use.literal().stringValue());
      if (meant != null && orders(use.operator())) {
        propose(sentence, comparison(use, "quantity(" + GoText.quote(meant) + ")", false));
      }
      return;
    }
    if (TEXT_FUNCTIONS.contains(use.operator())) {
      hints.add(
          ("%s: %s is a function of strings; compare quantities with compareTo, isLessThan or "
                  + "isGreaterThan")
              .formatted(sentence, use.operator()));
      return;
    }
    CelConstant literal = use.literal();
    String wanted =
        switch (literal.getKind()) {
          case STRING_VALUE -> literal.stringValue();
          case UINT64_VALUE ->
              literal.uint64Value().toString(); // the suffix u would mean a millionth
          default -> literal(literal);
        };
    String meant = quantityOf(wanted);
    if (meant == null) {
      hints.add(
          "%s: %s is not a quantity such as 80Gi or 500M".formatted(sentence, literal(literal)));
    } else {
      propose(sentence, comparison(use, "quantity(" + GoText.quote(meant) + ")", false));
    }
  }

  /** The replacement of a comparison, and the condition that it replaces. */
  private record Proposal(String words, String condition) {}

  /** Adds a hint if its condition has a value on the device. */
  private void propose(String sentence, Proposal proposal) {
    if (trial.works(proposal.condition())) {
      hints.add(sentence + ": " + proposal.words());
    } else {
      vague(sentence);
    }
  }

  private static boolean orders(String operator) {
    return operator.startsWith("_<") || operator.startsWith("_>");
  }

  /**
   * Returns the replacement of a comparison: operators of order work only for numbers and strings.
   */
  private static Proposal comparison(Use use, String wanted, boolean areEqualable) {
    if (METHODS.contains(use.operator())) {
      String call = "%s.%s(%s)".formatted(use.term(), use.operator(), wanted);
      if (!use.operator().equals("compareTo")) {
        return new Proposal("write " + call, call);
      }
      return use.result().isEmpty()
          ? new Proposal("write " + call, call + " == 0")
          : new Proposal("write %s %s".formatted(call, use.result()), call + " " + use.result());
    }
    String sign = use.operator().replace("_", "");
    String compared = "%s.compareTo(%s)".formatted(use.term(), wanted);
    if (orders(use.operator()) || (!areEqualable && sign.endsWith("="))) {
      String condition = "%s %s 0".formatted(compared, sign);
      return new Proposal("write " + condition, condition);
    }
    return areEqualable
        ? new Proposal("compare it with " + wanted, use.term() + " == " + wanted)
        : new Proposal("compare it with " + compared + " == 0", compared + " == 0");
  }

  private static boolean isComparison(String operator) {
    return operator.startsWith("_") || operator.equals("@in");
  }

  private static boolean isText(CelConstant literal) {
    return literal.getKind() == CelConstant.Kind.STRING_VALUE;
  }

  private static boolean isList(Object value) {
    return value instanceof DeviceAttribute.StringValues
        || value instanceof DeviceAttribute.IntValues
        || value instanceof DeviceAttribute.BoolValues
        || value instanceof DeviceAttribute.VersionValues;
  }

  private static String kind(Object value) {
    if (value instanceof DeviceAttribute.StringValue) {
      return "a text";
    } else if (value instanceof DeviceAttribute.BoolValue) {
      return "a Boolean";
    } else if (value instanceof DeviceAttribute.IntValue) {
      return "a number";
    }
    return "a version";
  }

  private static String kind(CelConstant literal) {
    return switch (literal.getKind()) {
      case STRING_VALUE -> "a text";
      case BOOLEAN_VALUE -> "a Boolean";
      case INT64_VALUE, UINT64_VALUE, DOUBLE_VALUE -> "a number";
      default -> "another value";
    };
  }

  private static String literal(CelConstant literal) {
    return switch (literal.getKind()) {
      case STRING_VALUE -> GoText.quote(literal.stringValue());
      case BOOLEAN_VALUE -> String.valueOf(literal.booleanValue());
      case INT64_VALUE -> String.valueOf(literal.int64Value());
      case UINT64_VALUE -> literal.uint64Value() + "u";
      case DOUBLE_VALUE -> String.valueOf(literal.doubleValue());
      default -> "null";
    };
  }

  private static String text(Object value) {
    if (value instanceof DeviceAttribute.StringValue text) {
      return GoText.quote(text.value());
    } else if (value instanceof DeviceAttribute.IntValue number) {
      return String.valueOf(number.value());
    } else if (value instanceof DeviceAttribute.BoolValue truth) {
      return String.valueOf(truth.value());
    } else if (value instanceof DeviceAttribute.VersionValue version) {
      return version(version.value());
    } else if (value instanceof DeviceAttribute.StringValues texts) {
      return list(texts.values(), GoText::quote);
    } else if (value instanceof DeviceAttribute.IntValues numbers) {
      return list(numbers.values(), String::valueOf);
    } else if (value instanceof DeviceAttribute.BoolValues truths) {
      return list(truths.values(), String::valueOf);
    } else if (value instanceof DeviceAttribute.VersionValues versions) {
      return list(versions.values(), SelectorHints::version);
    }
    return "quantity(" + GoText.quote(value.toString()) + ")";
  }

  private static String version(String text) {
    return "semver(" + GoText.quote(text) + ")";
  }

  private static <T> String list(List<T> values, Function<T, String> text) {
    return values.stream().map(text).collect(Collectors.joining(", ", "[", "]"));
  }

  /** Returns the places with a name in any domain of a device, as attribute or capacity. */
  private List<Term> placesOf(String id) {
    List<Term> places = new ArrayList<>();
    for (String field : List.of(ATTRIBUTES, CAPACITY)) {
      of(field)
          .forEach(
              (domain, values) -> {
                if (values.containsKey(id)) {
                  places.add(new Term(field, domain, id));
                }
              });
    }
    return places;
  }

  private static String written(List<Term> places) {
    return places.stream().limit(MAX_NAMED).map(Term::toString).collect(Collectors.joining(" or "));
  }

  private static String some(Set<String> names) {
    return PrintableText.some(names, MAX_NAMED, GoText::quote);
  }

  private static String noun(Term term) {
    return term.field().equals(ATTRIBUTES) ? "attribute" : "capacity";
  }

  private static String plural(Term term) {
    return term.field().equals(ATTRIBUTES) ? "attributes" : "capacities";
  }
}
