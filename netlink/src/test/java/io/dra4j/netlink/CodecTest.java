package io.dra4j.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writer and reader of messages; numbers as on a little-endian machine. */
class CodecTest {

  private static final AttributeTable NAMES =
      AttributeTable.of("A_", "ONE TWO - FOUR")
          .with("FOUR", AttributeTable.of("B_", "FIRST SECOND"));

  private static MessageWriter writer() {
    return new MessageWriter().begin(16, 0, NAMES, "try");
  }

  private static Message read(MessageWriter writer) throws NetlinkException.Malformed {
    Message message = new Message();
    message.reset(writer.finish(0, 7, 9));
    assertThat(message.next()).isTrue();
    return message;
  }

  private static AttributeReader reader(String hex) {
    AttributeReader reader = new AttributeReader();
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.nativeOrder());
    reader.reset(buffer, 0, bytes.length);
    return reader;
  }

  @Test
  void messagesBeginWithLengthTypeFlagsSequenceAndPort() {
    ByteBuffer message = writer().appendU8(17).appendZeros(3).putU16(2, 0x1234).finish(5, 7, 9);
    byte[] bytes = new byte[message.remaining()];
    message.get(bytes);

    assertThat(RecordedTransport.hex(bytes))
        .isEqualTo("1c000000 10000500 07000000 09000000 11000000 06000200 34120000");
  }

  @Test
  void whatIsWrittenIsReadBack() throws NetlinkException.Malformed {
    MessageWriter writer = writer().appendU16(1).appendU16(2).appendU32(3);
    writer.putU8(1, 200).putU32(2, -5).putU64(3, Long.MIN_VALUE);
    int outer = writer.open(4);
    int inner = writer.open(1);
    writer.putString(2, "täxt").putFlag(3).close(inner);
    writer.putBigEndianU16(2, 0x1234).close(outer);
    writer.putBytes(5, new byte[] {1, 2, 3});

    Message message = read(writer);
    AttributeReader reader = message.attributes(8);

    assertThat(message.u16(2)).isEqualTo(2);
    assertThat(message.u32(4)).isEqualTo(3);
    assertThat(reader.next()).isTrue();
    assertThat(reader.u8()).isEqualTo(200);
    assertThat(reader.next()).isTrue();
    assertThat(reader.u32()).isEqualTo(-5);
    assertThat(reader.next()).isTrue();
    assertThat(reader.u64()).isEqualTo(Long.MIN_VALUE);
    assertThat(reader.next()).isTrue();
    assertThat(reader.type()).isEqualTo(4);
    reader.enter();
    assertThat(reader.next()).isTrue();
    reader.enter();
    assertThat(reader.next()).isTrue();
    assertThat(reader.string()).isEqualTo("täxt");
    assertThat(reader.next()).isTrue();
    assertThat(reader.length()).isZero();
    assertThat(reader.next()).isFalse();
    assertThat(reader.next()).isTrue();
    assertThat(reader.bigEndianU16()).isEqualTo(0x1234);
    assertThat(reader.next()).isFalse();
    assertThat(reader.next()).isTrue();
    assertThat(reader.bytes()).containsExactly(1, 2, 3);
    assertThat(reader.next()).isFalse();
    assertThat(message.next()).isFalse();
  }

  @Test
  void theEndOfANestComesBackToItsAttribute() throws NetlinkException.Malformed {
    AttributeReader reader = reader("0c000100 08000200 01000000 05000300 ff000000");
    reader.next();
    reader.enter();
    assertThat(reader.next()).isTrue();
    assertThat(reader.u32()).isOne();

    assertThat(reader.next()).isFalse();
    assertThat(reader.type()).isEqualTo(1);
    assertThat(reader.length()).isEqualTo(8);
    assertThat(reader.next()).isTrue();
    assertThat(reader.u8()).isEqualTo(255);
    assertThat(reader.next()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "00000100,           attribute is 0 bytes long",
    "03000100,           attribute is 3 bytes long",
    "05000100,           'attribute is 5 bytes long, expected 4 to 4'",
    "ffff0100 00000000,  attribute is 65535 bytes long",
    "04000100 0000,      '2 bytes left, an attribute has at least 4'",
  })
  void lengthsThatDoNotFitAreRefused(String hex, String problem) {
    AttributeReader reader = reader(hex);

    assertThatExceptionOfType(NetlinkException.Malformed.class)
        .isThrownBy(
            () -> {
              while (reader.next()) {
                assertThat(reader.length()).isNotNegative();
              }
            })
        .withMessageContaining(problem);
  }

  @Test
  void anAttributeLongerThanItsNestIsRefused() throws NetlinkException.Malformed {
    AttributeReader reader = reader("08000100 08000200 00000000");
    reader.next();
    reader.enter();

    assertThatExceptionOfType(NetlinkException.Malformed.class).isThrownBy(reader::next);
  }

  @Test
  void numbersMustHaveTheSizeTheyAreReadWith() throws NetlinkException.Malformed {
    AttributeReader reader = reader("06000100 01020000");
    reader.next();

    assertThatExceptionOfType(NetlinkException.Malformed.class)
        .isThrownBy(reader::u32)
        .withMessage("byte 4 of a datagram: attribute 1 has 2 bytes, expected 4");
    assertThatExceptionOfType(NetlinkException.Malformed.class).isThrownBy(reader::u8);
    assertThatExceptionOfType(NetlinkException.Malformed.class).isThrownBy(reader::u64);
    assertThatExceptionOfType(NetlinkException.Malformed.class).isThrownBy(() -> reader.u16(1));
    assertThatExceptionOfType(NetlinkException.Malformed.class).isThrownBy(() -> reader.u8(-1));
    assertThat(reader.u16()).isEqualTo(0x0201);
  }

  @Test
  void nestingIsLimited() {
    StringBuilder hex = new StringBuilder();
    for (int depth = 40; depth > 0; depth--) {
      hex.append(String.format("%02x000100", 4 * depth));
    }
    AttributeReader reader = reader(hex.toString());

    assertThatExceptionOfType(NetlinkException.Malformed.class)
        .isThrownBy(
            () -> {
              while (reader.next()) {
                reader.enter();
              }
            })
        .withMessageContaining("nested more than 16 deep");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10000000", // no whole header
        "0f000000 10000000 00000000 00000000", // shorter than its header
        "14000000 10000000 00000000 00000000", // longer than the datagram
        "ffffffff 10000000 00000000 00000000",
      })
  void messagesThatDoNotFitTheirDatagramAreRefused(String hex) {
    Message message = new Message();
    message.reset(ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", ""))));

    assertThatExceptionOfType(NetlinkException.Malformed.class).isThrownBy(message::next);
  }

  @Test
  void fieldsBeyondThePayloadAreRefused() throws NetlinkException.Malformed {
    Message message = read(writer().appendU16(1));

    assertThatExceptionOfType(NetlinkException.Malformed.class)
        .isThrownBy(() -> message.u32(0))
        .withMessageContaining("2 bytes of payload");
    assertThatExceptionOfType(NetlinkException.Malformed.class)
        .isThrownBy(() -> message.attributes(16));
    assertThatExceptionOfType(NetlinkException.Malformed.class).isThrownBy(() -> message.u8(-4));
  }

  @Test
  void textEndsAtTheFirstZeroByteOrWhereTheValueEnds() throws NetlinkException.Malformed {
    AttributeReader reader = reader("08000100 61006200 06000200 61620000");
    reader.next();
    assertThat(reader.string()).isEqualTo("a");
    reader.next();
    assertThat(reader.string()).isEqualTo("ab");
  }

  @Test
  void textsInACacheAreTheSameObject() throws NetlinkException.Malformed {
    TextCache cache = new TextCache();
    AttributeReader reader = reader("09000100 76657468 00000000 09000100 76657468 00000000");
    reader.next();
    String first = reader.string(cache);
    reader.next();

    assertThat(first).isEqualTo("veth");
    assertThat(reader.string(cache)).isSameAs(first);
  }

  @Test
  void aCacheGivesTheSameTextAsNone() throws NetlinkException.Malformed {
    TextCache cache = new TextCache();
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      String text = "ä".repeat(random.nextInt(2)) + Integer.toString(random.nextInt(2_000), 36);
      AttributeReader reader = read(writer().putString(1, text)).attributes(0);
      reader.next();
      assertThat(reader.string(cache)).isEqualTo(text);
    }
  }

  @Test
  void attributesOfARequestAreFoundByTheirOffset() {
    MessageWriter writer = writer().appendZeros(16).putU32(1, 1); // at 32
    int nest = writer.open(4); // at 40
    writer.putU32(2, 1); // at 44
    writer.close(nest);
    writer.putU32(3, 1); // at 52

    assertThat(writer.attributePath(32)).isEqualTo("A_ONE");
    assertThat(writer.attributePath(36)).isEqualTo("A_ONE");
    assertThat(writer.attributePath(40)).isEqualTo("A_FOUR");
    assertThat(writer.attributePath(44)).isEqualTo("A_FOUR/B_SECOND");
    assertThat(writer.attributePath(52)).isEqualTo("attribute 3");
    assertThat(writer.attributePath(20)).isEqualTo("offset 20");
    assertThat(writer.attributePath(-1)).isEqualTo("offset -1");
    assertThat(writer.attributePath(4_000)).isEqualTo("offset 4000");
    assertThat(writer.missingPath(-1, 2)).isEqualTo("A_TWO");
    assertThat(writer.missingPath(40, 1)).isEqualTo("A_FOUR/B_FIRST");
  }

  @Test
  void requestsGrowUpToALimit() {
    MessageWriter writer = writer();
    for (int i = 0; i < 15; i++) {
      writer.putBytes(1, new byte[65_000]);
    }

    assertThat(writer.attributePath(16 + 14 * 65_004)).isEqualTo("A_ONE");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.putBytes(1, new byte[65_000]).putBytes(1, new byte[65_000]))
        .withMessageContaining("larger than a message may be");
  }

  @Test
  void attributesTooLongForTheirLengthAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer().putBytes(1, new byte[65_532]))
        .withMessage("try: A_ONE of 65532 bytes is too long");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> {
              MessageWriter writer = writer();
              int nest = writer.open(1);
              writer.putBytes(1, new byte[40_000]).putBytes(1, new byte[40_000]).close(nest);
            })
        .withMessageContaining("too long");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer().putString(1, "a\0b"))
        .withMessage("try: A_ONE holds a zero byte");
  }

  @Test
  void wrongUseIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> writer().putU8(1, 1).appendU8(1))
        .withMessage("fields come before attributes");
    MessageWriter open = writer();
    open.open(1);
    assertThatIllegalStateException().isThrownBy(() -> open.finish(0, 0, 0));
  }

  @Test
  void paddingIsNotKept() throws NetlinkException.Malformed {
    AttributeTable table =
        AttributeTable.of("T_", "NUMBER:u64 INSIDE:nest PAD:state")
            .with("INSIDE", AttributeTable.of("I_", "NUMBER:u64"));

    Attributes read =
        Attributes.read(
            table,
            reader(
                "04000300 0c000100 05000000 00000000" // T_PAD, T_NUMBER
                    + "14000280 04000000 0c000100 06000000 00000000")); // type 0 is padding, too

    assertThat(read)
        .isEqualTo(
            Attributes.none(table)
                .with("NUMBER", 5)
                .with(
                    "INSIDE",
                    Attributes.none(AttributeTable.of("I_", "NUMBER:u64")).with("NUMBER", 6)));
  }

  /** Their length has 16 bits, of which 4 bytes are the header. */
  @Test
  void attributesThatAreTooLongAreRefusedBeforeTheirLengthIsCutOff() {
    AttributeTable table = AttributeTable.of("T_", "ONE NEST:nest NUMBER:u32");
    Attributes none = Attributes.none(table);

    Attributes longest = none.with("ONE", new byte[65_531]).with("NUMBER", 5);
    assertThat(longest.number("NUMBER")).hasValue(5);
    assertThat(longest.bytes("ONE").orElseThrow()).hasSize(65_531);
    for (int size : new int[] {65_532, 65_536, 70_000}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> none.with("ONE", new byte[size]))
          .withMessage("T_ONE of %d bytes, must be at most 65531", size);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> none.with("NUMBER", new byte[3]).number("NUMBER"))
        .withMessage("T_NUMBER has 3 bytes, too few for a number");
  }

  /** What fills up the last attribute of a nest need not be told, but is when it is written. */
  @Test
  void aNestThatWouldBeTooLongWithItsPaddingIsBroken() {
    AttributeTable table = AttributeTable.of("T_", "NEST:nest");
    ByteBuffer message = ByteBuffer.allocate(65_536).order(ByteOrder.nativeOrder());
    message.putShort((short) 65_535).putShort((short) 1);
    message.putShort((short) 65_531).putShort((short) 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Attributes.ofBytes(table, message.array()))
        .withMessageContaining("T_NEST of 65532 bytes, must be at most 65531");
  }
}
