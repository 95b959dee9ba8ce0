package io.dra4j.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A field that is in the wrong object is reported with the place where it belongs. */
class MisplacedFieldTest {

  private static List<String> unknown(String version, String kind, String fields)
      throws ManifestException {
    String text =
        "{apiVersion: %s, kind: %s, metadata: {name: a}, %s}".formatted(version, kind, fields);
    return ManifestReader.builder()
        .build()
        .readFile("f", new ByteArrayInputStream(text.getBytes(UTF_8)))
        .unknownFields()
        .stream()
        .map(problem -> problem.path() + ": " + problem.message())
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tolerations: [] | tolerations | devices.requests[].exactly.tolerations
          requests: [] | requests | devices.requests
          selectors: [] | selectors | devices.requests[].exactly.selectors
          matchAttribute: a/b | matchAttribute | devices.constraints[].matchAttribute
          resourceClassName: gpu | resourceClassName | devices.requests[].exactly.deviceClassName
          devices: {tolerations: []} | devices.tolerations | devices.requests[].exactly.tolerations
          devices: {deviceClassName: a} | devices.deviceClassName | devices.requests[].exactly.deviceClassName
          devices: {opaque: {}} | devices.opaque | devices.config[].opaque
          devices: {requests: [{name: r, tolerations: []}]} | devices.requests[0].tolerations | devices.requests[0].exactly.tolerations
          devices: {requests: [{name: r, cel: {}}]} | devices.requests[0].cel | devices.requests[0].exactly.selectors[].cel
          devices: {requests: [{name: r, constraints: []}]} | devices.requests[0].constraints | devices.constraints
          devices: {requests: [{}, {exactly: {constraints: []}}]} | devices.requests[1].exactly.constraints | devices.constraints
          devices: {requests: [{exactly: {config: []}}]} | devices.requests[0].exactly.config | devices.config
          devices: {requests: [{exactly: {name: r}}]} | devices.requests[0].exactly.name | devices.requests[0].name
          devices: {requests: [{exactly: {matchAttribute: a/b}}]} | devices.requests[0].exactly.matchAttribute | devices.constraints[].matchAttribute
          devices: {requests: [{exactly: {cel: {}}}]} | devices.requests[0].exactly.cel | devices.requests[0].exactly.selectors[].cel
          devices: {requests: [{exactly: {expression: 'true'}}]} | devices.requests[0].exactly.expression | devices.requests[0].exactly.derivedAttributes[].expression or spec.devices.requests[0].exactly.selectors[].cel.expression
          devices: {requests: [{exactly: {selectors: [{expression: 'true'}]}}]} | devices.requests[0].exactly.selectors[0].expression | devices.requests[0].exactly.selectors[0].cel.expression
          devices: {requests: [{exactly: {firstAvailable: []}}]} | devices.requests[0].exactly.firstAvailable | devices.requests[0].firstAvailable
          devices: {requests: [{firstAvailable: [{adminAccess: true}]}]} | devices.requests[0].firstAvailable[0].adminAccess | devices.requests[0].exactly.adminAccess
          """)
  void ofAClaimAndItsTemplate(String fields, String path, String right) throws ManifestException {
    assertThat(unknown("resource.k8s.io/v1", "ResourceClaim", "spec: {" + fields + "}"))
        .containsExactly("spec." + path + ": unknown field; did you mean spec." + right);
    String inner = right.replace("or spec.", "or spec.spec.");
    String inTemplate = "spec: {spec: {" + fields + "}}";
    assertThat(unknown("resource.k8s.io/v1", "ResourceClaimTemplate", inTemplate))
        .containsExactly("spec.spec." + path + ": unknown field; did you mean spec.spec." + inner);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          resource.k8s.io/v1 | ResourceClaimTemplate | spec: {devices: {}} | spec.devices: unknown field; did you mean spec.spec.devices
          resource.k8s.io/v1 | ResourceClaimTemplate | spec: {requests: []} | spec.requests: unknown field; did you mean spec.spec.devices.requests
          resource.k8s.io/v1 | DeviceClass | spec: {cel: {}} | spec.cel: unknown field; did you mean spec.selectors[].cel
          resource.k8s.io/v1 | ResourceSlice | spec: {attributes: {}} | spec.attributes: unknown field; did you mean spec.devices[].attributes
          resource.k8s.io/v1 | ResourceSlice | spec: {generation: 1} | spec.generation: unknown field; did you mean spec.pool.generation
          resource.k8s.io/v1 | ResourceSlice | spec: {devices: [{name: d, nodeSelectorTerms: []}]} | spec.devices[0].nodeSelectorTerms: unknown field; did you mean spec.devices[0].nodeSelector.nodeSelectorTerms
          resource.k8s.io/v1 | ResourceSlice | spec: {devices: [{name: d, sharedCounters: []}]} | spec.devices[0].sharedCounters: unknown field; did you mean spec.sharedCounters
          resource.k8s.io/v1beta1 | ResourceClaim | spec: {tolerations: []} | spec.tolerations: unknown field; did you mean spec.devices.requests[].tolerations
          v1 | Pod | spec: {containers: [{name: c, resourceClaims: []}]} | spec.containers[0].resourceClaims: unknown field; did you mean spec.resourceClaims
          v1 | Pod | spec: {containers: [{name: c, claims: []}]} | spec.containers[0].claims: unknown field; did you mean spec.containers[0].resources.claims
          v1 | Pod | spec: {claims: []} | spec.claims: unknown field; did you mean spec.resources.claims
          v1 | Pod | spec: {labels: {}} | spec.labels: unknown field; did you mean metadata.labels
          resource.k8s.io/v1 | ResourceClaim | spec: {devices: {requests: [{exactly: {capacity: {memory: 1Gi}}}]}} | spec.devices.requests[0].exactly.capacity.memory: unknown field; did you mean spec.devices.requests[0].exactly.capacity.requests.memory
          apps/v1 | Deployment | spec: {template: {spec: {contaners: []}}} | spec.template.spec.contaners: unknown field; did you mean containers
          apps/v1 | ReplicaSet | spec: {resourceClaims: []} | spec.resourceClaims: unknown field; did you mean spec.template.spec.resourceClaims
          apps/v1 | DaemonSet | spec: {template: {spec: {labels: {}}}} | spec.template.spec.labels: unknown field; did you mean spec.template.metadata.labels
          v1 | Node | taints: [] | taints: unknown field; did you mean spec.taints
          """)
  void ofOtherKinds(String version, String kind, String fields, String expected)
      throws ManifestException {
    assertThat(unknown(version, kind, fields)).containsExactly(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spec: {devices: {request: []}} | spec.devices.request: unknown field; did you mean requests
          spec: {devices: {requests: [{exactly: {selector: []}}]}} | spec.devices.requests[0].exactly.selector: unknown field; did you mean selectors
          spec: {devices: {requests: [{exactly: {tolerations: [{tolerationSecond: 1}]}}]}} | spec.devices.requests[0].exactly.tolerations[0].tolerationSecond: unknown field; did you mean tolerationSeconds
          spec: {nonsense: 1} | spec.nonsense: unknown field
          spec: {results: 1} | spec.results: unknown field
          """)
  void aNameThatIsNearlyRightComesFirst(String fields, String expected) throws ManifestException {
    assertThat(unknown("resource.k8s.io/v1", "ResourceClaim", fields)).containsExactly(expected);
  }
}
