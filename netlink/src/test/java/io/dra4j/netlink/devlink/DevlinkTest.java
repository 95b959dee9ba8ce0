package io.dra4j.netlink.devlink;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u16;
import static io.dra4j.netlink.Recording.u32;
import static io.dra4j.netlink.Recording.u8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.Recording;
import io.dra4j.netlink.generic.GenericNetlink;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Conversations as the header {@code linux/devlink.h} says that they are. */
class DevlinkTest {

  private static final int FAMILY = 22;
  private static final DevlinkDevice DEVICE = new DevlinkDevice("pci", "0000:8f:00.0");
  private static final byte[] HANDLE =
      Recording.concat(attribute(1, text("pci")), attribute(2, text("0000:8f:00.0")));

  private static byte[] header(int command) {
    return new byte[] {(byte) command, 1, 0, 0};
  }

  private static Recording lookup() {
    return new Recording()
        .sent(16, 0, header(3), attribute(2, text("devlink")))
        .received(
            16,
            0,
            header(1),
            attribute(2, text("devlink")),
            attribute(1, u16(FAMILY)),
            attribute(3, u32(1)),
            attribute(7, attribute(1, attribute(2, u32(9)), attribute(1, text("config")))));
  }

  private static Devlink play(Recording recording) throws NetlinkException {
    return Devlink.over(GenericNetlink.over(NetlinkSocket.over(recording.play())));
  }

  @Test
  void devicesAreRead() throws NetlinkException {
    Recording recording =
        lookup()
            .sent(FAMILY, MessageFlags.DUMP, header(1))
            .received(FAMILY, MessageFlags.MULTI, header(3), HANDLE, attribute(136, u8(0)))
            .done();

    assertThat(play(recording).devices()).containsExactly(DEVICE);
  }

  @Test
  void versionsAreReadByKind() throws NetlinkException {
    Recording recording =
        lookup()
            .sent(FAMILY, 0, header(51), HANDLE)
            .received(
                FAMILY,
                0,
                header(51),
                HANDLE,
                attribute(98, text("mlx5_core")),
                attribute(99, text("MT1")),
                attribute(100, attribute(103, text("fw.psid")), attribute(104, text("MT_0838"))),
                attribute(101, attribute(103, text("fw.version")), attribute(104, text("28.39"))),
                attribute(102, attribute(103, text("fw.version")), attribute(104, text("28.40"))));

    assertThat(play(recording).information(DEVICE))
        .isEqualTo(
            new DeviceInformation(
                DEVICE,
                "mlx5_core",
                "MT1",
                "",
                Map.of("fw.psid", "MT_0838"),
                Map.of("fw.version", "28.39"),
                Map.of("fw.version", "28.40")));
  }

  @Test
  void theModeOfTheSwitchIsRead() throws NetlinkException {
    Recording recording =
        lookup()
            .sent(FAMILY, 0, header(29), HANDLE)
            .received(FAMILY, 0, header(29), HANDLE, attribute(25, u16(1)))
            .sent(FAMILY, 0, header(29), HANDLE)
            .answered(95);
    Devlink devlink = play(recording);

    assertThat(devlink.switchMode(DEVICE)).isEqualTo(Devlink.SwitchMode.SWITCHDEV);
    assertThatExceptionOfType(NetlinkException.Unsupported.class)
        .isThrownBy(() -> devlink.switchMode(DEVICE))
        .withMessage("get eswitch mode of pci/0000:8f:00.0: EOPNOTSUPP");
  }

  @Test
  void familiesAreKnownWithTheirGroups() throws NetlinkException {
    try (GenericNetlink netlink = GenericNetlink.over(NetlinkSocket.over(lookup().play()))) {
      assertThat(netlink.family("devlink").groups()).isEqualTo(Map.of("config", 9));
      assertThat(netlink.family("devlink").id()).isEqualTo(FAMILY); // asked once
    }
  }

  @Test
  void aFamilyThatTheKernelLacksIsNotFound() throws IOException {
    try (GenericNetlink netlink = GenericNetlink.open()) {
      assertThatExceptionOfType(NetlinkException.NotFound.class)
          .isThrownBy(() -> netlink.family("no-such-family"))
          .withMessageStartingWith("look up netlink family no-such-family: ENOENT");
    }
  }
}
