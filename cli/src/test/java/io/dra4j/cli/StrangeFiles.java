package io.dra4j.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Files that users give to the command by mistake, under the names in {@code strange.txt}. */
final class StrangeFiles {

  private static final String NODE = "{apiVersion: v1, kind: Node, metadata: {name: n1}}";

  private static final String SLICE =
      """
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: d,
        pool: {name: p, generation: 1, resourceSliceCount: 1}, nodeName: n1, devices: [{name: a}]}}\
      """;

  private static final String DEVICE_CLASS =
      "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: x}, spec: {}}";

  private static final String CLAIM =
      """
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, spec: {devices: {
        requests: [{name: r, exactly: {deviceClassName: x}}]}}}\
      """;

  /** The end of the text of the claim. */
  private static final String END = "}}]}}}";

  private static final String NAMELESS = CLAIM.replace("{name: c}", "{generateName: c-}");

  private static final String NODE_JSON =
      "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n1\"}}\n";

  private static final String TAINT_RULE =
      "{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: t}, spec: {taint:"
          + " {key: a, effect: NoSchedul}}}";

  private static final String BUS_ID =
      "{name: a, attributes: {resource.kubernetes.io/pciBusID: {string: \"%s\"}}}";

  private static final String GOOD = documents(NODE, SLICE, DEVICE_CLASS, CLAIM);

  private final Map<String, byte[]> files = new LinkedHashMap<>();

  private StrangeFiles() {
    encodings();
    noManifests();
    types();
    fields();
    fieldTypes();
    clusters();
    overlays();
    others();
    nccl();
  }

  /** Writes the files into a directory, with some directories and captured hosts. */
  static void writeTo(Path directory) throws IOException {
    for (Map.Entry<String, byte[]> file : new StrangeFiles().files.entrySet()) {
      Files.write(directory.resolve(file.getKey()), file.getValue());
    }
    Files.createDirectory(directory.resolve("directory"));
    Files.createDirectories(directory.resolve("no-devices/sys"));
    Files.createDirectory(directory.resolve("sys-is-a-file"));
    Files.writeString(directory.resolve("sys-is-a-file/sys"), "");
    Path odd = Files.createDirectories(directory.resolve("odd/sys/bus/pci/devices/0000:00:01.0"));
    Files.writeString(odd.resolve("class"), "what\n");
    Path nic =
        Files.createDirectories(directory.resolve("halves/sys/bus/pci/devices/0000:00:02.0"));
    Files.writeString(nic.resolve("class"), "0x020000\n");
    Files.writeString(nic.resolve("vendor"), "");
    Files.createDirectories(directory.resolve("halves/sys/bus/pci/devices/not-a-device"));
  }

  private void put(String name, String text) {
    files.put(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String documents(String... documents) {
    return String.join("\n---\n", documents) + "\n";
  }

  private static String cluster(String claim) {
    return documents(NODE, SLICE, DEVICE_CLASS, claim);
  }

  /** A claim whose only request has more fields. */
  private static String request(String fields) {
    return cluster(CLAIM.replace("deviceClassName: x", "deviceClassName: x, " + fields));
  }

  private void encodings() {
    put("good.yaml", GOOD);
    put("bom.yaml", "\uFEFF" + GOOD);
    files.put("utf16.yaml", ("\uFEFF" + GOOD).getBytes(StandardCharsets.UTF_16LE));
    files.put("utf16be.yaml", ("\uFEFF" + GOOD).getBytes(StandardCharsets.UTF_16BE));
    files.put("utf16-without-mark.yaml", GOOD.getBytes(StandardCharsets.UTF_16LE));
    files.put("utf32.yaml", GOOD.getBytes(Charset.forName("UTF-32LE")));
    put("crlf.yaml", GOOD.replace("\n", "\r\n"));
    put("cr.yaml", GOOD.replace("\n", "\r"));
    put("nul.yaml", GOOD + "---\na: b\0c\n");
    put("escape.yaml", GOOD + "---\n# \u001b[31m\n");
    files.put("latin1.yaml", (GOOD + "---\na: \u00e9\n").getBytes(StandardCharsets.ISO_8859_1));
    files.put("half.yaml", new byte[] {'a', ':', ' ', (byte) 0xC3});
    put("emoji.yaml", GOOD.replace("name: c}", "name: \"\uD83D\uDE80\"}"));
    put("surrogate.json", "{\"a\": \"\\ud800\"}");
  }

  private void noManifests() {
    put("empty", "");
    put("blank", "  \n\n");
    put("comment.yaml", "# kubectl get nodes -o yaml\n");
    put("null.yaml", "null\n");
    put("dashes.yaml", "---\n---\n---\n");
    put("end.yaml", GOOD + "...\n");
    put("nothing.txt", "No resources found in default namespace.\n");
    put("error.txt", "error: the server doesn't have a resource type \"resourceslices\"\n");
    put("table.txt", "NAME   NODE  DRIVER  POOL  AGE\ns      n1    d       p     5d\n");
    put("page.html", "<!DOCTYPE html>\n<html><body>504 Gateway Time-out</body></html>\n");
    put("template.yaml", "apiVersion: v1\nkind: Node\nmetadata:\n  name: {{ .Values.name }}\n");
    put("merge.yaml", "apiVersion: v1\n<<<<<<< HEAD\nkind: Node\n=======\nkind: Pod\n>>>>>>> x\n");
    put("properties", "a=b\nc=d\n");
    put("number", "5\n");
    put("text", "hello\n");
    put("list.yaml", "- a\n- b\n");
    put("tab.yaml", "apiVersion: v1\nkind: Node\nmetadata:\n\tname: x\n");
    put("indent.yaml", "apiVersion: v1\n kind: Node\n");
    put("quote.yaml", "apiVersion: v1\nkind: \"Node\n");
    put("twice.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: x}\nkind: Node\n");
    put("anchor.yaml", "a: *x\n");
    put("itself.yaml", "x: &x [*x]\n");
    put("laughs.yaml", laughs());
    put("deep.yaml", "a: " + "[".repeat(100_000));
    put("deep.json", "{\"a\":".repeat(100_000));
    put("cut.json", "{\"apiVersion\": \"v1\", \"kind\": \"No");
    put("helm-if.yaml", "{{- if .Values.x }}\n" + NODE + "\n{{- end }}\n");
    put("helm-include.yaml", NODE.replace("}}", "}, x:\n{{- include \"x\" . }}\n}"));
    put("helm-list.yaml", "a:\n- b: {{ .Values.name }}\n  c: {{ .Values.c }}\n");
    put("comment.json", NODE_JSON + "// the second\n" + NODE_JSON);
    put("comment-inside.json", "{\"apiVersion\": /* core */ \"v1\", \"kind\": \"Node\"}");
    put("comment-at-end.json", "{\"apiVersion\": \"v1\", // core\n\"kind\": \"Node\"}");
    put("comment-of-yaml.json", NODE_JSON.replace(", \"meta", ", # a node\n\"meta"));
    put("mark-inside.json", NODE_JSON + "\uFEFF" + NODE_JSON.replace("n1", "n2"));
    put("helm-quoted.yaml", NODE.replace("n1", "\"{{ .Release.Name }}\"") + "\n");
    put("helm-part.yaml", NODE.replace("n1", "\"node-{{ .i }}\"") + "\n");
    put("jinja.yaml", "{% if gpus %}\n" + NODE + "\n{% endif %}\n");
    put("word.json", "{\"apiVersion\": \"v1\"}\nOK\n");
    put(
        "half-name.json",
        "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"n\", \"labels\": {\"\\ud800\": \"a\"}}}");
    put(
        "half-name.yaml",
        "apiVersion: v1\nkind: Node\nmetadata: {name: n, labels: {\"a\\udc00\": b}}\n");
    String admin =
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: a}
        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: x, adminAccess: true}}]}}
        ---
        apiVersion: v1
        kind: Namespace
        metadata: {name: a, labels: {b: c}}
        """;
    put("admin.yaml", admin);
    put("admin-old.yaml", admin.replace("b: c", "resource.k8s.io/admin-access: \"true\""));
    put(
        "admin-labelled.yaml",
        admin.replace("b: c", "resource.kubernetes.io/admin-access: \"true\""));
    put(
        "deployment-types.yaml",
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: d}
        spec: {template: {spec: {containers: [{name: c, image: i, command: sleep}]}}}
        """);
    put("half-last.json", "{\"a\": \"b\\udc00\"}");
    put("half-low.json", "{\"a\": {\"b\": [\"\\ud83d\\ud83d\"]}}");
    put("whole.json", "{\"a\": \"\\ud83d\\ude80\"}");
    put("comma.json", "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [,]}");
    put("single.json", "{'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': 'q'}}");
    put("more.json", "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": []}\n}\n");
    put("nan.json", "{\"a\": NaN}");
    put(
        "lines.json",
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"a\"}}\n".repeat(2));
    files.put("gzip", gzip(GOOD));
    files.put("png", new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13});
    files.put("elf", new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0});
  }

  private static String laughs() {
    StringBuilder text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 10; i++) {
      String above = "*a" + (i - 1);
      text.append("a%d: &a%d [%s]\n".formatted(i, i, (above + ", ").repeat(9) + above));
    }
    return text.toString();
  }

  private static byte[] gzip(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private void types() {
    put("no-kind.yaml", cluster(CLAIM.replace("kind: ResourceClaim, ", "")));
    put("no-version.yaml", cluster(CLAIM.replace("apiVersion: resource.k8s.io/v1, ", "")));
    put("no-type.yaml", cluster("{metadata: {name: c}}"));
    put("kinds.yaml", cluster(CLAIM.replace("kind: ResourceClaim", "kind: ResourceClaims")));
    put("kind-case.yaml", cluster(CLAIM.replace("kind: ResourceClaim", "kind: resourceclaim")));
    put("group.yaml", cluster(CLAIM.replace("resource.k8s.io", "resources.k8s.io")));
    put("core-group.yaml", cluster(CLAIM.replace("resource.k8s.io/v1", "v1")));
    put("v1alpha3.yaml", cluster(CLAIM.replace("k8s.io/v1", "k8s.io/v1alpha3")));
    put("v2.yaml", cluster(CLAIM.replace("k8s.io/v1", "k8s.io/v2")));
    put("kind-number.yaml", cluster(CLAIM.replace("kind: ResourceClaim", "kind: 5")));
    put("kind-list.yaml", cluster(CLAIM.replace("kind: ResourceClaim", "kind: [ResourceClaim]")));
    put("version-number.yaml", cluster(CLAIM.replace("resource.k8s.io/v1", "1")));
    put("items-object.yaml", "{apiVersion: v1, kind: List, items: {}}\n");
    put("items-text.yaml", "{apiVersion: v1, kind: List, items: all}\n");
    put("items-numbers.yaml", "{apiVersion: v1, kind: List, items: [1, 2]}\n");
    put("items-null.yaml", "{apiVersion: v1, kind: List, items: null}\n");
    put("items-none.yaml", "{apiVersion: v1, kind: List}\n");
    put("items-empty.yaml", "{apiVersion: v1, kind: List, items: []}\n");
    put("item-of-other-kind.yaml", "{apiVersion: v1, kind: NodeList, items: [{kind: Pod}]}\n");
    put("deployment.yaml", "{apiVersion: apps/v1, kind: Deployment, metadata: {name: x}}\n");
    put("kustomization.yaml", "resources:\n- claim.yaml\n");
    put("compose.yaml", "services:\n  web:\n    image: nginx\n");
  }

  private void fields() {
    put(
        "job-fields.yaml",
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: j, namespace: d}
        spec:
          parallelizm: 2
          template:
            spec:
              resourceClaims: [{nam: c, resourceClaimTemplateName: t}]
        """);
    put("devicess.yaml", cluster(CLAIM.replace("devices:", "devicess:")));
    put("exact.yaml", cluster(CLAIM.replace("exactly:", "exact:")));
    put("flat.yaml", cluster(CLAIM.replace("exactly: {deviceClassName: x}", "deviceClassName: x")));
    put(
        "template-flat.yaml",
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: t}
        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: x}}]}}
        """);
    put("breaks.yaml", GOOD.replace("{name: a}", "{name: \"a\\nb\\e[31m\"}"));
    put("pool-text.yaml", GOOD.replace("pool: {", "pool: p, ppool: {"));
    put("devices-object.yaml", GOOD.replace("[{name: a}]", "{name: a}"));
    put("device-text.yaml", GOOD.replace("[{name: a}]", "[a]"));
    put("device-number.yaml", GOOD.replace("{name: a}", "{name: 5}"));
    put("generation.yaml", GOOD.replace("generation: 1", "generation: " + "9".repeat(400)));
    put("generation-text.yaml", GOOD.replace("generation: 1", "generation: one"));
    put("generation-half.yaml", GOOD.replace("generation: 1", "generation: 1.5"));
    put("generation-infinite.yaml", GOOD.replace("generation: 1", "generation: 1e999999999"));
    put("octal.yaml", GOOD.replace("generation: 1", "generation: 010"));
    put("capacity.yaml", GOOD.replace("{name: a}", "{name: a, capacity: {m: {value: 10GB}}}"));
    put("capacity-flat.yaml", GOOD.replace("{name: a}", "{name: a, capacity: {m: 10Gi}}"));
    put("attribute.yaml", GOOD.replace("{name: a}", "{name: a, attributes: {i: {int: 1.5}}}"));
    put("attribute-flat.yaml", GOOD.replace("{name: a}", "{name: a, attributes: {i: 5}}"));
    put(
        "attribute-yes.yaml",
        GOOD.replace("{name: a}", "{name: a, attributes: {i: {string: yes}}}"));
    put("count-negative.yaml", request("count: -2"));
    put("count-zero.yaml", request("count: 0"));
    put("count-text.yaml", request("count: two"));
    put("count-half.yaml", request("count: 1.5"));
    put("count-huge.yaml", request("count: 9223372036854775807"));
    put("count-too-huge.yaml", request("count: 9223372036854775808"));
    put("mode.yaml", request("allocationMode: Every"));
    put("selectors.yaml", request("selectors: {cel: {expression: \"true\"}}"));
    put("selector.yaml", request("selectors: [{cel: {expression: device.nope}}]"));
    put(
        "selector-fails.yaml",
        request("selectors: [{cel: {expression: \"device.attributes['d'].x\"}}]"));
    put("selector-int.yaml", request("selectors: [{cel: {expression: \"1\"}}]"));
    put("selector-lines.yaml", request("selectors: [{cel: {expression: \"a ==\\n\\n b ==\"}}]"));
    put("labels.yaml", documents("{apiVersion: v1, kind: Node, metadata: {name: n1, labels: 5}}"));
    put(
        "created.yaml",
        documents("{apiVersion: v1, kind: Node, metadata: {creationTimestamp: now}}"));
    put("many.yaml", GOOD.replace("[{name: a}]", "[" + "{name: 5}, ".repeat(1_000) + "{name: b}]"));
  }

  /** Values of types that the API server refuses, in fields that dra4j does not use itself. */
  private void fieldTypes() {
    String pod =
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {%scontainers: [{name: c, %s}]}}\n";
    put("type-command.yaml", pod.formatted("", "command: sleep"));
    put("type-env.yaml", pod.formatted("", "env: [{name: A, value: true}]"));
    put("type-port.yaml", pod.formatted("", "ports: [{containerPort: \"80\"}]"));
    put("type-limit.yaml", pod.formatted("", "resources: {limits: {memory: 1GB}}"));
    put("type-probe.yaml", pod.formatted("", "livenessProbe: {httpGet: {port: [80]}}"));
    put("type-host.yaml", pod.formatted("hostNetwork: \"true\", ", "image: i"));
    put("type-seconds.yaml", pod.formatted("terminationGracePeriodSeconds: 30s, ", "image: i"));
    put("type-right.yaml", pod.formatted("overhead: {cpu: 0.1}, ", "env: null, args: [a, null]"));
    String node = "{apiVersion: v1, kind: Node, metadata: {name: n1}, %s}\n";
    put("type-condition.yaml", node.formatted("status: {conditions: [{type: R, status: false}]}"));
    put("type-capacity.yaml", node.formatted("status: {capacity: {cpu: many}}"));
    put("type-cidrs.yaml", node.formatted("spec: {podCIDRs: 10.0.0.0/8}"));
    put("type-time.yaml", node.formatted("status: {conditions: [{lastHeartbeatTime: now}]}"));
    put("name-n.yaml", "{apiVersion: v1, kind: Node, metadata: {name: n}}\n");
    put("label-on.yaml", "{apiVersion: v1, kind: Node, metadata: {name: x, labels: {a: on}}}\n");
    put(
        "time-number.yaml",
        "{apiVersion: v1, kind: Node, metadata: {name: x, creationTimestamp: 17}}\n");
    put(
        "time-text.yaml",
        "{apiVersion: v1, kind: Node, metadata: {name: x, creationTimestamp: now}}\n");
    put(
        "list-cut.yaml",
        "{apiVersion: v1, kind: List, metadata: {continue: abc}, items: [" + NODE + "]}\n");
    put(
        "list-cut.json",
        "{\"apiVersion\": \"v1\", \"kind\": \"NodeList\", \"items\": [{\"metadata\": {\"name\": \"n\"}}],"
            + " \"metadata\": {\"continue\": \"abc\", \"remainingItemCount\": 5}}");
    put(
        "list-last.yaml",
        "{apiVersion: v1, kind: List, metadata: {continue: \"\"}, items: [" + NODE + "]}\n");
    String rule =
        "{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: t}, spec: {%staint:"
            + " {key: a, effect: NoSchedule}}}\n";
    put("rule-none.yaml", rule.formatted(""));
    put("rule-null.yaml", rule.formatted("deviceSelector: null, "));
    put("rule-empty.yaml", rule.formatted("deviceSelector: {}, "));
    put("rule-class.yaml", rule.formatted("deviceSelector: {deviceClassName: gpu}, "));
    put(
        "rule-class-pool.yaml",
        rule.formatted("deviceSelector: {pool: p, selectors: [{cel: {expression: 'true'}}]}, "));
    put("rule-pool.yaml", rule.formatted("deviceSelector: {pool: p}, "));
    put(
        "deleting.yaml",
        GOOD.replace("{name: c}", "{name: c, deletionTimestamp: \"2024-01-01T00:00:00Z\"}"));
  }

  private void clusters() {
    put("no-node.yaml", documents(SLICE, DEVICE_CLASS, CLAIM));
    put("other-node.yaml", GOOD.replace("{name: n1}", "{name: n2}"));
    put("no-slices.yaml", documents(NODE, DEVICE_CLASS, CLAIM));
    put("no-class.yaml", documents(NODE, SLICE, CLAIM));
    put("no-claim.yaml", documents(NODE, SLICE, DEVICE_CLASS));
    put("same-claim.yaml", documents(NODE, SLICE, DEVICE_CLASS, CLAIM, CLAIM));
    put("same-node.yaml", documents(NODE, NODE));
    put("other-version.yaml", documents(CLAIM, CLAIM.replace("k8s.io/v1", "k8s.io/v1beta2")));
    put("incomplete.yaml", GOOD.replace("resourceSliceCount: 1", "resourceSliceCount: 2"));
    put("same-device.yaml", GOOD.replace("[{name: a}]", "[{name: a}, {name: a}]"));
    put("no-driver.yaml", GOOD.replace("driver: d,", ""));
    put("no-spec.yaml", documents("{apiVersion: resource.k8s.io/v1, kind: ResourceClaim}"));
    put("no-name.yaml", cluster(CLAIM.replace("name: c", "generateName: c-")));
    refused();
    refusedPods();
    notLookedAt();
    workloads();
    put("bus-id.yaml", GOOD.replace("{name: a}", BUS_ID.formatted("nowhere")));
    put("bus-id-short.yaml", GOOD.replace("{name: a}", BUS_ID.formatted("01:00.0")));
    put("allocated.yaml", allocated("a"));
    put("allocated-elsewhere.yaml", allocated("ghost"));
    put("status-text.yaml", cluster(CLAIM.replace(END, "}}]}}, status: done}")));
    put("pod.yaml", pod("resourceClaimName: ghost"));
    put("pod-template.yaml", pod("resourceClaimTemplateName: ghost"));
    put("pod-neither.yaml", pod(""));
    put(
        "replicas.yaml",
        documents(
            "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {replicas: -1}}"));
    put(
        "replicas-huge.yaml",
        documents(
            "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {replicas:"
                + " 3000000000}}"));
    put(
        "job.yaml",
        documents(
            "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: -1}}"));
    put(
        "two-nodes.yaml",
        GOOD
            + "---\n"
            + SLICE.replace("name: s", "name: t").replace("n1", "n2").replace("name: p", "name: q")
            + "\n");
    put("selected.yaml", documents(SLICE.replace("nodeName: n1", "allNodes: true")));
    put(
        "constraint.yaml",
        cluster(
            CLAIM.replace(END, "}}], constraints: [{requests: [ghost], matchAttribute: d/x}]}}}")));
  }

  /** Pods that the API server refuses, and what it refuses only when it looks at expressions. */
  private void refusedPods() {
    put("pod-both.yaml", pod("resourceClaimName: c, resourceClaimTemplateName: t"));
    put("pod-twice.yaml", pod("resourceClaimName: c}, {name: gpu, resourceClaimName: c"));
    put("pod-entry-name.yaml", pod("resourceClaimName: c").replace("name: gpu", "name: GPU"));
    put("pod-undeclared.yaml", using(pod("resourceClaimName: c"), "claims: [{name: gpus}]"));
    put(
        "pod-request.yaml",
        using(pod("resourceClaimName: c"), "claims: [{name: gpu, request: rr}]"));
    String all = "device.attributes.all(%s, ".repeat(5).formatted("a", "b", "c", "d", "e");
    put("dear.yaml", request("selectors: [{cel: {expression: '" + all + "true)))))'}}]"));
    put("broken.yaml", request("selectors: [{cel: {expression: device.nope}}]"));
    put("slice-nodes.yaml", GOOD.replace("nodeName: n1", "nodeName: n1, allNodes: true"));
    put(
        "slice-values.yaml",
        GOOD.replace("{name: a}", "{name: a, attributes: {m: {string: a, int: 1}}}"));
    put("slice-device.yaml", GOOD.replace("{name: a}", "{name: A_1}"));
    put("node-name.yaml", documents(NODE.replace("n1", "N_1")));
    put("node-without-name.yaml", documents("{apiVersion: v1, kind: Node, metadata: {}}"));
  }

  /** Fields that affect the placement of a pod, but are ignored. */
  private void notLookedAt() {
    String pod = pod("resourceClaimName: c");
    put(
        "affinity.yaml",
        pod.replace(
            "spec: {c",
            "spec: {affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                + " [{topologyKey: a, namespaceSelector: {matchLabels: {team: a}}}]}}, c"));
    put("gated.yaml", pod.replace("spec: {c", "spec: {schedulingGates: [{name: x}], c"));
    put(
        "going.yaml",
        pod.replace("{name: p}", "{name: p, deletionTimestamp: '2024-01-01T00:00:00Z'}"));
    put("generated-name.yaml", pod.replace("{name: p}", "{generateName: p-}"));
    put(
        "tainted.yaml",
        GOOD.replace("{name: n1}", "{name: n1}, spec: {taints: [{key: k, effect: NoSchedule}]}"));
    put(
        "tainted-pod.yaml",
        pod.replace("{name: n1}", "{name: n1}, spec: {taints: [{key: k, effect: NoSchedule}]}"));
    put("tolerations.yaml", pod.replace("spec: {c", "spec: {tolerations: {key: k}, c"));
    put("node-affinity.yaml", pod.replace("spec: {c", "spec: {affinity: {nodeAffinity: x}, c"));
    put("lost.yaml", pod.replace("spec: {c", "spec: {nodeName: n7, c"));
    put("cordoned.yaml", GOOD.replace("{name: n1}", "{name: n1}, spec: {unschedulable: true}"));
    put(
        "not-ready.yaml",
        GOOD.replace(
            "{name: n1}", "{name: n1}, status: {conditions: [{type: Ready, status: 'False'}]}"));
    String asking = "spec: {containers: [{name: x, resources: {limits: {%s: 1}}}]}}";
    String plain = "{apiVersion: v1, kind: Pod, metadata: {name: p}, ";
    put(
        "extended.yaml",
        documents(
            NODE,
            SLICE,
            DEVICE_CLASS.replace("spec: {}", "spec: {extendedResourceName: example.com/gpu}"),
            plain + asking.formatted("example.com/gpu")));
    put(
        "extended-class.yaml",
        documents(NODE, SLICE, plain + asking.formatted("deviceclass.resource.kubernetes.io/x")));
    put("extended-other.yaml", documents(NODE, SLICE, plain + asking.formatted("example.com/gpu")));
  }

  /** A pod whose container uses something. */
  private static String using(String pod, String resources) {
    return pod.replace("containers: []", "containers: [{name: x, resources: {" + resources + "}}]");
  }

  /** Objects that the API server refuses. */
  private void refused() {
    String twins = CLAIM.replace("{name: r, exactly: {deviceClassName: x}}", "%s, %s");
    String one = "{name: %s, exactly: {deviceClassName: x%s}}";
    put(
        "same-request.yaml",
        cluster(twins.formatted(one.formatted("r", ""), one.formatted("r", ""))));
    put("no-request-name.yaml", cluster(CLAIM.replace("{name: r, ", "{")));
    put("request-name.yaml", cluster(CLAIM.replace("name: r", "name: GPU_1")));
    put(
        "same-alternative.yaml",
        cluster(
            CLAIM.replace(
                "exactly: {deviceClassName: x}",
                "firstAvailable: [{name: a, deviceClassName: x}, {name: a, deviceClassName: z}]")));
    put(
        "both.yaml",
        cluster(
            CLAIM.replace(
                "exactly:", "firstAvailable: [{name: a, deviceClassName: x}], exactly:")));
    put("count-all.yaml", request("allocationMode: All, count: 2"));
    put("toleration.yaml", request("tolerations: [{key: a, operator: Exist}]"));
    put("constraint-name.yaml", constrained("{matchAttribute: pcieRoot}"));
    put("constraint-near.yaml", constrained("{matchAttribute: resource.kubernetes.io/pcieroot}"));
    put(
        "config-request.yaml",
        cluster(
            CLAIM.replace(
                END, "}}], config: [{requests: [q], opaque: {driver: d, parameters: {}}}]}}}")));
    put("claim-without-name.yaml", cluster(CLAIM.replace("{name: c}", "{}")));
    put("class-without-name.yaml", GOOD.replace("{name: x}", "{}"));
    put("pod-without-name.yaml", pod("resourceClaimName: c").replace("{name: p}", "{}"));
    put("two-without-name.yaml", documents(NODE, SLICE, DEVICE_CLASS, NAMELESS, NAMELESS));
    put("taint-rule.yaml", GOOD + "---\n" + TAINT_RULE + "\n");
    put(
        "claim-template.yaml",
        cluster(
            CLAIM
                .replace("ResourceClaim", "ResourceClaimTemplate")
                .replace("spec: {dev", "spec: {spec: {dev")
                .replace("r, exactly", "R, exactly")
                .replace(END, END + "}")));
  }

  private static String constrained(String constraint) {
    return cluster(CLAIM.replace(END, "}}], constraints: [" + constraint + "]}}}"));
  }

  /** Objects whose pods use claims, but from which dra4j creates no pods. */
  private void workloads() {
    String pods = "template: {spec: {resourceClaims: [{name: g, resourceClaimTemplateName: t}]}}";
    for (String kind : List.of("Deployment", "ReplicaSet", "DaemonSet")) {
      put(kind.toLowerCase(Locale.ROOT) + "-claims.yaml", workload("apps/v1", kind, pods));
    }
    put(
        "cronjob-claims.yaml",
        workload("batch/v1", "CronJob", "jobTemplate: {spec: {" + pods + "}}"));
    put(
        "deployment-unused.yaml",
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {spec:"
            + " {containers: [{name: c, resources: {claims: [{name: other}]}}], resourceClaims:"
            + " [{name: g, resourceClaimTemplateName: t}]}}}}\n");
    put("cronjob.yaml", "{apiVersion: batch/v1, kind: CronJob, metadata: {name: x}}\n");
    put("replicas-zero.yaml", workload("argoproj.io/v1", "Rollout", "replicas: 0, " + pods));
  }

  private static String workload(String apiVersion, String kind, String spec) {
    return GOOD
        + "---\n{apiVersion: %s, kind: %s, metadata: {name: w, namespace: prod}, spec: {%s}}\n"
            .formatted(apiVersion, kind, spec);
  }

  private static String allocated(String device) {
    return cluster(
        CLAIM.replace(
            END,
            "}}]}}, status: {allocation: {devices: {results: [{request: r, driver: d, pool: p, device: %s}]}}}}"
                .formatted(device)));
  }

  private static String pod(String source) {
    return GOOD
        + "---\n{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [], resourceClaims: [{name: gpu, %s}]}}\n"
            .formatted(source);
  }

  private void overlays() {
    put("h100.xml", h100("0000:01:00.0"));
    put("a.xml", "<a/>");
    put("open.xml", "<system");
    put("unclosed.xml", "<system version=\"1\">\n <cpu numaid=\"0\">\n</system>\n");
    put("no-version.hwloc.xml", "<topology/>");
    put("hwloc1.xml", "<topology version=\"1.0\"/>");
    put("empty.nccl.xml", "<system version=\"1\"/>");
    put("doctype.xml", "<!DOCTYPE x [<!ENTITY y \"z\">]>\n<system>&y;</system>");
    put("busid.xml", h100("nowhere"));
    put("numaid.xml", h100("0000:01:00.0").replace("numaid=\"0\"", "numaid=\"many\""));
    put("bom.xml", "\uFEFF" + h100("0000:01:00.0"));
    files.put(
        "latin1.xml", "<system>\n<!-- \u00e9 -->\n</system>".getBytes(StandardCharsets.ISO_8859_1));
    files.put("utf16.xml", ("\uFEFF" + h100("0000:01:00.0")).getBytes(StandardCharsets.UTF_16LE));
    put("deep.xml", "<system>" + "<pci>".repeat(1_000));
    put("smi.txt", "        GPU0    GPU1\nGPU0    X       NV18\nGPU1    NV18    X\n");
    put("smi-cell.txt", "        GPU0    GPU1\nGPU0    X       WAT\nGPU1    WAT     X\n");
    put("smi-rows.txt", "        GPU0    GPU1\nGPU0    X       PIX\n");
    put("smi-order.txt", "        GPU0    GPU1\nGPU1    X       PIX\nGPU0    PIX     X\n");
    put("smi-twice.txt", "        GPU0    GPU0\nGPU0    X       PIX\n");
    put("smi-list.txt", "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n");
    put(
        "smi-error.txt",
        "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n");
    put("smi-not-found.txt", "bash: nvidia-smi: command not found\n");
  }

  /** Input that NCCL ignores as well, but that dra4j reports. */
  private void nccl() {
    String good = h100("0000:07:00.0");
    put("version.xml", good.replace("version=\"1\"", "version=\"99\""));
    put("pcie.xml", good.replace("pci ", "pcie ").replace("/pci>", "/pcie>"));
    put("speed.xml", good.replace("class=", "link_speed=\"fast\" class="));
  }

  private static String h100(String address) {
    return """
    <system version="1">
      <cpu numaid="0">
        <pci busid="%s" class="0x030200" vendor="0x10de" device="0x2330"><gpu dev="0"/></pci>
      </cpu>
    </system>
    """
        .formatted(address);
  }

  private void others() {
    put("profile.json", "{}");
    put("profile-field.json", "{\"speed\": 5}");
    put("profile-list.json", "[]");
    put("config.json", "{\"interface\": {\"mtu\": 9000}}");
    put("config-field.json", "{\"interfaces\": {}}");
    put("config-mtu.json", "{\"interface\": {\"mtu\": \"big\"}}");
    put("config-twice.json", "{\"interface\": {}, \"interface\": {}}");
    put("pools.json", "{\"profiles\": [{}]}");
  }
}
