package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.spi.DriverException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses from ranges, assigned and released. */
class StaticPoolsTest {

  @TempDir private Path directory;

  private StaticPools pools() throws IOException, DriverException {
    return StaticPools.open(directory.resolve("leases.json"))
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
        .withMessage("/profile: profile 'rail9' does not exist; profiles: rail0");
  }

  @Test
  void aFileThatIsSomethingElseIsRefused() throws Exception {
    Path file = directory.resolve("leases.json");
    for (String text : List.of("{}", "[", "{\"version\":1,\"leases\":[{\"addresses\":[\"x\"]}]}")) {
      Files.writeString(file, text);

      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> StaticPools.open(file))
          .withMessageContaining("leases.json");
    }
  }

  /** As the old and the new process of an update. */
  @Test
  void twoOwnersOfOneFileGiveNoAddressTwice() throws Exception {
    StaticPools one = pools();
    StaticPools two = pools();

    NetworkConfig first = one.acquire(request("a", "nic0"));
    NetworkConfig second = two.acquire(request("b", "nic0"));
    one.release(request("b", "nic0"));

    assertThat(addresses(first)).contains("10.0.0.254/16");
    assertThat(addresses(second)).contains("10.0.0.255/16");
    assertThat(addresses(two.acquire(request("c", "nic0")))).contains("10.0.0.255/16");
    assertThat(addresses(pools().acquire(request("a", "nic0")))).contains("10.0.0.254/16");
  }

  /** Links at each level of the path, and a step back behind one of them. */
  @Test
  void manyThreadsOfManyOwnersGiveNoAddressTwice() throws Exception {
    Path real = Files.createDirectories(directory.resolve("real/inner"));
    Path outer = Files.createSymbolicLink(directory.resolve("outer"), directory.resolve("real"));
    Path inner = Files.createSymbolicLink(directory.resolve("real/link"), real);
    List<Path> names =
        List.of(
            real.resolve("leases.json"),
            outer.resolve("inner/leases.json"),
            inner.resolve("leases.json"),
            outer.resolve("link/leases.json"),
            Files.createSymbolicLink(directory.resolve("deep"), real)
                .resolve("../inner/leases.json"));
    List<CompletableFuture<String>> all = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      String claim = "claim-" + i;
      Path file = names.get(i % names.size());
      all.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return addresses(
                      StaticPools.open(file)
                          .add(
                              "rail0",
                              List.of(StaticPools.Range.parse("10.0.0.1-10.0.0.24/24")),
                              NetworkConfig.EMPTY)
                          .acquire(request(claim, "nic0")));
                } catch (IOException | DriverException e) {
                  throw new CompletionException(e);
                }
              }));
    }

    assertThat(all.stream().map(CompletableFuture::join)).doesNotHaveDuplicates().hasSize(24);
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(one -> one.endsWith("leases.json"))).hasSize(1);
    }
  }

  /** A process that holds the lock is waited for. */
  @Test
  void anotherProcessIsWaitedFor() throws Exception {
    StaticPools pools = pools();
    pools.acquire(request("a", "nic0"));
    Path lock = directory.resolve("leases.json.lock");
    Process other = lockedByPython(lock);
    try {
      assertThat(other.getInputStream().read()).isEqualTo('l');
      CompletableFuture<NetworkConfig> waiting =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return pools.acquire(request("b", "nic0"));
                } catch (DriverException e) {
                  throw new CompletionException(e);
                }
              });
      assertThat(waiting.isDone()).isFalse();
      other.getOutputStream().close();

      assertThat(addresses(waiting.join())).contains("10.0.0.255/16");
    } finally {
      other.destroyForcibly();
    }
  }

  private static Process lockedByPython(Path lock) {
    try {
      return new ProcessBuilder(
              "python3",
              "-c",
              "import fcntl,sys\nf=open(sys.argv[1],'r+')\nfcntl.lockf(f,fcntl.LOCK_EX)\n"
                  + "print('locked',flush=True)\nsys.stdin.read()",
              lock.toString())
          .start();
    } catch (IOException e) {
      return Assumptions.abort("needs the program python3");
    }
  }

  @Test
  void filesAreReadableByTheirOwnerAlone() throws Exception {
    pools().acquire(request("a", "nic0"));

    for (String name : List.of("leases.json", "leases.json.lock")) {
      assertThat(Files.getPosixFilePermissions(directory.resolve(name)))
          .containsExactlyInAnyOrder(
              PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }
    assertThat(directory.resolve("leases.json.new")).doesNotExist();
  }

  /** A file of a release before, which all may read. */
  @Test
  void aFileThatAllMayReadIsTheOwnersAfterTheNextChange() throws Exception {
    Path file = directory.resolve("leases.json");
    Files.writeString(file, "{\"version\":1,\"leases\":[]}");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    pools().acquire(request("a", "nic0"));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void aPlantedLinkIsNotFollowed() throws Exception {
    Path victim = Files.writeString(directory.resolve("victim"), "precious");
    Files.createSymbolicLink(directory.resolve("leases.json.new"), victim);

    pools().acquire(request("a", "nic0"));

    assertThat(victim).hasContent("precious");
    assertThat(Files.isSymbolicLink(directory.resolve("leases.json"))).isFalse();
    Files.delete(directory.resolve("leases.json.lock"));
    Files.createSymbolicLink(directory.resolve("leases.json.lock"), victim);
    StaticPools pools = pools();
    assertThatExceptionOfType(DriverException.class)
        .isThrownBy(() -> pools.acquire(request("b", "nic0")))
        .withMessageContaining("leases.json.lock is a symbolic link, expected a regular file");
    assertThat(victim).hasContent("precious");
  }

  @Test
  void aFileThatIsALinkIsRefused() throws Exception {
    Path victim = Files.writeString(directory.resolve("victim"), "{\"version\":1,\"leases\":[]}");
    Files.createSymbolicLink(directory.resolve("leases.json"), victim);

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(this::pools)
        .withMessageContaining(
            "leases.json is a symbolic link, expected a regular file: remove the link");
  }

  /** If an entry were ignored, its address could be assigned twice. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'version':1}",
        "{'version':1,'leases':{}}",
        "{'version':1,'leases':[7]}",
        "{'version':1,'leases':[{'claimUid':'a','device':'nic0','addresses':[]}]}",
        "{'version':1,'leases':[{'profile':'rail0','claimUid':7,'device':'nic0','addresses':[]}]}",
        "{'version':1,'leases':[{'profile':'rail0','claimUid':'a','device':'nic0'}]}",
        "{'version':1,'leases':[{'profile':'rail0','claimUid':'a','device':'nic0',"
            + "'addresses':[7]}]}",
        "{'version':2,'leases':[]}"
      })
  void aDamagedFileIsRefusedAndStays(String json) throws Exception {
    String text = json.replace('\'', '"');
    Path file = Files.writeString(directory.resolve("leases.json"), text);

    assertThatExceptionOfType(IOException.class).isThrownBy(this::pools);
    assertThat(file).hasContent(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"leases.json", "leases.json.lock"})
  void aPipeIsRefusedAndNotWaitedFor(String name) throws Exception {
    try {
      Process mkfifo = new ProcessBuilder("mkfifo", directory.resolve(name).toString()).start();
      assertThat(mkfifo.waitFor()).isZero();
    } catch (IOException e) {
      Assumptions.abort("needs the program mkfifo");
    }

    assertThatThrownBy(() -> pools().acquire(request("a", "nic0")))
        .hasMessageContaining(name + " is not a regular file: remove it");
  }

  @Test
  void aFileThatIsTooLongIsRefused() throws Exception {
    try (RandomAccessFile file =
        new RandomAccessFile(directory.resolve("leases.json").toFile(), "rw")) {
      file.setLength(1L << 30);
    }

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(this::pools)
        .withMessageContaining("has more than 16777216 bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "10.0.0.1", "10.0.0.9-10.0.0.1/24", "10.0.0.1-::1/64", "10.0.0.1-10.0.0.2/0"})
  void whatIsNoRangeIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> StaticPools.Range.parse(text));
  }
}
