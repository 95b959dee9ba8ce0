package io.dra4j.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists and watches, object by object. */
class ObjectStreamTest {

  private static InputStream json(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  private static List<RawObject> list(String text) throws IOException {
    List<RawObject> objects = new ArrayList<>();
    ObjectStream.list(json(text), token -> {}, objects::add);
    return objects;
  }

  @Test
  void pageHasVersionAndToken() throws IOException {
    List<RawObject> objects = new ArrayList<>();
    List<String> tokens = new ArrayList<>();
    ObjectStream.Page page =
        ObjectStream.list(
            json(
                """
                {"kind":"NodeList","metadata":{"resourceVersion":"7","remainingItemCount":3,
                "continue":"next"},"items":[
                {"metadata":{"name":"a","namespace":"n","resourceVersion":"5","labels":{"name":"x"}},
                 "spec":{"metadata":{"name":"other"}}},
                {"metadata":{"name":"b"}}],"more":[1,{"a":2}]}
                """),
            token -> tokens.add(token + " before object " + objects.size()),
            objects::add);
    assertThat(tokens).containsExactly("next before object 0");
    assertThat(page).isEqualTo(new ObjectStream.Page("7", "next"));
    assertThat(objects).extracting(RawObject::displayName).containsExactly("n/a", "b");
    assertThat(objects).extracting(RawObject::resourceVersion).containsExactly("5", "");
  }

  @Test
  void objectIsWhatItWasWithoutManagedFields() throws IOException {
    RawObject object =
        list("""
                {"items":[{"metadata":{"managedFields":[{"f":{"a":1}}],"name":"a"},
                "spec":{"managedFields":[1.50,12345678901234567890123,"\\u00e9\\n",null,true], "s":{ }}}]}
                """)
            .get(0);
    assertThat(new String(object.json(), UTF_8))
        .isEqualTo(
            "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"managedFields\":"
                + "[1.50,12345678901234567890123,\"\\u00e9\\n\",null,true], \"s\":{ }}}");
  }

  @Test
  void emptyListsAreLists() throws IOException {
    assertThat(list("{\"items\":[]}")).isEmpty();
    assertThat(list("{\"items\":null}")).isEmpty();
  }

  @Test
  void whatIsNoListIsRefused() {
    for (String text :
        List.of(
            "",
            "[]",
            "{}",
            "{\"kind\":\"Status\"}",
            "{\"items\":[",
            "{\"items\":[{\"metadata\":{\"name\":\"a\"",
            "{\"items\":[{}]",
            "{\"items\":[1]}",
            "{\"items\":[{\"a\":}]}",
            "{\"items\":[{\"a\":\"x\n\"}]}",
            "{\"items\":[{},,{}]}",
            "{\"items\":[{\"a\":1 \"b\":2}]}",
            "<html>")) {
      assertThatThrownBy(() -> list(text)).as(text).isInstanceOf(IOException.class);
    }
  }

  @Test
  void objectThatIsTooLargeIsNamedAndLeftOut() throws IOException {
    String large = "x".repeat(RawObject.MAX_BYTES / 4);
    List<RawObject> objects =
        list(
            "{\"items\":[{\"metadata\":{\"name\":\"a\"},\"s\":[\"%s\",\"%s\",\"%s\",\"%s\"]},{\"metadata\":{\"name\":\"b\"}}]}"
                .formatted(large, large, large, large));
    assertThat(objects).extracting(RawObject::name).containsExactly("a", "b");
    assertThat(objects).extracting(RawObject::isTooLarge).containsExactly(true, false);
  }

  @Test
  void depthOfAnObjectIsForItsReader() throws IOException {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);
    List<RawObject> objects =
        list("{\"items\":[{\"a\":%s,\"metadata\":{\"name\":\"a\"}},{}]}".formatted(deep));
    assertThat(objects).extracting(RawObject::name).containsExactly("a", "");
    assertThat(objects.get(0).json()).hasSizeGreaterThan(200_000);
  }

  @Test
  void whatIsWrongWithinAnObjectIsForItsReader() throws IOException {
    List<RawObject> objects =
        list(
            """
            {"items":[{"metadata":{"name":"a"},"s":tru},{"s":{"x" 1,},"metadata":{"name":"b"}},
            {"metadata":{"name":"\\u0063","resourceVersion":7,"x":"]}\\"{["}}]}
            """);
    assertThat(objects).extracting(RawObject::name).containsExactly("a", "b", "c");
    assertThat(new String(objects.get(0).json(), UTF_8))
        .isEqualTo("{\"metadata\":{\"name\":\"a\"},\"s\":tru}");
  }

  @Test
  void valuesMayLieAcrossReads() throws IOException {
    String text =
        """
        {"metadata":{"continue":"t\\"o"},"items":[{"metadata":{"managedFields":[{"a":"}]"}],
        "name":"n","resourceVersion":"5"},"a":-1.5e3,"b":["x\\\\",{}],"c":true},{"metadata":{}}]}
        """;
    List<RawObject> whole = list(text);
    InputStream slow =
        new FilterInputStream(json(text)) {
          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            return super.read(bytes, offset, 1);
          }
        };
    List<RawObject> objects = new ArrayList<>();
    assertThat(ObjectStream.list(slow, token -> {}, objects::add).next()).isEqualTo("t\"o");
    assertThat(objects).hasSize(2);
    for (int i = 0; i < 2; i++) {
      assertThat(objects.get(i).json()).isEqualTo(whole.get(i).json());
    }
    assertThat(new String(objects.get(0).json(), UTF_8))
        .isEqualTo(
            "{\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"5\"},\"a\":-1.5e3,"
                + "\"b\":[\"x\\\\\",{}],\"c\":true}");
  }

  @Test
  void watchHasEventsInOrder() throws IOException, ClusterException {
    List<String> events = new ArrayList<>();
    ObjectStream.watch(
        json(
            """
            {"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"1"}}}
            {"object":{"metadata":{"name":"a","resourceVersion":"2"}},"type":"MODIFIED","x":{}}
            {"type":"BOOKMARK","object":{"kind":"Node","metadata":{"resourceVersion":"9"}}}
            """),
        (type, object) -> events.add(type + " " + object.name() + " " + object.resourceVersion()));
    assertThat(events).containsExactly("ADDED a 1", "MODIFIED a 2", "BOOKMARK  9");
  }

  @Test
  void watchThatEndsWithinAnEventFails() {
    for (String text : List.of("{\"type\":\"ADDED\",\"object\":{", "{\"type\":\"ADDED\"}", "[]")) {
      assertThatThrownBy(() -> ObjectStream.watch(json(text), (type, object) -> {}))
          .as(text)
          .isInstanceOf(IOException.class);
    }
  }
}
