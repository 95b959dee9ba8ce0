package io.dra4j.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubeletPathsTest {

  private static final String UID = "0b7f3c1e-6c57-4a2e-9d53-3f1f1c4f9a10";

  private static KubeletPaths usual(String driver) {
    return KubeletPaths.below(Path.of("/var/lib/kubelet"), driver);
  }

  @Test
  void registrarSocketOfARollingUpdateHasTheFirstNameThatFits() {
    assertThat(usual("gpu.example.com").registrarSocket("gpu.example.com", UID))
        .hasFileName("gpu.example.com-" + UID + "-reg.sock");
    String middle = "a".repeat(40) + ".example.com";
    assertThat(usual(middle).registrarSocket(middle, UID).getFileName().toString())
        .startsWith(middle + "-")
        .hasSize(middle.length() + 1 + 11 + "-reg.sock".length());
    String longest = "a".repeat(63);
    KubeletPaths deep = new KubeletPaths(Path.of("/" + "b".repeat(60)), Path.of("/p"));
    Path path = deep.registrarSocket(longest, UID);
    assertThat(path.getFileName().toString()).startsWith("dra-").endsWith("-reg.sock");
    assertThat(path).isNotEqualTo(deep.registrarSocket("b".repeat(63), UID));
  }

  @Test
  void pluginSocketOfARollingUpdateIsShortenedWhereItHasTo() {
    assertThat(usual("gpu.example.com").pluginSocket(UID)).hasFileName("dra-" + UID + ".sock");
    Path path = usual("a".repeat(63)).pluginSocket(UID);
    assertThat(path.getFileName().toString()).startsWith("dra-").hasSize("dra-".length() + 11);
  }

  @Test
  void socketHasAtMost107Bytes() {
    String socket = "/dra.sock";
    int most = KubeletPaths.SOCKET_PATH_MAXIMUM - socket.length();
    Path fits = Path.of("/" + "a".repeat(most - 1));
    assertThat(new KubeletPaths(fits, fits).pluginSocket(null)).hasFileName("dra.sock");
    Path longer = Path.of("/" + "a".repeat(most));
    assertThatThrownBy(() -> new KubeletPaths(longer, longer).pluginSocket(null))
        .hasMessageContaining("108 bytes")
        .hasMessageContaining("at most 107");
  }

  @Test
  void relativeDirectoryIsRefused() {
    assertThatThrownBy(() -> new KubeletPaths(Path.of("a"), Path.of("/b")))
        .hasMessageContaining("registrarDirectory must be an absolute path");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "../x", "a/b", "A.example.com", "a..b", "-a", "a_b"})
  void nameThatIsNoSubdomainIsRefused(String driver) {
    assertThatThrownBy(() -> usual(driver))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("DNS subdomain");
  }
}
