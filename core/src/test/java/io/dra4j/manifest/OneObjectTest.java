package io.dra4j.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One object of a stream, as the API server sends and takes it. */
class OneObjectTest {

  private static final String GROUP = "resource.k8s.io/";
  private static final ManifestReader READER = ManifestReader.builder().build();

  static List<Path> conformanceCases() throws IOException {
    return Reading.conformanceCases();
  }

  private static Manifest read(String json) throws ManifestException {
    return READER.readObject("watch", new ByteArrayInputStream(json.getBytes(UTF_8)));
  }

  private static Manifest read(String json, String version, String kind) throws ManifestException {
    return READER.readObject(
        "watch", new ByteArrayInputStream(json.getBytes(UTF_8)), GROUP + version, kind);
  }

  private static String written(Manifest manifest, String version) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ManifestWriter.writeObject(manifest, version, out);
    return out.toString(UTF_8);
  }

  @Test
  void equalValuesOfObjectsThatAreReadOneByOneAreOneInstance() throws ManifestException {
    String json =
        """
        {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"c",
        "labels":{"a":"a-value-of-some-length"}},"spec":{}}
        """;
    ManifestReader sharing = ManifestReader.builder().withoutSources().sharingValues().build();
    String first = label(sharing, json);
    assertThat(label(sharing, json)).isSameAs(first);
    assertThat(label(ManifestReader.builder().build(), json)).isEqualTo(first).isNotSameAs(first);
  }

  private static String label(ManifestReader reader, String json) throws ManifestException {
    Manifest one = reader.readObject("watch", new ByteArrayInputStream(json.getBytes(UTF_8)));
    return String.valueOf(one.object().metadata().labels().get("a"));
  }

  @ParameterizedTest
  @MethodSource("conformanceCases")
  void anObjectIsReadAsItWasWrittenInEachVersion(Path file) throws Exception {
    for (Manifest manifest : READER.read(file)) {
      KubernetesObject object = manifest.object();
      for (String version : List.of("v1", "v1beta2", "v1beta1")) {
        boolean isOfGroup = manifest.apiVersion().startsWith(GROUP);
        if (isOfGroup && !(object instanceof DeviceTaintRule && version.equals("v1beta1"))) {
          Manifest again = read(written(manifest, GROUP + version));
          assertThat(again.object()).as(version).isEqualTo(object);
          assertThat(again.apiVersion()).isEqualTo(GROUP + version);
        }
      }
      Manifest again = read(written(manifest, manifest.apiVersion()));
      assertThat(again.object()).isEqualTo(object);
    }
  }

  @Test
  void fieldsThatAreNotKnownAreKept() throws Exception {
    String slice =
        """
        {"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceSlice",\
        "metadata":{"name":"s","resourceVersion":"7"},\
        "spec":{"driver":"gpu","nodeName":"n","pool":{"name":"n","generation":1,\
        "resourceSliceCount":1},"devices":[{"name":"d","basic":{"future":{"a":1.50}}}]}}""";
    Manifest manifest = read(slice);
    assertThat(written(manifest, GROUP + "v1beta1")).isEqualTo(slice);
    assertThat(written(manifest, GROUP + "v1"))
        .contains("\"resource.k8s.io/v1\"", "\"resourceVersion\":\"7\"")
        .contains("{\"name\":\"d\",\"future\":{\"a\":1.50}}");
  }

  @Test
  void aRequestOfV1IsWrittenAsEachVersionHasIt() throws Exception {
    String body = "\"deviceClassName\":\"gpu\",\"allocationMode\":\"ExactCount\",\"count\":1";
    String claim =
        """
        {"apiVersion":"resource.k8s.io/%s","kind":"ResourceClaim","metadata":{"name":"c"},\
        "spec":{"devices":{"requests":[{"name":"r",%s}]}}}""";
    String v1 = claim.formatted("v1", "\"exactly\":{" + body + "}");
    Manifest manifest = read(v1);
    assertThat(written(manifest, GROUP + "v1")).isEqualTo(v1);
    assertThat(written(manifest, GROUP + "v1beta2"))
        .isEqualTo(claim.formatted("v1beta2", "\"exactly\":{" + body + "}"));
    assertThat(written(manifest, GROUP + "v1beta1")).isEqualTo(claim.formatted("v1beta1", body));
  }

  @Test
  void theTypeIsStatedForAnObjectThatDoesNot() throws Exception {
    String item = "{\"metadata\":{\"name\":\"c\"},\"spec\":{}}";
    assertThat(read(item, "v1beta1", "ResourceClaim").object())
        .isEqualTo(ResourceClaim.named("c").build());
    assertThat(read("{\"kind\":\"ResourceClaim\"," + item.substring(1), "v1", "ResourceClaim"))
        .extracting(Manifest::apiVersion)
        .isEqualTo("resource.k8s.io/v1");
    Manifest other =
        read(
            "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\","
                + item.substring(1),
            "v1beta1",
            "ResourceSlice");
    assertThat(other.object()).isInstanceOf(ResourceClaim.class);
    assertThatThrownBy(() -> read("{\"kind\":\"DeviceClass\"}", "v1", "ResourceClaim"))
        .isInstanceOf(ManifestException.class)
        .hasMessage("watch:1:9: kind: expected ResourceClaim, found DeviceClass");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | watch: expected one object, found none",
        "null | watch: expected one object, found none",
        "[] | watch:1:1: expected an object with apiVersion and kind, found a list",
        "{} | watch:1:1: it has neither apiVersion nor kind",
        "{'kind':'Status','apiVersion':'v1'} | watch:1:1: kind Status of v1 is not known",
        "{'kind':'NodeList','apiVersion':'v1','items':[{}]} | watch: expected one object, found a"
            + " list",
        "{'kind':'Node','apiVersion':'v1'} {'kind':'Node','apiVersion':'v1'} | watch: expected one"
            + " object, found 2 objects",
        "{'kind':'Node','apiVersion':'v1','spec':7} | watch:1:41: Node \"\": spec: expected an"
            + " object, found number 7",
      })
  void whatIsNotOneObjectIsRefused(String json, String message) {
    assertThatThrownBy(() -> read(json.replace('\'', '"')))
        .isInstanceOf(ManifestException.class)
        .hasMessage(message);
  }

  @Test
  void theLimitsAreThoseOfTheReader() {
    ManifestReader small = ManifestReader.builder().limits(new ManifestLimits(20, 100, 0)).build();
    assertThatThrownBy(
            () ->
                small.readObject(
                    "watch", new ByteArrayInputStream("{\"kind\":\"Node\", ... }".getBytes(UTF_8))))
        .isInstanceOf(ManifestException.class)
        .hasMessage("watch: is larger than the limit of 20 bytes");
  }

  @Test
  void anObjectIsNotWrittenInAVersionThatItsKindDoesNotHave() throws Exception {
    Manifest slice = Manifest.of(ResourceSlice.onNode("s", "gpu", "p", List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> written(slice, GROUP + "v2"))
        .withMessage(
            "apiVersion: a ResourceSlice is written in resource.k8s.io/v1,"
                + " resource.k8s.io/v1beta2, resource.k8s.io/v1beta1, not in resource.k8s.io/v2");
    Manifest group = read("{\"apiVersion\":\"scheduling.k8s.io/v1alpha3\",\"kind\":\"PodGroup\"}");
    assertThat(written(group, "scheduling.k8s.io/v1alpha3")).contains("v1alpha3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> written(group, "scheduling.k8s.io/v1beta1"));
  }
}
