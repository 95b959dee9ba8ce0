package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** A request without an answer is explained to the person who chose the address. */
class ApiServerFailureTest {

  private static final String BASE = "https://10.0.0.1:6443";

  private static Throwable connectFailed(Throwable below) {
    return new ConnectException().initCause(below); // as the JDK's client nests them
  }

  @Test
  void anAddressThatNothingAnswers() {
    assertThat(ApiServer.failure(BASE, connectFailed(new ClosedChannelException())))
        .isEqualTo(BASE + " does not answer: no connection (refused or unreachable)");
    assertThat(ApiServer.failure(BASE, connectFailed(new UnresolvedAddressException())))
        .isEqualTo(BASE + " does not answer: its host name cannot be resolved");
    assertThat(ApiServer.failure(BASE, new IOException("Connection reset")))
        .isEqualTo(BASE + " does not answer: Connection reset");
  }

  @Test
  void aConnectionThatTheServerEndsBesideARefusal() {
    assertThat(ApiServer.failure(BASE, new IOException("/10.0.0.1:6443: GOAWAY received")))
        .isEqualTo(
            BASE
                + " closed the connection (/10.0.0.1:6443: GOAWAY received): it may have refused"
                + " the credentials (401)");
    assertThat(ApiServer.refusal(401, "Unauthorized"))
        .isEqualTo("the server refused the credentials (401): Unauthorized");
  }

  @Test
  void aPageInThePlaceOfJson() {
    Throwable page = catchThrowable(() -> new JsonMapper().readTree("<html><body>Login"));
    assertThat(ApiServer.failure(BASE, page))
        .startsWith(BASE + " returned a response that is not JSON")
        .contains("login page")
        .doesNotContain("Unexpected character");
  }

  @Test
  void anAnswerThatIsCutOff() {
    Throwable cut = catchThrowable(() -> new JsonMapper().readTree("{\"items\": ["));
    assertThat(ApiServer.failure(BASE, cut))
        .isEqualTo("the response of " + BASE + " ended too early");
  }

  @Test
  void aCertificateThatIsNotTrusted() {
    assertThat(ApiServer.failure(BASE, new SSLHandshakeException("PKIX path building failed")))
        .startsWith("TLS connection to " + BASE + " failed: PKIX path building failed")
        .endsWith("check certificate-authority in the kubeconfig file");
  }
}
