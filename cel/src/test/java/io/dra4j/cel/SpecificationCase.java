package io.dra4j.cel;

import io.dra4j.cel.internal.library.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A test of the CEL specification, a {@code cel.expr.conformance.test.SimpleTest}.
 *
 * @param name its file, section and name
 * @param test the message
 * @param expectation the message with the expected result: that of the specification, or another
 *     one where Kubernetes answers otherwise
 */
record SpecificationCase(String name, TextProto test, TextProto expectation) {

  /** Whole files that are about what selectors of devices have no use for. */
  private static final Map<String, String> FILES_LEFT_OUT =
      Map.of(
          "proto2", "protobuf messages",
          "proto3", "protobuf messages",
          "proto2_ext", "protobuf extensions",
          "enums", "protobuf enumerations",
          "block_ext", "cel.block, which only optimizers write",
          "math_ext", "math library, which Kubernetes does not offer",
          "encoders_ext", "base64 library, which Kubernetes does not offer");

  private static final Pattern MESSAGE =
      Pattern.compile(
          "TestAllTypes|NestedTestAllTypes|TestRequired|TestAllRequired|cel\\.expr\\.conformance");

  private static final Pattern REVERSED_STRING = Pattern.compile("['\"]\\.reverse\\(\\)");

  static Optional<String> leftOut(String file) {
    return Optional.ofNullable(FILES_LEFT_OUT.get(file));
  }

  /**
   * The cases of a file.
   *
   * @param file its name
   * @param message its content
   * @param otherwise what Kubernetes answers where it does not follow the specification, by name
   */
  static List<SpecificationCase> of(
      String file, TextProto message, Map<String, TextProto> otherwise) {
    List<SpecificationCase> cases = new ArrayList<>();
    for (TextProto section : message.messages("section")) {
      for (TextProto test : section.messages("test")) {
        String name = file + "/" + section.string("name") + "/" + test.string("name");
        cases.add(new SpecificationCase(name, test, otherwise.getOrDefault(name, test)));
      }
    }
    return cases;
  }

  /** Why this case is not run in a dialect, or nothing. */
  Optional<String> leftOut(Dialect dialect) {
    if (MESSAGE.matcher(expression()).find() || namesMessage(test)) {
      return Optional.of("names a protobuf message of the tests");
    }
    if (dialect.stringsVersion() < 3 && REVERSED_STRING.matcher(expression()).find()) {
      return Optional.of("reverse of strings, which Kubernetes does not offer");
    }
    if (!dialect.strict() && expression().contains("::ffff:c0a8:1'")) {
      return Optional.of("IPv6 form of an IPv4 address, which Kubernetes refuses");
    }
    if (test.has("unknown") || test.has("any_unknowns")) {
      return Optional.of("unknown values");
    }
    return Optional.empty();
  }

  String expression() {
    return test.string("expr");
  }

  String container() {
    return test.string("container");
  }

  List<TextProto> declarations() {
    return test.messages("type_env");
  }

  boolean isChecked() {
    return !test.word("disable_check").equals("true");
  }

  boolean isEvaluated() {
    return !test.word("check_only").equals("true");
  }

  boolean expectsError() {
    return expectation.has("eval_error") || expectation.has("any_eval_errors");
  }

  /** The expected value, or nothing if that is true. */
  Optional<TextProto> value() {
    return expectation
        .message("value")
        .or(() -> expectation.message("typed_result").flatMap(typed -> typed.message("result")));
  }

  Optional<TextProto> deducedType() {
    return expectation.message("typed_result").flatMap(typed -> typed.message("deduced_type"));
  }

  @Override
  public String toString() {
    return name + ": " + expression();
  }

  private static boolean namesMessage(TextProto message) {
    for (TextProto.Field field : message.fields()) {
      boolean names =
          switch (field.name()) {
            case "enum_value" -> true;
            case "message_type", "type_value" ->
                MESSAGE.matcher(message.string(field.name())).find();
            default -> MESSAGE.matcher(field.name()).find();
          };
      if (names || (field.value() instanceof TextProto within && namesMessage(within))) {
        return true;
      }
    }
    return false;
  }
}
