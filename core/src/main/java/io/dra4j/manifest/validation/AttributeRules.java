package io.dra4j.manifest.validation;

import static io.dra4j.manifest.validation.ValidationRule.ATTRIBUTE_LIST_EMPTY;
import static io.dra4j.manifest.validation.ValidationRule.ATTRIBUTE_NAME;
import static io.dra4j.manifest.validation.ValidationRule.ATTRIBUTE_ONE_VALUE;
import static io.dra4j.manifest.validation.ValidationRule.ATTRIBUTE_TEXT_SIZE;
import static io.dra4j.manifest.validation.ValidationRule.ATTRIBUTE_VERSION;
import static io.dra4j.manifest.validation.ValidationRule.DEVICE_VALUES_MAX;

import io.dra4j.manifest.Json;
import io.dra4j.model.SemVer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of the attributes of a device. */
final class AttributeRules {

  private static final List<String> LISTS = List.of("ints", "bools", "strings", "versions");
  private static final List<String> SCALARS = List.of("int", "bool", "string", "version");

  private final AttributeNames names = new AttributeNames();

  /** Checks the attributes of a device; returns whether one of them is a list. */
  boolean check(FieldCursor device) {
    boolean hasList = false;
    int values = 0;
    for (String name : device.map("attributes").keySet()) {
      FieldCursor attribute = device.entry("attributes", name);
      if (!NameFormat.QUALIFIED.accepts(name)) {
        attribute.checkName(ATTRIBUTE_NAME, "", name, NameFormat.QUALIFIED);
      } else {
        names.checkStandard(attribute, "", name);
      }
      hasList |= LISTS.stream().anyMatch(attribute::has);
      values += checkValues(attribute);
      checkTexts(attribute);
    }
    if (values > ApiLimits.ATTRIBUTE_VALUES) {
      device.problem(
          DEVICE_VALUES_MAX,
          "attributes",
          "expected at most "
              + ApiLimits.ATTRIBUTE_VALUES
              + " values in all attributes together, found "
              + values);
    }
    return hasList;
  }

  /** Checks that an attribute has one value or list; returns the number of its values. */
  private static int checkValues(FieldCursor attribute) {
    int inLists = 0;
    List<String> set = new ArrayList<>();
    for (String field : LISTS) {
      if (attribute.has(field)) {
        set.add(field);
        inLists += attribute.size(field);
        if (attribute.list(field).isEmpty() && attribute.get(field) instanceof Json.Items) {
          attribute.problem(ATTRIBUTE_LIST_EMPTY, field, "expected at least one value");
        }
      }
    }
    SCALARS.stream().filter(attribute::has).forEach(set::add);
    if (set.size() != 1) {
      attribute.problem(
          ATTRIBUTE_ONE_VALUE,
          "",
          "expected one of int, bool, string, version, ints, bools, strings and versions, found "
              + (set.isEmpty() ? "none" : String.join(" and ", set)));
    }
    return inLists == 0 ? 1 : inLists;
  }

  private static void checkTexts(FieldCursor attribute) {
    checkText(attribute, "string", attribute.text("string"));
    attribute.texts("strings", (path, text) -> checkText(attribute, path, text));
    checkVersion(attribute, "version", attribute.text("version"));
    attribute.texts("versions", (path, text) -> checkVersion(attribute, path, text));
  }

  private static void checkText(FieldCursor attribute, String path, @Nullable String text) {
    if (text != null && NameFormat.bytes(text) > ApiLimits.ATTRIBUTE_BYTES) {
      attribute.problem(
          ATTRIBUTE_TEXT_SIZE,
          path,
          "expected at most "
              + ApiLimits.ATTRIBUTE_BYTES
              + " bytes, found "
              + NameFormat.bytes(text));
    }
  }

  private static void checkVersion(FieldCursor attribute, String path, @Nullable String text) {
    checkText(attribute, path, text);
    if (text != null
        && (text.length() > ApiLimits.ATTRIBUTE_BYTES || SemVer.tryParse(text).isEmpty())) {
      attribute.problem(
          ATTRIBUTE_VERSION,
          path,
          "expected a version such as 1.2.3, found " + FieldCursor.shown(text));
    }
  }
}
