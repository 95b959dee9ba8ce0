package io.dra4j.dranet.dhcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpAddress;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes as they come from the wire, of servers that lie among them. */
class DhcpMessageTest {

  private static final HardwareAddress CLIENT = HardwareAddress.parse("02:00:00:00:00:01");
  private static final HardwareAddress SERVER = HardwareAddress.parse("02:00:00:00:00:02");
  private static final IpAddress ADDRESS = IpAddress.parse("192.0.2.50");

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  /** A reply with these bytes as options. */
  private static byte[] reply(String options) {
    byte[] head = new DhcpMessage(true, 7, 0, CLIENT, IpAddress.ANY_V4, ADDRESS, Map.of()).encode();
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.write(head, 0, 240);
    message.writeBytes(hex(options));
    return message.toByteArray();
  }

  private static DhcpMessage read(String options) throws MalformedPacketException {
    return DhcpMessage.decode(ByteBuffer.wrap(reply(options)));
  }

  private static UdpFrame frame(byte[] payload) {
    return new UdpFrame(
        SERVER, CLIENT, IpAddress.parse("192.0.2.1"), ADDRESS, 67, 68, ByteBuffer.wrap(payload));
  }

  @Test
  void aMessageIsLaidOutAsTheStandardSays() {
    byte[] bytes =
        new DhcpMessage(
                false,
                0x01020304,
                5,
                CLIENT,
                ADDRESS,
                IpAddress.ANY_V4,
                Map.of(53, new byte[] {1}, 61, new byte[] {0, 'x'}))
            .encode();

    assertThat(bytes).hasSize(300);
    assertThat(Arrays.copyOf(bytes, 34))
        .isEqualTo(
            hex("01010600 01020304 00050000 c0000232 00000000 00000000 00000000 020000000001"));
    assertThat(Arrays.copyOfRange(bytes, 236, 248)).isEqualTo(hex("63825363 350101 3d020078 ff"));
  }

  @Test
  void whatIsWrittenIsReadBackAlsoInParts() throws Exception {
    byte[] longOne = new byte[600];
    new Random(1).nextBytes(longOne);
    DhcpMessage message =
        new DhcpMessage(
            true, 9, 1, CLIENT, ADDRESS, ADDRESS, Map.of(53, new byte[] {5}, 121, longOne));

    DhcpMessage read = DhcpMessage.decode(ByteBuffer.wrap(message.encode()));

    assertThat(read.type()).isEqualTo(DhcpMessage.ACK);
    assertThat(read.options().get(121)).isEqualTo(longOne);
    assertThat(read.client()).isEqualTo(CLIENT);
    assertThat(read.yourAddress()).isEqualTo(ADDRESS);
  }

  @Test
  void optionsGoOnInTheFieldsOfFileAndName() throws Exception {
    byte[] bytes = reply("35 01 05 34 01 03 ff");
    System.arraycopy(hex("01 04 ff ff ff 00 ff"), 0, bytes, 108, 7);
    System.arraycopy(hex("36 04 c0 00 02 01 ff"), 0, bytes, 44, 7);

    DhcpMessage message = DhcpMessage.decode(ByteBuffer.wrap(bytes));

    assertThat(message.number(1)).contains(0xffffff00L);
    assertThat(message.address(54)).contains(IpAddress.parse("192.0.2.1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "35 | option 53 is truncated: only 0 bytes are left",
        "35 05 01 | option 53 is truncated: only 1 bytes are left",
        "00 00 35 ff 01 | option 53 is truncated: only 1 bytes are left",
        "34 01 04 ff | option 52 (overload): expected 1, 2 or 3",
        "34 00 ff | option 52 (overload): expected 1, 2 or 3",
        "34 02 01 01 ff | option 52 (overload): expected 1, 2 or 3",
      })
  void optionsThatLeadOutOfTheMessageAreRefused(String options, String text) {
    assertThatExceptionOfType(MalformedPacketException.class)
        .isThrownBy(() -> read(options))
        .withMessage(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "33 04 00 00 0e 10 ff | no subnet mask (option 1)",
        "01 04 ff ff ff 00 ff | no lease time (option 51)",
        "01 03 ff ff ff 33 04 00 00 0e 10 ff | option 1 has 3 bytes, expected 4",
        "01 04 00 00 00 00 33 04 00 00 0e 10 ff | 0x00000000 is not a subnet mask (option 1)",
        "01 04 ff 00 ff 00 33 04 00 00 0e 10 ff | 0xff00ff00 is not a subnet mask (option 1)",
        "01 04 ff ff ff fe 33 04 00 00 0e 10 03 00 ff | routers (option 3) of 0 bytes",
        "01 04 ff ff ff 00 33 04 00 00 0e 10 03 05 01 02 03 04 05 ff |"
            + " routers (option 3) of 5 bytes",
        "01 04 ff ff ff 00 33 04 00 00 0e 10 03 04 ff ff ff ff ff |"
            + " 255.255.255.255 is not the address of a router",
        "01 04 ff ff ff 00 33 04 00 00 0e 10 79 03 18 0a 00 ff |"
            + " classless routes (option 121) are truncated",
        "01 04 ff ff ff 00 33 04 00 00 0e 10 79 05 21 01 02 03 04 ff |"
            + " classless routes (option 121) are truncated",
        "01 04 ff ff ff 00 33 03 00 00 0e ff | option 51 has 3 bytes, expected 4",
      })
  void leasesThatCannotBeConfiguredAreRefused(String options, String text) {
    assertThatExceptionOfType(MalformedPacketException.class)
        .isThrownBy(() -> LeaseReader.read(read(options)))
        .withMessage(text);
  }

  @ParameterizedTest
  @CsvSource({"0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.0", "192.0.2.255"})
  void addressesOfNobodyAreRefused(String address) {
    DhcpMessage message =
        new DhcpMessage(
            true,
            1,
            0,
            CLIENT,
            IpAddress.ANY_V4,
            IpAddress.parse(address),
            Map.of(1, hex("ffffff00"), 51, hex("00000e10")));

    assertThatExceptionOfType(MalformedPacketException.class)
        .isThrownBy(() -> LeaseReader.read(message))
        .withMessage(address + "/24 is not an address for an interface");
  }

  @Test
  void moreRoutesThanAnyNetworkHasAreRefused() {
    ByteBuffer routes = ByteBuffer.allocate(65 * 9);
    for (int i = 0; i < 65; i++) {
      routes.put((byte) 32).put(new byte[] {10, 0, 0, (byte) i}).put(hex("c0000201"));
    }
    DhcpMessage message =
        new DhcpMessage(
            true,
            1,
            0,
            CLIENT,
            IpAddress.ANY_V4,
            ADDRESS,
            Map.of(1, hex("ffffff00"), 51, hex("ffffffff"), 121, routes.array()));

    assertThatExceptionOfType(MalformedPacketException.class)
        .isThrownBy(() -> LeaseReader.read(message))
        .withMessage("the lease has more than 64 routes");
  }

  @Test
  void aLeaseWithoutEndHasNone() throws Exception {
    Lease lease = LeaseReader.read(read("01 04 ff ff ff ff 33 04 ff ff ff ff ff"));

    assertThat(lease.seconds()).isEmpty();
    assertThat(lease.address()).hasToString("192.0.2.50/32");
    assertThat(lease.routes()).isEmpty();
  }

  @Test
  void aFrameIsReadBackAndEveryByteOfItsHeadsCounts() throws Exception {
    byte[] frame = frame(reply("35 01 05 ff")).encode();

    UdpFrame read = UdpFrame.decode(ByteBuffer.wrap(frame)).orElseThrow();

    assertThat(read.source()).isEqualTo(SERVER);
    assertThat(read.destinationPort()).isEqualTo(68);
    assertThat(DhcpMessage.decode(read.payload()).type()).isEqualTo(DhcpMessage.ACK);
    for (int i = 14; i < 34; i++) { // the head of the IP packet
      byte[] broken = frame.clone();
      broken[i] ^= 0x04;
      assertThatExceptionOfType(MalformedPacketException.class)
          .as("byte %d", i)
          .isThrownBy(() -> UdpFrame.decode(ByteBuffer.wrap(broken)));
    }
    byte[] broken = frame.clone();
    broken[frame.length - 1] ^= 1;
    assertThatExceptionOfType(MalformedPacketException.class)
        .isThrownBy(() -> UdpFrame.decode(ByteBuffer.wrap(broken)))
        .withMessage("wrong checksum of the UDP datagram");
  }

  @Test
  void framesOfOtherProtocolsAreNobodysFault() throws Exception {
    byte[] frame = frame(new byte[8]).encode();
    frame[12] = (byte) 0x86;
    frame[13] = (byte) 0xdd;

    assertThat(UdpFrame.decode(ByteBuffer.wrap(frame))).isEqualTo(Optional.empty());
    assertThat(UdpFrame.decode(ByteBuffer.wrap(new byte[10]))).isEqualTo(Optional.empty());
  }

  @Test
  void framesThatAreCutOffOrScrambledNeverFailOtherwise() {
    byte[] frame =
        frame(reply("35 01 05 01 04 ff ff ff 00 33 04 00 00 0e 10 34 01 03 ff")).encode();
    Random random = new Random(42);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = Arrays.copyOf(frame, random.nextInt(frame.length + 1));
      for (int j = random.nextInt(4); j > 0 && bytes.length > 0; j--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      survive(bytes, true);
      survive(Arrays.copyOfRange(bytes, Math.min(42, bytes.length), bytes.length), false);
    }
  }

  private static void survive(byte[] bytes, boolean framed) {
    try {
      ByteBuffer payload = ByteBuffer.wrap(bytes);
      if (framed) {
        Optional<UdpFrame> frame = UdpFrame.decode(payload);
        if (frame.isEmpty()) {
          return;
        }
        payload = frame.get().payload();
      }
      DhcpMessage message = DhcpMessage.decode(payload);
      message.type();
      LeaseReader.read(message);
    } catch (MalformedPacketException e) {
      assertThat(e).hasMessageMatching("[ -~]+");
    }
  }
}
