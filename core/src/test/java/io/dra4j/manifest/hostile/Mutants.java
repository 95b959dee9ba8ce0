package io.dra4j.manifest.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Random;

/** Good manifests to which random things were done. The same seed makes the same bytes. */
final class Mutants {

  static final String GOOD =
      """
      # a cluster
      apiVersion: v1
      kind: List
      items:
      - {apiVersion: v1, kind: Node, metadata: &m {name: node-1, labels: {a: b}}}
      - apiVersion: resource.k8s.io/v1beta1
        kind: ResourceSlice
        metadata: {name: s}
        spec:
          driver: d
          nodeName: node-1
          pool: {name: p, generation: 1, resourceSliceCount: 1}
          devices:
          - name: g
            basic:
              attributes: {a: {int: 1}, b: {string: "x\\ty"}, c: {bool: yes}, d: {version: 1.2.3}}
              capacity: {m: {value: 80Gi}}
              taints: [{key: k, effect: NoSchedule, timeAdded: 2026-01-31T12:00:00Z}]
      - {apiVersion: v1, kind: Node, metadata: {<<: *m, name: node-2}}
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: c
        annotations:
          text: |
            of several
            lines
      spec:
        devices:
          requests:
          - name: r
            exactly: {deviceClassName: g, count: 0x2, selectors: [{cel: {expression: 'true'}}]}
          config: [{opaque: {driver: d, parameters: {a: [1, 2.5, null, ~]}}}]
      ---
      {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"},
       "spec": {"resourceClaims": [{"name": "x", "resourceClaimName": "c"}]}}
      """;

  private static final String[] TOKENS = {
    "{",
    "}",
    "[",
    "]",
    ": ",
    ", ",
    "- ",
    "? ",
    "\n",
    "\t",
    " ",
    "&a ",
    "*a",
    "<<: ",
    "!!int ",
    "|\n",
    ">-\n",
    "\"",
    "'",
    "#",
    "---\n",
    "...\n",
    "%YAML 1.1\n",
    "\\",
    "\\u0000",
    "\ufeff",
    "\u2028",
    "~",
    "1e999",
    "0x",
    "items:",
    "kind: List\n",
    "\u0000",
    "\u4e00",
    "-",
    "2147483648",
    "9223372036854775808",
    "null"
  };

  private Mutants() {}

  static byte[] of(long seed) {
    Random random = new Random(seed);
    byte[] bytes = GOOD.getBytes(UTF_8);
    for (int i = random.nextInt(6); i >= 0; i--) {
      int at = random.nextInt(bytes.length + 1);
      int until = Math.min(bytes.length, at + random.nextInt(1 + random.nextInt(200)));
      bytes =
          switch (random.nextInt(4)) {
            case 0 -> splice(bytes, at, until, new byte[0], 1);
            case 1 ->
                splice(bytes, at, at, TOKENS[random.nextInt(TOKENS.length)].getBytes(UTF_8), 1);
            case 2 ->
                splice(
                    bytes,
                    at,
                    at,
                    java.util.Arrays.copyOfRange(bytes, at, until),
                    1 + random.nextInt(500));
            default ->
                splice(
                    bytes,
                    at,
                    Math.min(bytes.length, at + 1),
                    new byte[] {(byte) random.nextInt()},
                    1);
          };
    }
    return bytes;
  }

  private static byte[] splice(byte[] bytes, int from, int to, byte[] part, int times) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, from);
    for (int i = 0; i < times; i++) {
      out.writeBytes(part);
    }
    out.write(bytes, to, bytes.length - to);
    return out.toByteArray();
  }
}
