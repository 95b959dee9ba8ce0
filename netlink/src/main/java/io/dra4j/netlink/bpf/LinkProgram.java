package io.dra4j.netlink.bpf;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * A BPF program attached to a link.
 *
 * @param index the index of the link
 * @param point the place at which it is attached
 * @param program the number of the program, as {@code bpftool prog} shows it
 * @param name the name of the program, at most 15 characters; empty if it has none or the caller
 *     lacks CAP_SYS_ADMIN
 * @param bpfLink the number of the BPF link that holds it, as {@code bpftool link} shows it; absent
 *     if it was attached directly
 */
public record LinkProgram(
    int index, AttachPoint point, int program, String name, OptionalInt bpfLink) {

  /** Checks that nothing is null. {@inheritDoc} */
  public LinkProgram {
    Objects.requireNonNull(point, "point");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(bpfLink, "bpfLink");
  }

  /** Returns the program for people, in the format of {@code bpftool net}. */
  @Override
  public String toString() {
    return "program "
        + program
        + (name.isEmpty() ? "" : " (" + name + ")")
        + " at "
        + point
        + " of link "
        + index
        + (bpfLink.isPresent() ? " by BPF link " + bpfLink.getAsInt() : "");
  }
}
