package io.dra4j.manifest.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.manifest.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A change of an object meets the document that the object was read from. */
class ThreeWayMergeTest {

  private static String merge(String before, String after, String document) {
    return JsonText.write(
        ThreeWayMerge.merge(
            JsonText.parseValid(before),
            JsonText.parseValid(after),
            JsonText.parseValid(document)));
  }

  @ParameterizedTest(name = "{0} to {1} in {2} is {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        // Fields: unchanged, changed, added, removed, unknown, not written down, otherwise spelled.
        "{\"a\":1}|{\"a\":1}|{\"x\":0,\"a\":1.0}|{\"x\":0,\"a\":1.0}",
        "{\"a\":1}|{\"a\":2}|{\"x\":0,\"a\":1.0}|{\"x\":0,\"a\":2}",
        "{\"a\":1}|{\"a\":1,\"b\":2}|{\"x\":0,\"a\":1}|{\"x\":0,\"a\":1,\"b\":2}",
        "{\"a\":1,\"b\":2}|{\"a\":1}|{\"x\":0,\"b\":2,\"a\":1}|{\"x\":0,\"a\":1}",
        "{\"a\":1,\"b\":2}|{\"a\":1,\"b\":3}|{\"a\":1}|{\"a\":1,\"b\":3}",
        "{\"a\":1,\"b\":2}|{\"a\":3,\"b\":2}|{\"a\":1}|{\"a\":3}",
        "{\"a\":1,\"b\":2}|{\"a\":1}|{\"a\":1}|{\"a\":1}",
        "{}|{\"a\":1}|{\"a\":null}|{\"a\":1}",
        "{\"a\":{\"b\":1}}|{\"a\":{\"b\":2}}|{\"a\":{\"x\":0,\"b\":1}}|{\"a\":{\"x\":0,\"b\":2}}",
        "{\"a\":{\"b\":1}}|{\"a\":{\"b\":2}}|{\"a\":null}|{\"a\":{\"b\":2}}",
        // Lists: elements are found again by their value, then by what names them.
        "[1,2,3]|[3,1]|[1.0,2.0,3.0]|[3.0,1.0]",
        "[1,1]|[1]|[1.0,1.00]|[1.0]",
        "[{\"name\":\"a\"},{\"name\":\"b\"}]|[{\"name\":\"b\",\"c\":1}]"
            + "|[{\"name\":\"a\",\"x\":1},{\"name\":\"b\",\"x\":2}]|[{\"name\":\"b\",\"x\":2,\"c\":1}]",
        "[{\"name\":\"a\"}]|[{\"name\":\"b\"}]|[{\"name\":\"a\",\"x\":1}]|[{\"name\":\"b\"}]",
        "[{\"v\":1}]|[{\"v\":2}]|[{\"v\":1,\"x\":1}]|[{\"v\":2,\"x\":1}]",
        "[{\"v\":1}]|[{\"v\":2},{\"v\":3}]|[{\"v\":1,\"x\":1}]|[{\"v\":2},{\"v\":3}]",
        "[{\"key\":\"k\",\"effect\":\"a\"},{\"key\":\"k\",\"effect\":\"b\"}]"
            + "|[{\"key\":\"k\",\"effect\":\"b\",\"v\":1}]"
            + "|[{\"key\":\"k\",\"effect\":\"a\",\"x\":1},{\"key\":\"k\",\"effect\":\"b\",\"x\":2}]"
            + "|[{\"key\":\"k\",\"effect\":\"b\",\"x\":2,\"v\":1}]",
        "[{}]|[{\"name\":\"a\"}]|[null]|[{\"name\":\"a\"}]",
        "[1]|[2]|null|[2]",
      })
  void aChange(String before, String after, String document, String merged) {
    assertThat(merge(before, after, document)).isEqualTo(merged);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatTheRecordKnowsIsAlwaysWhatItSays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 500; i++) {
      Json before = value(random, 3);
      Json after = random.nextInt(3) == 0 ? value(random, 3) : change(before, random);
      // Where the document is what the record knows, the result is what the record says now.
      assertThat(ThreeWayMerge.merge(before, after, before))
          .as("seed %d, round %d", seed, i)
          .isEqualTo(after);
      assertThat(ThreeWayMerge.merge(before, before, after)).isEqualTo(after);
    }
  }

  private static Json value(SplittableRandom random, int depth) {
    int kind = random.nextInt(depth == 0 ? 2 : 4);
    if (kind == 0) {
      return new Json.Num(String.valueOf(random.nextInt(3)));
    } else if (kind == 1) {
      return new Json.Text("t" + random.nextInt(3));
    } else if (kind == 2) {
      List<Json> items = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        items.add(value(random, depth - 1));
      }
      return new Json.Items(items);
    }
    Map<String, Json> fields = new LinkedHashMap<>();
    for (String name : List.of("name", "a", "b")) {
      if (random.nextBoolean()) {
        fields.put(name, value(random, depth - 1));
      }
    }
    return new Json.Fields(fields);
  }

  private static Json change(Json value, SplittableRandom random) {
    if (value instanceof Json.Fields object) {
      Map<String, Json> fields = new LinkedHashMap<>();
      object
          .map()
          .forEach(
              (name, field) -> {
                if (random.nextInt(6) > 0) {
                  fields.put(name, random.nextBoolean() ? field : change(field, random));
                }
              });
      return new Json.Fields(fields);
    } else if (value instanceof Json.Items list) {
      List<Json> items = new ArrayList<>();
      for (Json item : list.list()) {
        if (random.nextInt(5) > 0) {
          items.add(
              random.nextInt(items.size() + 1), random.nextBoolean() ? item : change(item, random));
        }
      }
      return new Json.Items(items);
    }
    return value(random, 1);
  }
}
