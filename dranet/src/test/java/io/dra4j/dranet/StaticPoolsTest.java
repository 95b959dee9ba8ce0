package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.spi.DriverException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses out of ranges, given and taken back. */
class StaticPoolsTest {

  @TempDir private Path folder;

  private StaticPools pools() throws IOException, DriverException {
    return StaticPools.open(folder.resolve("leases.json"))
        .add(
            "rail0",
            List.of(
                StaticPools.Range.parse("10.0.0.254-10.0.1.0/16"),
                StaticPools.Range.parse("2001:db8::ffff-2001:db8::1:ffff/64")),
            NetworkConfig.parse("{\"interface\": {\"mtu\": 9000}}"));
  }

  private static ProfileRequest request(String claim, String device) {
    return new ProfileRequest("rail0", claim, device, "");
  }

  private static String addresses(NetworkConfig config) {
    return String.valueOf(config.link().addresses());
  }

  @Test
  void eachDeviceGetsTheLowestFreeAddressOfEachRange() throws Exception {
    StaticPools pools = pools();

    NetworkConfig first = pools.acquire(request("a", "nic0"));
    NetworkConfig second = pools.acquire(request("a", "nic1"));

    assertThat(addresses(first)).isEqualTo("[10.0.0.254/16, 2001:db8::ffff/64]");
    assertThat(addresses(second)).isEqualTo("[10.0.0.255/16, 2001:db8::1:0/64]");
    assertThat(first.link().mtu()).isEqualTo(9000);
  }

  @Test
  void theSameRequestGetsTheSameAnswerInALaterProcess() throws Exception {
    NetworkConfig first = pools().acquire(request("a", "nic0"));

    NetworkConfig again = pools().acquire(request("a", "nic0"));
    NetworkConfig other = pools().acquire(request("b", "nic0"));

    assertThat(again).isEqualTo(first);
    assertThat(addresses(other)).contains("10.0.0.255/16");
  }

  @Test
  void whatIsGivenBackIsFree() throws Exception {
    StaticPools pools = pools();
    pools.acquire(request("a", "nic0"));
    pools.release(request("a", "nic0"));
    pools.release(request("a", "nic0"));

    assertThat(addresses(pools.acquire(request("b", "nic1")))).contains("10.0.0.254/16");
  }

  @Test
  void whenNothingIsFreeThatIsSaidAndNothingIsTaken() throws Exception {
    StaticPools pools = pools();
    for (String claim : List.of("a", "b", "c")) {
      pools.acquire(request(claim, "nic0"));
    }

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> pools.acquire(request("d", "nic0")))
        .withMessage("profile rail0: all addresses of 10.0.0.254-10.0.1.0/16 are in use")
        .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE));
    pools.release(request("b", "nic0"));
    assertThat(addresses(pools.acquire(request("d", "nic0")))).contains("10.0.0.255/16");
  }

  @Test
  void aProfileThatIsNotThereIsSaidWithItsPlace() throws Exception {
    StaticPools pools = pools();

    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> pools.acquire(new ProfileRequest("rail9", "a", "nic0", "")))
        .withMessage("/profile: no profile 'rail9', only rail0");
  }

  @Test
  void aFileThatIsSomethingElseIsRefused() throws Exception {
    Path file = folder.resolve("leases.json");
    for (String text : List.of("{}", "[", "{\"version\":1,\"leases\":[{\"addresses\":[\"x\"]}]}")) {
      Files.writeString(file, text);

      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> StaticPools.open(file))
          .withMessageContaining("leases.json");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "10.0.0.1", "10.0.0.9-10.0.0.1/24", "10.0.0.1-::1/64", "10.0.0.1-10.0.0.2/0"})
  void whatIsNoRangeIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> StaticPools.Range.parse(text));
  }
}
