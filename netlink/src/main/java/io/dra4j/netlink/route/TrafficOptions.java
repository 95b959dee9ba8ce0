package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The settings in the options of disciplines and filters ({@code TCA_OPTIONS}), as data: the kernel
 * also reports counters, times and hardware state in the options, and does not accept some of
 * these.
 */
final class TrafficOptions {

  private static final AttributeTable ACTION =
      AttributeTable.of(
          "TCA_ACT_",
          "KIND:text OPTIONS INDEX:u32 STATS:state PAD:state COOKIE FLAGS HW_STATS "
              + "USED_HW_STATS:state IN_HW_COUNT:state");

  /** The option of an action with its times ({@code struct tcf_t}), if it is not the first. */
  private static final Map<String, Integer> TIMES =
      Map.of("connmark", 2, "csum", 2, "ct", 2, "ctinfo", 2, "ife", 2, "nat", 2, "police", 6);

  /**
   * The option with the common fields of actions ({@code tc_gen}), if it is not the other of the
   * first two.
   */
  private static final Map<String, Integer> COMMON = Map.of("ctinfo", 3);

  private static final AttributeTable U32 =
      filter(
          "TCA_U32_",
          "CLASSID:u32 HASH:u32 LINK:u32 DIVISOR:u32 SEL POLICE ACT:nest INDEV:text PCNT:state "
              + "MARK FLAGS:u32 PAD:state");

  private static final AttributeTable HTB =
      AttributeTable.of("TCA_HTB_", "PARMS INIT CTAB RTAB DIRECT_QLEN:u32 RATE64 CEIL64 PAD:state");

  /** Times in microseconds, which the kernel stores in another unit and rounds down in reports. */
  private static final AttributeTable CODEL =
      AttributeTable.of("TCA_CODEL_", "TARGET:u32 LIMIT:u32 INTERVAL:u32 ECN:u32 CE_THRESHOLD:u32");

  private static final AttributeTable FQ_CODEL =
      AttributeTable.of(
          "TCA_FQ_CODEL_",
          "TARGET:u32 LIMIT:u32 INTERVAL:u32 ECN:u32 FLOWS:u32 QUANTUM:u32 CE_THRESHOLD:u32");

  private static final Map<String, AttributeTable> FILTERS =
      Map.of(
          "basic",
          filter("TCA_BASIC_", "CLASSID:u32 EMATCHES ACT:nest POLICE PCNT:state PAD:state"),
          "cgroup",
          filter("TCA_CGROUP_", "ACT:nest POLICE EMATCHES"),
          "flow",
          filter("TCA_FLOW_", "9=ACT:nest POLICE EMATCHES PERTURB:u32"),
          "flower",
          filter(
              "TCA_FLOWER_", "CLASSID:u32 INDEV:text ACT:nest 22=FLAGS:u32 86=IN_HW_COUNT:state"),
          "fw",
          filter("TCA_FW_", "CLASSID:u32 POLICE INDEV:text ACT:nest MASK:u32"),
          "matchall",
          filter("TCA_MATCHALL_", "CLASSID:u32 ACT:nest FLAGS:u32 PCNT:state PAD:state"),
          "route",
          filter("TCA_ROUTE4_", "CLASSID:u32 TO:u32 FROM:u32 IIF:u32 POLICE ACT:nest"),
          "u32",
          U32);

  private static final int FLAGS = 1 | 2 | 16; // TCA_CLS_FLAGS_SKIP_HW, _SKIP_SW, _VERBOSE

  private TrafficOptions() {}

  private static AttributeTable filter(String prefix, String text) {
    return AttributeTable.of(prefix, text).with("ACT", AttributeTable.listOf(ACTION));
  }

  /**
   * Returns the settings in options.
   *
   * @param kind the kind of object
   * @param type the type, for example {@code htb}
   * @throws IllegalArgumentException if the options are invalid
   */
  static byte[] set(ObjectKind kind, String type, byte[] options) {
    if (kind == ObjectKind.QUEUE_DISCIPLINE && type.equals("htb")) {
      return htb(options);
    }
    AttributeTable table = kind == ObjectKind.TRAFFIC_FILTER ? FILTERS.get(type) : null;
    if (table == null) {
      return options;
    }
    Attributes reported = Attributes.ofBytes(table, options);
    if (reported.has("ACT")) {
      Attributes actions = Attributes.none(AttributeTable.listOf(ACTION));
      int order = 0;
      for (Attributes action : reported.each("ACT")) {
        order++;
        actions = actions.with(order, still(action).toBytes());
      }
      reported = reported.with("ACT", actions);
    }
    if (table.names("FLAGS") && reported.has("FLAGS")) {
      int flags = reported.number("FLAGS").orElse(0) & FLAGS;
      reported = flags == 0 ? reported.without("FLAGS") : reported.with("FLAGS", flags);
    }
    return reported.toBytes();
  }

  /**
   * Returns the options of {@code codel} and {@code fq_codel} as they were set: the kernel stores
   * times in units of 1,024 ns and rounds them down in reports ({@code codel_time_to_us}).
   *
   * @throws IllegalArgumentException if the options are invalid
   */
  static byte[] codel(String type, byte[] options) {
    Attributes reported = Attributes.ofBytes(type.equals("codel") ? CODEL : FQ_CODEL, options);
    Attributes set = reported;
    for (String time : List.of("TARGET", "INTERVAL", "CE_THRESHOLD")) {
      if (reported.has(time)) {
        set = set.with(time, reported.number(time).orElse(0) + 1);
      }
    }
    return set.toBytes();
  }

  /** Returns an action without times and reference counts; only police has them elsewhere. */
  private static Attributes still(Attributes action) {
    int times = TIMES.getOrDefault(action.text("KIND"), 1);
    Attributes options =
        Attributes.ofBytes(AttributeTable.NONE, action.bytes("OPTIONS").orElse(new byte[0]))
            .without(times);
    int parameters = COMMON.getOrDefault(action.text("KIND"), times == 1 ? 2 : 1);
    byte[] common = options.bytes(parameters).orElse(new byte[0]);
    if (common.length >= 20 && !action.text("KIND").equals("police")) { // refcnt, bindcnt of tc_gen
      Arrays.fill(common, 12, 20, (byte) 0);
      options = options.with(parameters, common);
    }
    return action.with("OPTIONS", options);
  }

  /**
   * Returns whether a filter is the root of {@code u32}'s hash tables, which the kernel creates for
   * each priority: it has the bit of numbers that the kernel chose, no key, and one bucket.
   */
  static boolean isOwnTable(Payload filter) {
    boolean root = (filter.get("handle") & 0x800f_ffff) == 0x8000_0000;
    return root
        && filter.attributes().text("KIND").equals("u32")
        && Attributes.ofBytes(U32, filter.attributes().bytes("OPTIONS").orElse(new byte[0]))
                .number("DIVISOR")
                .orElse(1)
            == 1;
  }

  /**
   * Returns the options of {@code htb} as settings: {@code struct tc_htb_glob} has a counter, and a
   * version with a revision ({@code HTB_VER}), which the kernel accepts only without the revision.
   */
  private static byte[] htb(byte[] options) {
    Attributes reported = Attributes.ofBytes(HTB, options);
    byte[] init = reported.bytes("INIT").orElse(new byte[0]);
    if (init.length < 20) {
      return options;
    }
    ByteBuffer fields = ByteBuffer.wrap(init).order(ByteOrder.nativeOrder());
    int version = fields.getInt(0);
    fields.putInt(0, version >>> 16 == 0 ? version : version >>> 16).putInt(16, 0);
    return reported.with("INIT", init).toBytes();
  }
}
