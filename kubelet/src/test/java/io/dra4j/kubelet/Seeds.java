package io.dra4j.kubelet;

import io.dra4j.kubelet.wire.ClaimMessage;
import io.dra4j.kubelet.wire.PrepareRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Calls of the kubelet, from which the fuzzer starts. */
public final class Seeds {

  private Seeds() {}

  /**
   * Writes each to a file, for Jazzer.
   *
   * @param args the directory
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    List<byte[]> inputs = inputs();
    for (int i = 0; i < inputs.size(); i++) {
      Files.write(directory.resolve("seed-" + i), inputs.get(i));
    }
  }

  /** No claim, one, two of one UID, and names that lead out of a directory. */
  static List<byte[]> inputs() {
    ClaimMessage claim = claim("default", "pod-nic", "1b2c-3d4e");
    return List.of(
        PrepareRequest.getDefaultInstance().toByteArray(),
        PrepareRequest.newBuilder().addClaims(claim).build().toByteArray(),
        PrepareRequest.newBuilder()
            .addClaims(claim)
            .addClaims(claim("other", "b", "1b2c-3d4e"))
            .addClaims(claim("other", "..", "../../etc/passwd"))
            .addClaims(claim("", "a/b", "a\0b"))
            .build()
            .toByteArray());
  }

  private static ClaimMessage claim(String namespace, String name, String uid) {
    return ClaimMessage.newBuilder().setNamespace(namespace).setName(name).setUid(uid).build();
  }
}
