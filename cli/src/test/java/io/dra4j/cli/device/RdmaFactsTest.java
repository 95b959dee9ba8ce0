package io.dra4j.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.rdma.CharacterDevice;
import io.dra4j.rdma.CharacterDevices;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaGid;
import io.dra4j.spi.RdmaPort;
import io.dra4j.topology.PciAddress;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All known facts of an RDMA device are in the text and in JSON, including facts that are added
 * later.
 */
class RdmaFactsTest {

  private static final RdmaGid GID =
      new RdmaGid(3, "fe80:0000:0000:0000:0002:c903:00f9:bfa1", "RoCE v2", "eth0.7");

  private static final RdmaPort PORT =
      RdmaPort.numbered(1)
          .state("ACTIVE")
          .physicalState("LinkUp")
          .gigabitsPerSecond(56)
          .linkLayer("InfiniBand")
          .lid(932)
          .subnetManagerLid(1)
          .lidMaskCount(2)
          .capabilityMask(0x02514868)
          .maxMtu(4_096)
          .activeMtu(1_024)
          .netdev("ib0")
          .gids(List.of(GID))
          .pkeys(List.of(0x7fff))
          .build();

  private static final RdmaDevice DEVICE =
      RdmaDevice.named("mlx4_0")
          .index(17)
          .address(PciAddress.parse("0000:82:00.0"))
          .parent("eth9")
          .driver("mlx4_core")
          .protocol("ib")
          .nodeType("1: CA")
          .nodeGuid("0002:c903:00f9:bfa0")
          .sysImageGuid("0002:c903:00f9:bfa3")
          .firmwareVersion("2.11.500")
          .model("MT4099")
          .boardId("DEL0A30000019")
          .description("MT25408 ConnectX")
          .maxQueuePairs(262_144)
          .maxMemoryRegions(524_032)
          .ports(List.of(PORT))
          .build();

  private static final CharacterDevice NODE =
      new CharacterDevice(
          CharacterDevice.Kind.UMAD, "umad5", OptionalInt.of(9), 231, 64, OptionalInt.of(0600));

  private static Map<String, String> both(
      RdmaDevice device, RdmaPort port, RdmaGid gid, CharacterDevice node) {
    RdmaPort whole = port.gids().isEmpty() ? port : port.toBuilder().gids(List.of(gid)).build();
    RdmaDevice told =
        device.ports().isEmpty() ? device : device.toBuilder().ports(List.of(whole)).build();
    List<RdmaCommand.Report> reports =
        List.of(
            new RdmaCommand.Report(
                told, new CharacterDevices(List.of(node), List.of()), Map.of(), null));
    HostInventory host = HostInventory.builder().build();
    return Map.of(
        "text", RdmaText.of(host, reports, null, true), "json", RdmaJson.of(host, reports, null));
  }

  static Stream<Arguments> facts() {
    return Stream.<Record>of(DEVICE, PORT, GID, NODE)
        .flatMap(
            of ->
                Arrays.stream(of.getClass().getRecordComponents())
                    .map(fact -> Arguments.of(of, fact.getName())));
  }

  /** The output without the fact must differ. */
  @ParameterizedTest(name = "{1}")
  @MethodSource("facts")
  void isInBothOutputs(Record of, String fact) throws Exception {
    Record without = without(of, fact);
    Map<String, String> whole = both(DEVICE, PORT, GID, NODE);
    Map<String, String> rest =
        both(
            without instanceof RdmaDevice device ? device : DEVICE,
            without instanceof RdmaPort port ? port : PORT,
            without instanceof RdmaGid gid ? gid : GID,
            without instanceof CharacterDevice node ? node : NODE);

    for (String output : whole.keySet()) {
      assertThat(rest.get(output))
          .as("%s without %s of %s", output, fact, of.getClass().getSimpleName())
          .isNotEqualTo(whole.get(output));
    }
  }

  /** The same record with one component that is not known, or another where it always is. */
  private static Record without(Record of, String fact) throws Exception {
    RecordComponent[] components = of.getClass().getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = components[i].getAccessor().invoke(of);
      if (components[i].getName().equals(fact)) {
        Object known = values[i];
        values[i] = other(known);
        assertThat(known).as("%s of the example", fact).isNotNull().isNotEqualTo(values[i]);
      }
    }
    return (Record) of.getClass().getDeclaredConstructor(types).newInstance(values);
  }

  private static @Nullable Object other(@Nullable Object value) {
    if (value instanceof String) {
      return "";
    }
    if (value instanceof OptionalInt) {
      return OptionalInt.empty();
    }
    if (value instanceof OptionalLong) {
      return OptionalLong.empty();
    }
    if (value instanceof OptionalDouble) {
      return OptionalDouble.empty();
    }
    if (value instanceof List) {
      return List.of();
    }
    if (value instanceof Integer number) {
      return number + 1;
    }
    if (value instanceof CharacterDevice.Kind) {
      return CharacterDevice.Kind.ISSM;
    }
    return null;
  }
}
