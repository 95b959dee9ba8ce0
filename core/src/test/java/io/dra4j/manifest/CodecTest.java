package io.dra4j.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.dra4j.manifest.internal.codec.Rfc3339;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceAttribute.BoolValues;
import io.dra4j.model.DeviceAttribute.IntValues;
import io.dra4j.model.DeviceAttribute.NoValue;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.Job;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.Pod;
import io.dra4j.model.PodResourceClaim;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StatefulSet;
import io.dra4j.model.Taint;
import io.dra4j.model.TaintEffect;
import io.dra4j.model.Toleration;
import io.dra4j.model.TolerationOperator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields become records as Kubernetes' decoder, conversion and defaulting make its objects. */
class CodecTest {

  private static ResourceSlice slice(String version, String spec) throws ManifestException {
    return Reading.object(
        ResourceSlice.class,
        "{apiVersion: resource.k8s.io/%s, kind: ResourceSlice, metadata: {name: s}, spec: {%s}}"
            .formatted(version, spec));
  }

  private static ResourceClaim claim(String version, String requests) throws ManifestException {
    return Reading.object(
        ResourceClaim.class,
        "{apiVersion: resource.k8s.io/%s, kind: ResourceClaim, spec: {devices: {requests: [%s]}}}"
            .formatted(version, requests));
  }

  static Stream<Arguments> attributes() {
    return Stream.of(
        Arguments.of("{}", new NoValue()),
        Arguments.of("null", new NoValue()),
        Arguments.of("{future: 1}", new NoValue()),
        Arguments.of("{int: null}", new NoValue()),
        Arguments.of("{int: -1}", DeviceAttribute.of(-1)),
        Arguments.of("{bool: no}", DeviceAttribute.of(false)),
        Arguments.of("{string: ''}", DeviceAttribute.of("")),
        Arguments.of("{version: 1.x}", DeviceAttribute.version("1.x")),
        Arguments.of("{string: x, version: 1.0.0}", DeviceAttribute.of("x")),
        Arguments.of("{bool: true, string: x}", DeviceAttribute.of(true)),
        Arguments.of("{int: 1, bool: true}", DeviceAttribute.of(1)),
        Arguments.of("{int: 1, versions: [1.0.0], strings: [x]}", DeviceAttribute.strings("x")),
        Arguments.of("{bools: [on], strings: [x]}", new BoolValues(List.of(true))),
        Arguments.of("{ints: [1, null], bools: [true]}", new IntValues(List.of(1L, 0L))),
        Arguments.of("{ints: [], int: 1}", DeviceAttribute.of(1)),
        Arguments.of("{ints: [], bools: []}", new IntValues(List.of())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attributes")
  void ofSeveralAttributeValuesTheSameCountsAsInTheAllocator(String json, DeviceAttribute value)
      throws ManifestException {
    ResourceSlice slice = slice("v1", "devices: [{name: d, attributes: {a: %s}}]".formatted(json));
    assertThat(slice.devices().get(0).attributes().get("a")).isEqualTo(value);
  }

  /** Left version v1beta1, right version v1. */
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "nodeName: node-1|nodeName: node-1",
        "nodeName: ''|",
        "nodeName: null|",
        "allNodes: true|allNodes: true",
        "allNodes: false|",
        "perDeviceNodeSelection: false|perDeviceNodeSelection: false",
        "devices: [{name: d}]|devices: [{name: d}]",
        "devices: [{name: d, basic: null}]|devices: [{name: d}]",
        "devices: [null]|devices: [{}]",
        "devices: [{name: d, basic: {attributes: {a: {int: 1}}, capacity: {c: {value: 1}}}}]"
            + "|devices: [{name: d, attributes: {a: {int: 1}}, capacity: {c: {value: 1}}}]",
        "devices: [{name: d, basic: {name: x, nodeName: '', allNodes: false}}]"
            + "|devices: [{name: d, nodeName: '', allNodes: false}]",
        "devices: [{name: d, attributes: {a: {int: 1}}, taints: [{}]}]|devices: [{name: d}]",
      })
  void theOldestSlicesBecomeV1(String v1beta1, String v1) throws ManifestException {
    assertThat(slice("v1beta1", v1beta1)).isEqualTo(slice("v1", v1 == null ? "" : v1));
  }

  /** Left version v1beta1, right version v1. */
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: r, deviceClassName: c}|{name: r, exactly: {deviceClassName: c}}",
        "{name: r}|{name: r}",
        "null|{}",
        "{name: r, deviceClassName: '', allocationMode: '', count: 0, adminAccess: null}|{name: r}",
        "{name: r, selectors: []}|{name: r, exactly: {}}",
        "{name: r, tolerations: []}|{name: r, exactly: {}}",
        "{name: r, derivedAttributes: []}|{name: r, exactly: {}}",
        "{name: r, capacity: {}}|{name: r, exactly: {capacity: {}}}",
        "{name: r, adminAccess: false}|{name: r, exactly: {adminAccess: false}}",
        "{name: r, count: -1}|{name: r, exactly: {count: -1}}",
        "{name: r, allocationMode: All}|{name: r, exactly: {allocationMode: All}}",
        "{name: r, exactly: {deviceClassName: c}}|{name: r}",
        "{name: r, count: 2, firstAvailable: [{name: s}]}"
            + "|{name: r, exactly: {count: 2}, firstAvailable: [{name: s}]}",
      })
  void theOldestRequestsBecomeV1(String v1beta1, String v1) throws ManifestException {
    assertThat(claim("v1beta1", v1beta1)).isEqualTo(claim("v1", v1));
    assertThat(claim("v1beta2", v1)).isEqualTo(claim("v1", v1));
  }

  @Test
  void problemsOfTheOldestVersionAreToldInTermsOfV1() {
    assertThat(
            Reading.problems(
                "{apiVersion: resource.k8s.io/v1beta1, kind: ResourceSlice, metadata: {name: s},"
                    + " spec: {nodeName: 5, devices: [{basic: 5},"
                    + " {basic: {attributes: {a: {int: x}}}}]}}"))
        .containsExactlyInAnyOrder(
            "f.yaml:1:1: ResourceSlice \"s\": spec.nodeName: expected text, found number 5",
            "f.yaml:1:1: ResourceSlice \"s\": spec.devices[0].basic: expected an object,"
                + " found number 5",
            "f.yaml:1:1: ResourceSlice \"s\": spec.devices[1].attributes[a].int: expected"
                + " an integer of 64 bits, found text \"x\"");
    assertThat(
            Reading.problems(
                "{apiVersion: resource.k8s.io/v1beta1, kind: ResourceClaim, metadata: {name: c},"
                    + " spec: {devices: {requests: [{count: '1'}]}}}"))
        .containsExactly(
            "f.yaml:1:1: ResourceClaim \"c\": spec.devices.requests[0].exactly.count:"
                + " expected an integer of 64 bits, found text \"1\"");
  }

  /** The request's mode, count and operator of its first toleration. */
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "tolerations: [{}]|ExactCount 1 Equal",
        "tolerations: [null]|ExactCount 1 Equal",
        "allocationMode: null, count: null, tolerations: [{operator: ''}]|ExactCount 1 Equal",
        "allocationMode: ExactCount, count: 0, tolerations: [{operator: Exists}]"
            + "|ExactCount 1 Exists",
        "count: -3, tolerations: [{operator: Odd}]|ExactCount -3 Odd",
        "count: 9223372036854775807, tolerations: [{}]|ExactCount 9223372036854775807 Equal",
        "allocationMode: All, tolerations: [{}]|All 0 Equal",
        "allocationMode: Odd, tolerations: [{}]|Odd 0 Equal",
      })
  void whatIsLeftOutIsFilledInAsTheServerDoes(String body, String expected)
      throws ManifestException {
    var claim =
        claim(
            "v1",
            "{name: a, exactly: {%s}}, {name: b, firstAvailable: [{name: s, %s}]}"
                .formatted(body, body));
    var requests = claim.spec().requests();
    var exactly = Objects.requireNonNull(requests.get(0).exactly());
    assertThat(
            exactly.allocationMode()
                + " "
                + exactly.count()
                + " "
                + exactly.tolerations().get(0).operator())
        .isEqualTo(expected);
    assertThat(requests.get(1).firstAvailable().get(0).request()).isEqualTo(exactly);
  }

  @Test
  void aTemplateIsFilledInLikeAClaim() throws ManifestException {
    String template =
        """
        apiVersion: resource.k8s.io/%s
        kind: ResourceClaimTemplate
        metadata: {name: t}
        spec:
          metadata: {labels: {a: b}, annotations: {c: d}}
          spec: {devices: {requests: [{name: r, %s}]}}
        """;
    var v1 =
        Reading.object(
            ResourceClaimTemplate.class, template.formatted("v1", "exactly: {deviceClassName: c}"));
    assertThat(v1.claimLabels()).containsEntry("a", "b");
    assertThat(v1.claimAnnotations()).containsEntry("c", "d");
    assertThat(v1.spec()).isEqualTo(claim("v1", "{name: r, exactly: {deviceClassName: c}}").spec());
    assertThat(
            Reading.object(
                ResourceClaimTemplate.class, template.formatted("v1beta1", "deviceClassName: c")))
        .isEqualTo(v1);
  }

  @Test
  void aNullInAListOrMapIsTheZeroValueOfItsType() throws ManifestException {
    var slice =
        slice(
            "v1",
            "devices: [null, {capacity: {c: null, d: {value: null}}, bindingConditions: [null]}]");
    assertThat(slice.devices().get(0).name()).isEmpty();
    assertThat(slice.devices().get(1).capacity().get("c"))
        .isEqualTo(slice.devices().get(1).capacity().get("d"))
        .satisfies(capacity -> assertThat(capacity.value()).isEqualTo(Quantity.of(0)));
    assertThat(slice.devices().get(1).bindingConditions()).containsExactly("");
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "1, 1",
    "1.50, 1500m",
    "'\" 10Gi \"', 10Gi",
    "1e3, 1k",
    "'\"1e3\"', 1e3",
    "'\"1k\"', 1k"
  })
  void aQuantityIsANumberOrAText(String yaml, String canonical) throws ManifestException {
    var slice = slice("v1", "devices: [{name: d, capacity: {c: {value: %s}}}]".formatted(yaml));
    assertThat(slice.devices().get(0).capacity().get("c"))
        .satisfies(capacity -> assertThat(capacity.value().toString()).isEqualTo(canonical));
  }

  @Test
  void parametersAreKeptAsTheyAreWritten() throws ManifestException {
    String json =
        "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"DeviceClass\",\"spec\":{\"config\":"
            + "[{\"opaque\":{\"driver\":\"d\",\"parameters\":%s}}]}}";
    String numbers = "{\"b\":1.0,\"a\":[12345678901234567890123,1e3,null]}";
    assertThat(parameters(json.formatted(numbers))).isEqualTo(numbers);
    assertThat(parameters(json.formatted("\"x\""))).isEqualTo("\"x\"");
    assertThat(parameters(json.formatted("null"))).isEmpty();
    assertThat(parameters("# YAML\n" + json.formatted(numbers)))
        .isEqualTo("{\"b\":1,\"a\":[1.2345678901234568e+22,1000,null]}");
  }

  private static String parameters(String text) throws ManifestException {
    var config = Reading.object(DeviceClass.class, text).config().get(0);
    return Objects.requireNonNull(config.opaque()).parameters();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-31T12:00:00Z, true",
    "2026-01-31T12:00:00.123456789+01:00, true",
    "2026-01-31T2:00:00Z, true",
    "'2026-01-31T12:00:00,5Z', true",
    "2026-02-30T12:00:00Z, false",
    "2026-01-31T24:00:00Z, false",
    "2026-01-31t12:00:00Z, false",
    "2026-01-31T12:00:00, false",
    "2026-01-31, false",
    "'', false"
  })
  void aTimeIsWhatKubernetesParses(String text, boolean isTime) {
    assertThat(Rfc3339.isRfc3339(text)).isEqualTo(isTime);
  }

  @Test
  void workloadsTellWhichClaimsTheyNeed() throws ManifestException {
    Pod pod =
        Reading.object(
            Pod.class,
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: ns}
            spec:
              nodeName: node-1
              nodeSelector: {zone: east}
              containers: [{name: c, image: i}]
              resourceClaims: [{name: a, resourceClaimName: x}, {name: b, resourceClaimTemplateName: t}]
            status:
              resourceClaimStatuses: [{name: b, resourceClaimName: p-b-1}, {name: c}, {name: b}]
            """);
    assertThat(pod.spec().resourceClaims())
        .containsExactly(
            new PodResourceClaim("a", "x", null), new PodResourceClaim("b", null, "t"));
    assertThat(pod.resourceClaimNames()).containsEntry("b", "p-b-1").containsEntry("c", "");
    StatefulSet set =
        Reading.object(
            StatefulSet.class,
            "{apiVersion: apps/v1, kind: StatefulSet, spec: {ordinals: {start: 3}, template: {spec:"
                + " {nodeName: node-1, nodeSelector: {zone: east}, containers: [{name: c}],"
                + " resourceClaims: [{name: a,"
                + " resourceClaimName: x}, {name: b, resourceClaimTemplateName: t}]}}}}");
    assertThat(set.template()).isEqualTo(pod.spec());
    assertThat(set.replicas()).isEqualTo(1);
    assertThat(set.firstOrdinal()).isEqualTo(3);
    assertThat(
            Reading.problems(
                "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s},"
                    + " spec: {replicas: 2147483648}}"))
        .containsExactly(
            "f.yaml:1:1: StatefulSet \"s\": spec.replicas: expected an integer of 32 bits,"
                + " found number 2147483648");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "2147483648", "-2147483649"})
  void numbersOf32BitsAreToldAsSuch(String number) throws ManifestException {
    assertThat(
            Reading.problems(
                "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {priority: %s}}"
                    .formatted(number)))
        .containsExactly(
            "f.yaml:1:1: Pod \"p\": spec.priority: expected an integer of 32 bits, found number "
                + number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "apps/v1, kind: StatefulSet",
        "apps/v1, kind: Deployment",
        "apps/v1, kind: ReplicaSet",
        "apps/v1, kind: DaemonSet",
        "batch/v1, kind: Job"
      })
  void aMistakeInATemplateOfPodsIsToldOnce(String kind) throws ManifestException {
    assertThat(
            Reading.problems(
                "{apiVersion: %s, metadata: {name: a}, spec: {template: []}}".formatted(kind)))
        .singleElement(STRING)
        .endsWith("spec.template: expected an object, found a list");
  }

  @Test
  void aTaintRuleWithoutSelectorIsNotOneWithAnEmptySelector() throws ManifestException {
    String rule = "{apiVersion: resource.k8s.io/v1alpha3, kind: DeviceTaintRule, spec: {%s}}";
    assertThat(
            Reading.object(DeviceTaintRule.class, rule.formatted("taint: {key: k}"))
                .deviceSelector())
        .isNull();
    assertThat(
            Reading.object(DeviceTaintRule.class, rule.formatted("deviceSelector: {}"))
                .deviceSelector())
        .isNotNull();
  }

  @Test
  void aNodeTellsItsFeatures() throws ManifestException {
    Node node =
        Reading.object(
            Node.class,
            "{apiVersion: v1, kind: Node, metadata: {name: node-1, labels: {a: b}},"
                + " status: {declaredFeatures: [F], capacity: {cpu: 1}}}");
    assertThat(node.declaredFeatures()).containsExactly("F");
    assertThat(node.metadata().labels()).containsEntry("a", "b");
  }

  @Test
  void aNodeTellsWhichPodsItKeepsAway() throws ManifestException {
    Node node =
        Reading.object(
            Node.class,
            """
            apiVersion: v1
            kind: Node
            metadata: {name: node-1}
            spec:
              unschedulable: true
              taints:
              - {key: nvidia.com/gpu, value: present, effect: NoSchedule}
              - {key: a, effect: NoExecute, timeAdded: "2026-01-01T00:00:00Z"}
            """);
    assertThat(node.unschedulable()).isTrue();
    assertThat(node.taints())
        .containsExactly(
            Taint.of("nvidia.com/gpu", "present", TaintEffect.NO_SCHEDULE),
            new Taint("a", "", TaintEffect.NO_EXECUTE, "2026-01-01T00:00:00Z"));
    assertThat(
            Reading.problems(
                "{apiVersion: v1, kind: Node, metadata: {name: node-1},"
                    + " spec: {unschedulable: 1, taints: {}}}"))
        .containsExactlyInAnyOrder(
            "f.yaml:1:1: Node \"node-1\": spec.unschedulable: expected true or false, found number"
                + " 1",
            "f.yaml:1:1: Node \"node-1\": spec.taints: expected a list, found an object");
  }

  @ParameterizedTest
  @CsvSource({"v1, Pod", "apps/v1, StatefulSet", "batch/v1, Job"})
  void podsAndTemplatesTellWhereTheyRun(String version, String kind) throws ManifestException {
    String spec =
        "{tolerations: [{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 300}, {}],"
            + " affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [],"
            + " requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields:"
            + " [{key: metadata.name, operator: In, values: [node-1]}]}]}}}}";
    String object =
        "{apiVersion: %s, kind: %s, metadata: {name: a}, spec: %s}"
            .formatted(
                version, kind, kind.equals("Pod") ? spec : "{template: {spec: " + spec + "}}");
    KubernetesObject read = Reading.object(KubernetesObject.class, object);
    PodSpec found =
        read instanceof Pod pod
            ? pod.spec()
            : read instanceof Job job ? job.template() : ((StatefulSet) read).template();
    assertThat(found.tolerations())
        .containsExactly(
            new Toleration("k", TolerationOperator.EXISTS, "", TaintEffect.NO_EXECUTE, 300L),
            new Toleration("", new TolerationOperator(""), "", TaintEffect.UNSET, null));
    assertThat(found.requiredNodeAffinity()).isEqualTo(NodeSelector.ofNode("node-1"));
  }

  /** Without terms it matches no node, which is not the same as being left out. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      textBlock =
          """
          affinity: {} | null
          affinity: {nodeAffinity: {}} | null
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: null}} | null
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}}} | no node
          """)
  void requiredAffinityMayBeEmptyOrLeftOut(String field, @Nullable String expected)
      throws ManifestException {
    Pod pod = Reading.object(Pod.class, "{apiVersion: v1, kind: Pod, spec: {" + field + "}}");
    NodeSelector required = pod.spec().requiredNodeAffinity();
    assertThat(required == null ? null : required.toString()).isEqualTo(expected);
  }
}
