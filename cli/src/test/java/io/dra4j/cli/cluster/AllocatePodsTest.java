package io.dra4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.Cli;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of {@code allocate} and {@code explain} about pods that are not simple. */
class AllocatePodsTest {

  /** A node with two GPUs, a class and a template for them. */
  private static final String CLUSTER =
      """
      {apiVersion: v1, kind: Node, metadata: {name: n1}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: s}
      spec:
        driver: gpu.example.com
        nodeName: n1
        pool: {name: n1, generation: 1, resourceSliceCount: 1}
        devices: [{name: gpu-0}, {name: gpu-1}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata: {name: one}
      spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}
      ---
      """;

  private static final String SPEC = "{resourceClaims: [{name: g, resourceClaimTemplateName: one}]";

  private static Cli run(String command, String objects, String... options) {
    return Cli.runWith(
        CLUSTER + objects,
        Stream.concat(Stream.of(command, "-"), Arrays.stream(options)).toArray(String[]::new));
  }

  private static String pod(String name, String spec, String status) {
    return """
    {apiVersion: v1, kind: Pod, metadata: {name: %s, uid: new}, spec: %s%s}, status: {%s}}
    ---
    """
        .formatted(name, SPEC, spec, status);
  }

  private static String job(String spec, String status) {
    return """
    {apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: 2, %s, template: {spec: %s}}}, status: {%s}}
    ---
    """
        .formatted(spec, SPEC, status);
  }

  /** A warning, which {@code --strict} makes an error. */
  private static void isReported(String objects, String line, String... options) {
    Cli told = run("allocate", objects, options);
    assertThat(told.errLines()).containsExactly("dra4j: warning: " + line);
    assertThat(told.code()).isZero();
    assertThat(run("explain", objects, options).errLines())
        .containsExactly("dra4j: warning: " + line);
    String[] strict =
        Stream.concat(Arrays.stream(options), Stream.of("--strict")).toArray(String[]::new);
    Cli refused = run("allocate", objects, strict);
    assertThat(refused.errLines()).containsExactly("dra4j: " + line);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(run("explain", objects, strict).code()).isEqualTo(2);
  }

  private static void isRefused(String objects, String line) {
    for (String command : new String[] {"allocate", "explain"}) {
      Cli cli = run(command, objects);
      assertThat(cli.errLines()).containsExactly("dra4j: " + line);
      assertThat(cli.code()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          completions: 3 | succeeded: 2 | 1
          completions: 3 | succeeded: 3 | 0
          completions: 3 | 'conditions: [{type: Complete, status: "True"}]' | 0
          completions: 3 | 'conditions: [{type: Failed, status: "True"}]' | 0
          completions: 3 | 'conditions: [{type: Failed, status: "False"}]' | 2
          """)
  void aJobHasThePodsThatItsStatusLeaves(String spec, String status, int pods) {
    Cli cli = run("allocate", job(spec, status));
    assertThat(cli.code()).isZero();
    assertThat(cli.out().lines().filter(line -> line.startsWith("default/j-"))).hasSize(pods);
  }

  @Test
  void aSuspendedJobIsTold() {
    isReported(
        job("suspend: true", ""),
        "standard input:19:88: Job \"j\": spec.suspend: suspended: none of its pods are placed");
  }

  @Test
  void aClaimOfTheStatusThatIsNotThereIsTold() {
    isReported(
        pod("r", "", "resourceClaimStatuses: [{name: g, resourceClaimName: r-g-abc}]"),
        "standard input:19:1: pod default/r: status.resourceClaimStatuses[g]: no ResourceClaim"
            + " default/r-g-abc in the input: it is treated as a new claim from the template");
  }

  private static String claim(String metadata) {
    return """
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata: {name: r-g-abc%s}
    spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
    ---
    """
        .formatted(metadata);
  }

  @Test
  void aClaimOfAnotherPodIsNotThePods() {
    String owner =
        ", ownerReferences: [{apiVersion: v1, kind: Pod, name: r, uid: old, controller: true}]";
    isRefused(
        claim(owner)
            + pod("r", "", "resourceClaimStatuses: [{name: g, resourceClaimName: r-g-abc}]"),
        "standard input:24:1: pod default/r: spec.resourceClaims[g]: ResourceClaim default/r-g-abc"
            + " is not the pod's: it was created for Pod r of UID old");
  }

  @Test
  void aClaimOfNobodyThatTheStatusNamesIsNotThePods() {
    isRefused(
        claim("") + pod("r", "", "resourceClaimStatuses: [{name: g, resourceClaimName: r-g-abc}]"),
        "standard input:24:1: pod default/r: spec.resourceClaims[g]: ResourceClaim default/r-g-abc"
            + " is not the pod's: it has no controller as its owner");
  }

  @Test
  void aClaimIsReservedForNoMoreThan256Pods() {
    StringBuilder objects = new StringBuilder(claim(""));
    for (int i = 0; i <= 256; i++) {
      objects.append(
          pod("p" + i, "", "")
              .replace("uid: new", "uid: u" + i)
              .replace("resourceClaimTemplateName: one", "resourceClaimName: r-g-abc"));
    }
    Cli cli = run("allocate", objects.toString());
    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.unwrapped().out())
        .startsWith("256 of 257 pods placed")
        .contains(
            "default/p255",
            "claim default/r-g-abc is reserved for 256 others, and cannot be reserved for more");
  }

  @Test
  void aJobOfAnotherControllerIsTold() {
    isReported(
        job("managedBy: example.com/queue", ""),
        "standard input:19:90: Job \"j\": spec.managedBy: not kubernetes.io/job-controller: none of"
            + " its pods are created and placed");
  }

  @Test
  void aClaimThatIsBeingDeletedIsForNobody() {
    String going = claim(", deletionTimestamp: '2026-01-31T12:00:00Z'");
    isRefused(
        going + pod("r", "", "resourceClaimStatuses: [{name: g, resourceClaimName: r-g-abc}]"),
        "standard input:24:1: pod default/r: spec.resourceClaims[g]: ResourceClaim default/r-g-abc"
            + " is being deleted");
    isReported(
        going,
        "standard input:19:1: ResourceClaim default/r-g-abc: is being deleted, and not placed");
  }

  @Test
  void thePodOfHigherPriorityIsPlacedFirst() {
    String pods = pod("a", "", "") + pod("b", "", "") + pod("high", ", priority: 1", "");
    Cli cli = run("allocate", pods);
    assertThat(cli.code()).isEqualTo(1);
    assertThat(cli.out())
        .containsPattern("default/high +n1 +high-g +r +gpu.example.com/gpu-0")
        .containsPattern("default/a +n1 +a-g +r +gpu.example.com/gpu-1")
        .contains("default/b: n1: does not fit");
    assertThat(run("explain", pods).out()).contains("default/a: fits", "default/b: claim");
  }

  @Test
  void theNameOfAPriorityIsTold() {
    isReported(
        pod("a", ", priorityClassName: high", ""),
        "standard input:19:147: Pod \"a\": spec.priorityClassName: ignored: priorityClassName is"
            + " not resolved here, so the pod has priority 0; set spec.priority");
  }

  @Test
  void aPodGroupThatIsNotThereIsToldAndDoesNotContradictTheGang() {
    String pod = pod("a", ", schedulingGroup: {podGroupName: pgy}", "");
    String line =
        "standard input:19:1: pod default/a: spec.schedulingGroup.podGroupName: no PodGroup"
            + " default/pgy in the input: its minCount and claims are unknown";
    isReported(pod, line);
    assertThat(run("allocate", pod, "--gang").errLines())
        .containsExactly("dra4j: warning: " + line);
  }

  @Test
  void whatATemplateOfPodsLacksIsToldOnce() {
    String set =
        """
        {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: sts, namespace: team}, spec: {replicas: 6, template: {spec: %s}}}}
        """
            .formatted(SPEC);
    isRefused(
        set,
        "standard input:19:1: StatefulSet team/sts: spec.template.spec.resourceClaims[g]: no"
            + " ResourceClaimTemplate team/one; there is default/one");
    isRefused(
        set.replace("namespace: team", "namespace: default").replace("Name: one", "Name: ones"),
        "standard input:19:1: StatefulSet default/sts: spec.template.spec.resourceClaims[g]: no"
            + " ResourceClaimTemplate default/ones; did you mean one?");
  }

  /** Only with DeviceTaints off. */
  private static final String TAINTS =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: t}
      spec:
        driver: nic.example.com
        nodeName: n1
        pool: {name: n1, generation: 1, resourceSliceCount: 1}
        devices: [{name: nic-0, taints: [{key: a, effect: NoSchedule}]}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c}
      spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, tolerations: [{key: a, operator: Exists}]}}]}}
      ---
      """;

  private static final String TAINT_RULE =
      """
      apiVersion: resource.k8s.io/v1beta2
      kind: DeviceTaintRule
      metadata: {name: rule}
      spec: {deviceSelector: {driver: d}, taint: {key: a, effect: NoSchedule}}
      """;

  @Test
  void whatAFeatureThatIsOffLeavesUnseenIsToldOnce() {
    String off = "feature DRADeviceTaints is off: ";
    isReported(
        TAINTS + TAINT_RULE,
        off + "taints of 1 device, 1 DeviceTaintRule and tolerations of 1 request are ignored",
        "--features",
        "DeviceTaints=false");
    isReported(
        TAINT_RULE, off + "1 DeviceTaintRule is ignored", "--features", "DeviceTaints=false");
    isReported(
        TAINTS,
        off + "taints of 1 device and tolerations of 1 request are ignored",
        "--kubernetes",
        "1.34");
    assertThat(run("allocate", TAINTS, "--kubernetes", "1.36").err()).isEmpty();
  }

  @Test
  void anIncompletePoolWhoseDevicesAnEarlierReleaseGaveAwayIsReported() {
    String incomplete =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: part}
        spec:
          driver: nic.example.com
          nodeName: n1
          pool: {name: n1, generation: 1, resourceSliceCount: 2}
          devices: [{name: nic-0}]
        """;
    isReported(
        incomplete,
        "pool nic.example.com/n1 is incomplete: Kubernetes 1.34 allocates single devices of it;"
            + " this answer follows 1.37, which does not",
        "--kubernetes",
        "1.34");
    assertThat(run("allocate", incomplete, "--kubernetes", "1.36").err()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PartitionableDevices | 'sharedCounters: [{name: c, counters: {m: {value: 1}}}]' | DRAPartitionableDevices is off: 1 ResourceSlice with shared counters or nodes of its own for each device is ignored
          ConsumableCapacity | 'devices: [{name: x, allowMultipleAllocations: true}]' | DRAConsumableCapacity is off: allowMultipleAllocations of 1 device are ignored
          DeviceBindingAndStatus | 'devices: [{name: x, bindingConditions: [a], bindingFailureConditions: [b]}, {name: z, bindingConditions: [a], bindingFailureConditions: [b]}]' | DRADeviceBindingConditions is off: 2 devices with binding conditions are ignored
          NodeAllocatableResources | 'devices: [{name: x, nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: 1}}}}]' | DRANodeAllocatableResources is off: nodeAllocatableResources of 1 device are ignored
          """)
  void siblingsOfTaintsAreTold(String feature, String devices, String told) {
    String slice =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: t}
        spec: {driver: d, nodeName: n1, pool: {name: x, generation: 1, resourceSliceCount: 1}, %s}
        """
            .formatted(devices);
    isReported(slice, "feature " + told, "--features", feature + "=false");
  }

  @Test
  void devicesCostResourcesOfTheirNodeWhereTheFeatureIsOn() {
    String cluster =
        CLUSTER
            .replace("{name: n1}}", "{name: n1}, status: {allocatable: {cpu: 4, pods: 9}}}")
            .replace(
                "{name: gpu-0}",
                "{name: gpu-0, nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: 2}}}}");
    String pod =
        pod(
            "p",
            ", containers: [{name: c, resources: {requests: {cpu: 3}, claims: [{name: g}]}}]",
            "");
    Cli on = Cli.runWith(cluster + pod, "explain", "pod/p", "--strict", "-");
    assertThat(on.code()).isEqualTo(1);
    assertThat(on.out())
        .isEqualTo(
            "default/p: node n1 has too little cpu left for the pod and its devices"
                + " (nodeAllocatableResources)\n\n");
    assertThat(on.err()).isEmpty();
    Cli off = Cli.runWith(cluster + pod, "explain", "pod/p", "--kubernetes", "1.37", "-");
    assertThat(off.out()).isEqualTo("default/p: fits on node n1\n");
    assertThat(off.errLines())
        .containsExactly(
            "dra4j: warning: feature DRANodeAllocatableResources is off: nodeAllocatableResources of"
                + " 1 device are ignored");
    Cli placed = Cli.runWith(cluster + pod.replace("cpu: 3", "cpu: 2"), "place", "-");
    assertThat(placed.out()).startsWith("1 of 1 pod placed\n");
  }

  @Test
  void listsInConstraintsAreTold() {
    String lists =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: t}
        spec: {driver: d, nodeName: n1, pool: {name: x, generation: 1, resourceSliceCount: 1}, devices: [{name: x, attributes: {a: {strings: [u, v]}}}]}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c}
        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}], constraints: [{matchAttribute: d/%s}]}}
        """;
    assertThat(
            run("allocate", lists.formatted("a"), "--features", "ListTypeAttributes=false").err())
        .contains(
            "warning: feature DRAListTypeAttributes is off: lists of 1 device in constraints are"
                + " ignored");
    assertThat(
            run("allocate", lists.formatted("b"), "--features", "ListTypeAttributes=false").err())
        .doesNotContain("DRAListTypeAttributes");
  }

  @Test
  void versionsThatTheReleaseDoesNotServeAreTold() {
    Cli cli = run("allocate", "", "--kubernetes", "1.32");
    assertThat(cli.code()).isZero();
    assertThat(cli.errLines())
        .containsExactly(
            "dra4j: warning: standard input:3:1: DeviceClass \"gpu\": apiVersion:"
                + " resource.k8s.io/v1 DeviceClass requires Kubernetes 1.34, but the release is"
                + " 1.32",
            "dra4j: warning: standard input:5:1: ResourceSlice \"s\": apiVersion:"
                + " resource.k8s.io/v1 ResourceSlice requires Kubernetes 1.34, but the release"
                + " is 1.32",
            "dra4j: warning: standard input:14:1: ResourceClaimTemplate \"one\": apiVersion:"
                + " resource.k8s.io/v1 ResourceClaimTemplate requires Kubernetes 1.34, but the"
                + " release is 1.32");
    Cli nodes = run("allocate", "", "--kubernetes", "1.32", "--all-nodes");
    assertThat(nodes.errLines()).isEqualTo(cli.errLines());
    assertThat(run("allocate", "", "--kubernetes", "1.32", "--strict").code()).isEqualTo(2);
    assertThat(run("allocate", "", "--kubernetes", "1.34", "--strict").err()).isEmpty();
  }

  @Test
  void eachNodeByItselfTellsOfFeaturesAndRules() {
    Cli cli = run("allocate", TAINTS + TAINT_RULE, "--all-nodes", "--features", "none");
    assertThat(cli.errLines())
        .containsExactly(
            "dra4j: warning: standard input: feature DRADeviceTaints is off: taints of 1 device, 1"
                + " DeviceTaintRule and tolerations of 1 request are ignored",
            "dra4j: warning: standard input: ignored with --all-nodes: 1 DeviceTaintRule");
    assertThat(run("allocate", TAINT_RULE, "--all-nodes", "--strict").code()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"allocate", "explain"})
  void objectsWithoutANameShowTheBeginningOfOne(String command) {
    String claim = claim("").replace("name: r-g-abc", "generateName: gpus-");
    assertThat(run(command, claim + claim).err())
        .contains(
            "ResourceClaim \"\": has no name yet (generateName: gpus-), like the object at standard"
                + " input:19:1, so they cannot be distinguished");
  }

  @Test
  void fieldsOfANewerVersionAreLookedForOneLevelUp() {
    String claim = claim("").replace("k8s.io/v1", "k8s.io/v1beta1");
    assertThat(run("allocate", claim).errLines().get(0))
        .endsWith(
            "spec.devices.requests[0].exactly: unknown field; its fields are one level up here:"
                + " spec.devices.requests[0].deviceClassName");
  }

  @Test
  void aNodeThatNoSliceNamesIsSaidToHaveNoDevicesOfItsOwn() {
    Cli answer =
        Cli.runWith(
            """
            {apiVersion: v1, kind: Node, metadata: {name: node-e}}
            ---
            {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: any}, spec: {}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: s}
            spec:
              driver: fabric.example.com
              allNodes: true
              pool: {name: p, generation: 1, resourceSliceCount: 1}
              devices: [{name: d}]
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: c}
            spec: {devices: {requests: [{name: r, exactly: {deviceClassName: any}}]}}
            """,
            "allocate",
            "-");
    assertThat(answer.out())
        .endsWith("node-e\n`-- (no devices of its own: no ResourceSlice names this node)\n");
  }
}
