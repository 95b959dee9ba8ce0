package io.dra4j.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters for drivers that somebody types are JSON objects, as the API server demands. */
class JsonObjectsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        " {\n} ",
        "{\"a\":1}",
        "{\"a\":[],\"b\":[1,-2.5e+3,0.1,1E5,true,false,null,\"x\\u00e9\\n\\\"\"] , \"c\" : {\"d\":{}}}",
      })
  void objects(String json) {
    assertThat(JsonObjects.isObject(json)).isTrue();
    assertThat(ResourceClaim.named("c").config("drv", json).build().spec().config())
        .containsExactly(
            new DeviceClaimConfiguration(List.of(), new OpaqueDeviceConfiguration("drv", json)));
    assertThat(DeviceClass.named("c").toBuilder().config("drv", json).build().config()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{nope",
        "[1]",
        "\"text\"",
        "null",
        "{} {}",
        "{},",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":-}",
        "{\"a\":+1}",
        "{\"a\":1e}",
        "{\"a\":NaN}",
        "{\"a\":tru}",
        "{\"a\":\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u00g0\"}",
        "{\"a\":\"\n\"}",
        "{\"a\":[1}",
        "{\"a\":[1,]}",
        "{\"a\":1",
        "/**/{}",
      })
  void others(String json) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceClaim.named("c").config("drv", json))
        .withMessageStartingWith("json: want a JSON object as parameters for driver drv, got '");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeviceClass.named("c").toBuilder().config("drv", json));
  }

  @Test
  void asDeepAsManifests() {
    assertThat(JsonObjects.isObject("{\"a\":".repeat(99) + "{}" + "}".repeat(99))).isTrue();
    assertThat(JsonObjects.isObject("{\"a\":".repeat(100) + "{}" + "}".repeat(100))).isFalse();
    assertThat(JsonObjects.isObject("{\"a\":".repeat(100_000))).isFalse();
  }
}
