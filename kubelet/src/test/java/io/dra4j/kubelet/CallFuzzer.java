package io.dra4j.kubelet;

import com.google.protobuf.InvalidProtocolBufferException;
import io.dra4j.kubelet.ClaimCalls.Answer;
import io.dra4j.kubelet.ClaimCalls.Asked;
import io.dra4j.kubelet.wire.ClaimMessage;
import io.dra4j.kubelet.wire.PrepareRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Reads any bytes as a call of the kubelet. Each UID gets one answer, and a claim that reaches the
 * driver has names that are safe as parts of a path. Jazzer finds the bytes; the entry point needs
 * nothing of it.
 */
public final class CallFuzzer {

  private static final Path DIRECTORY = Path.of("/var/lib/kubelet/plugins/driver");

  private static final ClaimCalls CALLS = new ClaimCalls("driver", false, null);

  private CallFuzzer() {}

  /**
   * The entry point of Jazzer.
   *
   * @param input any bytes
   */
  public static void fuzzerTestOneInput(byte[] input) {
    PrepareRequest request;
    try {
      request = PrepareRequest.parseFrom(input);
    } catch (InvalidProtocolBufferException e) {
      return; // gRPC answers
    }
    List<Asked> asked = request.getClaimsList().stream().map(KubeletPlugin::asked).toList();
    ClaimCalls.Call<String> call =
        CALLS.start("prepare", asked, Duration.ofSeconds(5), CallFuzzer::prepare);
    Map<String, Answer<String>> answers = call.all().orTimeout(6, TimeUnit.SECONDS).join();
    Set<String> uids = new HashSet<>();
    request.getClaimsList().stream().map(ClaimMessage::getUid).forEach(uids::add);
    if (!answers.keySet().equals(uids)) {
      throw new AssertionError("answers for " + answers.keySet() + " to claims " + uids);
    }
    answers.forEach(
        (uid, answer) -> {
          if (answer.value() == null && !answer.error().startsWith("claim")) {
            throw new AssertionError(uid + ": " + answer.error());
          }
        });
  }

  private static String prepare(DraClaim claim) {
    for (String name : List.of(claim.namespace(), claim.name(), claim.uid())) {
      Path file = DIRECTORY.resolve(name);
      if (!file.normalize().equals(file) || !DIRECTORY.equals(file.getParent())) {
        throw new AssertionError("leaves the directory: " + file);
      }
    }
    return claim.toString();
  }
}
