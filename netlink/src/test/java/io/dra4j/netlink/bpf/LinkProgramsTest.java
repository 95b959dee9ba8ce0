package io.dra4j.netlink.bpf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.dra4j.linux.Errno;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NativeAccess;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.route.LinkSettings;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs of two instructions, which the test loads and attaches itself. */
@EnabledIf("io.dra4j.linux.Privileges#canMakeNamespaces")
class LinkProgramsTest {

  private static final int PROG_LOAD = 5;
  private static final int PROG_ATTACH = 8;
  private static final int LINK_CREATE = 28;
  private static final int SCHED_CLS = 3;
  private static final int XDP = 6;
  private static final int XDP_ATTACH_TYPE = 37;

  private final NativeAccess kernel = NativeAccess.system();

  private NetworkNamespace namespace;
  private RouteNetlink route;
  private LinkPrograms programs;
  private int index;

  @BeforeEach
  void open() throws IOException {
    namespace = NetworkNamespace.create();
    route = RouteNetlink.open(namespace);
    route.links().create(NewLink.veth("veth0", "veth1"));
    index = route.links().get("veth0").index();
    programs = LinkPrograms.in(namespace);
  }

  @AfterEach
  void close() {
    route.close();
    namespace.close();
  }

  private static ByteBuffer memory(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }

  private FileDescriptor call(int command, ByteBuffer attributes) throws IOException {
    return namespace.call(
        () ->
            new FileDescriptor(
                kernel,
                LinuxException.check(
                    kernel.bpf(command, kernel.address(attributes), 128), "bpf " + command)));
  }

  /** {@code r0 = 2; exit}: XDP_PASS, and for tcx drop, through which nothing is sent here. */
  private FileDescriptor load(int type, String name) throws IOException {
    ByteBuffer code = memory(16).putLong(0, 0x2_0000_00b7L).putLong(8, 0x95);
    ByteBuffer license = memory(4).put(0, "GPL".getBytes(StandardCharsets.UTF_8));
    ByteBuffer attributes = memory(128).putInt(0, type).putInt(4, 2);
    attributes.putLong(8, kernel.address(code)).putLong(16, kernel.address(license));
    attributes.put(48, name.getBytes(StandardCharsets.UTF_8));
    return call(PROG_LOAD, attributes);
  }

  private boolean attach(FileDescriptor program, AttachPoint point) throws IOException {
    ByteBuffer attributes = memory(128).putInt(0, index).putInt(4, program.number());
    attributes.putInt(8, point.number());
    return namespace.call(() -> kernel.bpf(PROG_ATTACH, kernel.address(attributes), 128) == 0);
  }

  private FileDescriptor link(FileDescriptor program, int type, int flags) throws IOException {
    ByteBuffer attributes = memory(128).putInt(0, program.number()).putInt(4, index);
    return call(LINK_CREATE, attributes.putInt(8, type).putInt(12, flags));
  }

  /** As {@code ip link set xdp} does it. */
  private void attachXdp(FileDescriptor program, AttachPoint mode) throws IOException {
    ByteBuffer nest = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
    nest.putShort((short) 8).putShort((short) 1).putInt(program.number());
    nest.putShort((short) 8).putShort((short) 3).putInt(mode.number());
    route
        .links()
        .change(LinkKey.of(index), LinkSettings.none().attribute(43 | 0x8000, nest.array()));
  }

  private List<LinkProgram> list() throws IOException {
    return programs.list(index);
  }

  @Test
  void aLinkHasNoneAtFirst() throws IOException {
    assertThat(list()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = AttachPoint.class,
      names = {"TCX_INGRESS", "TCX_EGRESS"})
  void tcxProgramsAreListedInTheirOrderAndDetached(AttachPoint point) throws IOException {
    try (FileDescriptor first = load(SCHED_CLS, "first");
        FileDescriptor second = load(SCHED_CLS, "second")) {
      assumeThat(attach(first, point)).as("the kernel has tcx").isTrue();
      try (FileDescriptor held = link(second, point.number(), 0)) {
        assertThat(list()).extracting(LinkProgram::name).containsExactly("first", "second");
        assertThat(list()).extracting(LinkProgram::point).containsOnly(point);
        LinkProgram direct = list().get(0);
        LinkProgram byLink = list().get(1);
        assertThat(direct.bpfLink()).isEmpty();
        assertThat(byLink.bpfLink()).isPresent();

        programs.detach(byLink);
        assertThat(list()).containsExactly(direct);
        programs.detach(direct);
        assertThat(list()).isEmpty();

        assertThatExceptionOfType(LinuxException.class)
            .isThrownBy(() -> programs.detach(direct))
            .matches(e -> e.is(Errno.ENOENT));
        assertThatExceptionOfType(LinuxException.class)
            .isThrownBy(() -> programs.detach(byLink))
            .withMessageStartingWith("detach BPF link " + byLink.bpfLink().getAsInt());
        assertThat(held.isOpen()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"XDP_GENERIC, false", "XDP_GENERIC, true", "XDP_NATIVE, false", "XDP_NATIVE, true"})
  void xdpProgramsAreListedAndDetached(AttachPoint mode, boolean byLink) throws IOException {
    try (FileDescriptor program = load(XDP, "pass")) {
      FileDescriptor held = null;
      if (byLink) {
        held = link(program, XDP_ATTACH_TYPE, mode.number());
      } else {
        attachXdp(program, mode);
      }
      assertThat(list()).hasSize(1);
      LinkProgram only = list().get(0);
      assertThat(only.point()).isEqualTo(mode);
      assertThat(only.name()).isEqualTo("pass");
      assertThat(only.program()).isEqualTo(route.links().get(index).xdpProgram().getAsInt());
      assertThat(only.bpfLink().isPresent()).isEqualTo(byLink);

      programs.detach(only);

      assertThat(list()).isEmpty();
      assertThat(route.links().get(index).xdpProgram()).isEmpty();
      assertThatExceptionOfType(LinuxException.class).isThrownBy(() -> programs.detach(only));
      if (held != null) {
        held.close();
      }
    }
  }

  @Test
  void anXdpProgramThatReplacedAnotherStays() throws IOException {
    try (FileDescriptor old = load(XDP, "old");
        FileDescriptor next = load(XDP, "next")) {
      attachXdp(old, AttachPoint.XDP_GENERIC);
      LinkProgram before = list().get(0);
      attachXdp(next, AttachPoint.XDP_GENERIC);

      assertThatExceptionOfType(LinuxException.class)
          .isThrownBy(() -> programs.detach(before))
          .withMessage("detach " + before + ": ENOENT");
      assertThat(list()).extracting(LinkProgram::name).containsExactly("next");
    }
  }

  @Test
  void theSameProgramOnLinksOfTheSameNumberIsNotConfused() throws IOException {
    try (NetworkNamespace other = NetworkNamespace.create();
        RouteNetlink there = RouteNetlink.open(other);
        FileDescriptor program = load(XDP, "shared")) {
      there.links().create(NewLink.veth("veth0", "veth1"));
      assertThat(there.links().get("veth0").index()).isEqualTo(index);
      FileDescriptor here = link(program, XDP_ATTACH_TYPE, AttachPoint.XDP_GENERIC.number());
      ByteBuffer attributes = memory(128).putInt(0, program.number()).putInt(4, index);
      attributes.putInt(8, XDP_ATTACH_TYPE).putInt(12, AttachPoint.XDP_GENERIC.number());
      int number = other.call(() -> kernel.bpf(LINK_CREATE, kernel.address(attributes), 128));
      try (FileDescriptor elsewhere = new FileDescriptor(kernel, number)) {
        assertThatExceptionOfType(LinuxException.class)
            .isThrownBy(this::list)
            .matches(e -> e.is(Errno.ENOTUNIQ))
            .withMessageStartingWith("choose among BPF links ");
        assertThat(elsewhere.isOpen()).isTrue();
      }
      here.close();
    }
  }

  @Test
  void aDirectProgramIsDetachedWhereABpfLinkElsewhereHasTheSame() throws IOException {
    try (NetworkNamespace other = NetworkNamespace.create();
        RouteNetlink there = RouteNetlink.open(other);
        FileDescriptor program = load(XDP, "shared")) {
      there.links().create(NewLink.veth("veth0", "veth1"));
      ByteBuffer attributes = memory(128).putInt(0, program.number()).putInt(4, index);
      attributes.putInt(8, XDP_ATTACH_TYPE).putInt(12, AttachPoint.XDP_GENERIC.number());
      int number = other.call(() -> kernel.bpf(LINK_CREATE, kernel.address(attributes), 128));
      try (FileDescriptor elsewhere = new FileDescriptor(kernel, number)) {
        attachXdp(program, AttachPoint.XDP_GENERIC);

        programs.detach(list().get(0));

        assertThat(list()).isEmpty();
        assertThat(there.links().get("veth0").xdpProgram()).isPresent();
        assertThat(elsewhere.isOpen()).isTrue();
      }
    }
  }

  @Test
  void aLinkThatIsNotThereIsTold() {
    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> programs.list(9_999))
        .withMessage("list programs at TCX_INGRESS of link 9999: ENODEV");
  }

  /** The kernel as it is, but for what {@code bpf} answers. */
  private static NativeAccess answering(Errno errno) {
    NativeAccess kernel = NativeAccess.system();
    return (NativeAccess)
        Proxy.newProxyInstance(
            LinkProgramsTest.class.getClassLoader(),
            new Class<?>[] {NativeAccess.class},
            (proxy, method, arguments) ->
                method.getName().equals("bpf") ? -errno.code() : method.invoke(kernel, arguments));
  }

  @ParameterizedTest
  @EnumSource(
      value = Errno.class,
      names = {"ENOSYS", "EINVAL"})
  void anOldKernelHasNoPrograms(Errno errno) throws LinuxException {
    BpfCalls calls = new BpfCalls(answering(errno));

    assertThat(calls.query(1, AttachPoint.TCX_INGRESS)).isEmpty();
    assertThat(calls.query(1, AttachPoint.NETKIT_PEER)).isEmpty();
    assertThat(calls.xdpLink(1, 1)).isEqualTo(OptionalInt.empty());
  }

  @Test
  void aCallerWithoutCapabilitiesIsTold() {
    BpfCalls calls = new BpfCalls(answering(Errno.EPERM));

    assertThatExceptionOfType(LinuxException.class)
        .isThrownBy(() -> calls.query(1, AttachPoint.TCX_INGRESS))
        .withMessage("list programs at TCX_INGRESS of link 1: EPERM");
  }
}
