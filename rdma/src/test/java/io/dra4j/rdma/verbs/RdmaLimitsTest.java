package io.dra4j.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RdmaLimitsTest {

  private final List<String> warnings = new ArrayList<>();

  @TempDir private Path directory;

  private List<RdmaLimits> read(String... wrong) throws IOException, InterruptedException {
    return RdmaLimits.read(FakeLibrary.load(directory, wrong), warnings::add);
  }

  @Test
  void whatTheLibraryTellsOfADevice() throws Exception {
    List<RdmaLimits> all = read();

    assertThat(all).extracting(RdmaLimits::device).containsExactly("mlx9_0", "rxe9");
    RdmaLimits limits = all.get(0);
    assertThat(limits.firmwareVersion()).isEqualTo("28.39.1002");
    assertThat(limits.nodeGuid()).isEqualTo("506b:4b03:00f6:a3c2");
    assertThat(limits.sysImageGuid()).isEqualTo("506b:4b03:00f6:a3c0");
    assertThat(limits.values()).hasSize(DeviceField.values().length);
    assertThat(limits.get(DeviceField.MAX_QP)).isEqualTo(131_072);
    assertThat(limits.get(DeviceField.MAX_MR)).isEqualTo(16_777_216);
    assertThat(limits.get(DeviceField.MAX_SRQ_SGE)).isEqualTo(31);
    assertThat(limits.get(DeviceField.MAX_PKEYS)).isEqualTo(128);
    assertThat(limits.get(DeviceField.PHYS_PORT_CNT)).isEqualTo(2);
    assertThat(limits.get(DeviceField.DEVICE_CAP_FLAGS)).isEqualTo(0xed721c36L);
    assertThat(Long.toUnsignedString(limits.get(DeviceField.MAX_MR_SIZE)))
        .isEqualTo("18446744073709551615");
    assertThat(all.get(1).firmwareVersion()).isEmpty();
    assertThat(warnings).isEmpty();
  }

  @Test
  void numbersAreWrittenAsIbvDevinfoWritesThem() throws Exception {
    RdmaLimits limits = read().get(0);

    assertThat(text(limits, DeviceField.MAX_MR_SIZE)).isEqualTo("0xffffffffffffffff");
    assertThat(text(limits, DeviceField.VENDOR_ID)).isEqualTo("0x02c9");
    assertThat(text(limits, DeviceField.VENDOR_PART_ID)).isEqualTo("4129");
    assertThat(text(limits, DeviceField.HW_VER)).isEqualTo("0x1AB");
    assertThat(text(limits, DeviceField.DEVICE_CAP_FLAGS)).isEqualTo("0xed721c36");
    assertThat(DeviceField.MAX_QP).hasToString("max_qp");
    assertThat(PortField.LMC.text(7)).isEqualTo("0x07");
    assertThat(PortField.MAX_MSG_SZ.text(0x7fff_ffff)).isEqualTo("0x7fffffff");
    assertThat(PortField.BAD_PKEY_CNTR.text(0xab)).isEqualTo("0xab");
    assertThat(PortField.QKEY_VIOL_CNTR.text(0xcd)).isEqualTo("0xcd");
  }

  private static String text(RdmaLimits limits, DeviceField field) {
    return field.text(limits.get(field));
  }

  @Test
  void whatTheLibraryTellsOfPorts() throws Exception {
    List<PortLimits> ports = read().get(0).ports();

    assertThat(ports).extracting(PortLimits::number).containsExactly(1, 2);
    assertThat(ports.get(0).values())
        .containsEntry(PortField.STATE, 4L)
        .containsEntry(PortField.LID, 0xfffeL)
        .containsEntry(PortField.LMC, 7L)
        .containsEntry(PortField.PORT_CAP_FLAGS, 0x02514868L)
        .containsEntry(PortField.LINK_LAYER, 1L)
        .hasSize(PortField.values().length);
    assertThat(ports.get(0).maxMtu()).hasValue(4_096);
    assertThat(ports.get(0).activeMtu()).hasValue(1_024);
    assertThat(ports.get(0).pkeys()).containsExactly(0xffff, 0x1231);
    assertThat(ports.get(1).values()).containsEntry(PortField.STATE, 1L);
    assertThat(ports.get(1).activeMtu()).as("number 77").isEmpty();
    assertThat(ports.get(1).pkeys()).containsExactly(0xffff, 0x1232);
  }

  @Test
  void gidsHaveTheirPlaceTypeAndNetworkDevice() throws Exception {
    List<RdmaLimits> all = read();

    assertThat(all.get(0).ports().get(1).gids())
        .containsExactly(
            new VerbsGid(
                0, "fe80:0000:0000:0000:0100:0000:0000:0200", "IB/RoCE v1", OptionalInt.empty()),
            new VerbsGid(
                9, "fe80:0000:0000:0000:0100:0000:0000:0209", "IB/RoCE v1", OptionalInt.of(7)),
            new VerbsGid(255, "fe80:0000:0000:0000:0100:0000:0000:02ff", "", OptionalInt.empty()));
    assertThat(all.get(1).ports().get(0).gids())
        .extracting(VerbsGid::type)
        .containsExactly("RoCE v2", "RoCE v2", "");
  }

  /** rdma-core before 33 has no function for the whole table. */
  @Test
  void anOldLibraryTellsGidsOneByOne() throws Exception {
    assertThat(read("OLD").get(0).ports().get(0).gids())
        .extracting(VerbsGid::index, VerbsGid::value, VerbsGid::type)
        .containsExactly(
            tuple(0, "fe80:0000:0000:0000:0100:0000:0000:0100", ""),
            tuple(9, "fe80:0000:0000:0000:0100:0000:0000:0109", ""),
            tuple(255, "fe80:0000:0000:0000:0100:0000:0000:01ff", ""));
    assertThat(warnings).isEmpty();
  }

  @Test
  void whatAnOldLibraryCannotTellIsSaid() throws Exception {
    assertThat(read("OLD", "GIDS_FAIL").get(1).ports().get(0).gids()).hasSize(1);
    assertThat(warnings).contains("libibverbs: rxe9 port 1: ibv_query_gid 9: EIO");
  }

  @Test
  void gidsThatCannotBeAskedForAreSaid() throws Exception {
    assertThat(read("GIDS_FAIL").get(1).ports().get(0).gids()).isEmpty();
    assertThat(warnings).contains("libibverbs: rxe9: ibv_query_gid_table: EOPNOTSUPP");
  }

  @Test
  void aTableThatIsTooLargeIsReadInPart() throws Exception {
    assertThat(read("MANY_GIDS").get(1).ports().get(0).gids()).hasSize(3);
    assertThat(warnings)
        .contains("libibverbs: rxe9 port 1: 1073741824 GIDs; only the first 65536 are read");
  }

  @Test
  void aPortMayHaveNoGids() throws Exception {
    assertThat(read("NO_GIDS"))
        .allSatisfy(
            limits ->
                assertThat(limits.ports())
                    .isNotEmpty()
                    .allSatisfy(port -> assertThat(port.gids()).isEmpty()));
    assertThat(warnings).isEmpty();
  }

  @Test
  void aDeviceThatCannotBeOpenedCostsThatDevice() throws Exception {
    assertThat(read("OPEN_FAILS")).extracting(RdmaLimits::device).containsExactly("mlx9_0");
    assertThat(warnings).containsExactly("libibverbs: rxe9: ibv_open_device: EACCES");
  }

  @Test
  void aDeviceThatDoesNotAnswerCostsThatDevice() throws Exception {
    assertThat(read("DEVICE_FAILS")).extracting(RdmaLimits::device).containsExactly("rxe9");
    assertThat(warnings).containsExactly("libibverbs: mlx9_0: ibv_query_device: EIO");
  }

  @Test
  void aPortThatDoesNotAnswerCostsThatPort() throws Exception {
    assertThat(read("PORT_FAILS").get(0).ports()).extracting(PortLimits::number).containsExactly(1);
    assertThat(warnings).containsExactly("libibverbs: mlx9_0 port 2: ibv_query_port: ENODEV");
  }

  @Test
  void aKeyThatCannotBeReadEndsTheKeys() throws Exception {
    assertThat(read("PKEY_FAILS").get(1).ports().get(0).pkeys()).containsExactly(0xffff);
    assertThat(warnings).contains("libibverbs: rxe9 port 1: ibv_query_pkey 1: EINVAL");
  }

  @Test
  void aKernelWithoutRdmaHasNone() throws Exception {
    assertThat(read("NO_KERNEL")).isEmpty();
    assertThat(warnings).isEmpty();
  }

  @Test
  void aListThatCannotBeMadeIsSaid() throws Exception {
    assertThat(read("LIST_FAILS")).isEmpty();
    assertThat(warnings).containsExactly("libibverbs: ibv_get_device_list: ENOMEM");
  }

  @Test
  void aLibraryThatIsNotInstalledIsNone() {
    assertThat(RdmaLimits.read(VerbsLibrary.load("libnoibverbs.so.1"), warnings::add)).isEmpty();
    assertThat(warnings).isEmpty();
  }

  @Test
  void aLibraryThatCannotBeLoadedIsSaid() throws Exception {
    Path broken = Files.writeString(directory.resolve("libbroken.so.1"), "no library");

    assertThat(RdmaLimits.read(VerbsLibrary.load(broken.toString()), warnings::add)).isEmpty();
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("libibverbs: ")
        .contains("libbroken.so.1");
  }

  /** Whatever is installed here, the answer is whole or none. */
  @Test
  void thisMachineAnswers() {
    assertThat(RdmaLimits.read(warnings::add))
        .allSatisfy(limits -> assertThat(limits.get(DeviceField.MAX_QP)).isPositive());
  }

  @Test
  void aNumberThatWasNotToldIsRefused() {
    RdmaLimits limits = new RdmaLimits("rxe9", "", "", "", Map.of(), List.of());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> limits.get(DeviceField.MAX_QP))
        .withMessage("no max_qp of RDMA device rxe9");
  }
}
