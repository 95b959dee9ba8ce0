package io.dra4j.cel.internal.library;

import com.google.errorprone.annotations.Immutable;

/**
 * What environments decide about the language itself.
 *
 * @param stringsVersion the version of the library of strings, as {@code ext.StringsVersion} of
 *     cel-go has it: 4 formats as the specification says, earlier ones as is written in English;
 *     texts are reversed from 3 on
 * @param folds whether conversions of constants are done before anything is evaluated, as with
 *     {@code cel.OptOptimize}; one that fails then refuses the expression
 * @param errorOnBadPresence whether {@code has()} and optional selections fail on what has no
 *     fields, as with {@code cel.EnableErrorOnBadPresenceTest}, instead of finding nothing
 * @param strict whether to keep to what the specification says and cel-go in no environment does:
 *     maps refuse repeated keys and keys that are neither booleans, integers nor strings, searches
 *     in strings refuse to begin behind the end, null joins the type before it in a literal, IPv4
 *     addresses may be written as IPv6 ones, and the milliseconds of a duration are those after its
 *     seconds
 */
@Immutable
public record Dialect(
    int stringsVersion, boolean folds, boolean errorOnBadPresence, boolean strict) {

  /** Every environment of Kubernetes 1.37. */
  public static final Dialect KUBERNETES = new Dialect(2, true, false, false);

  /** The specification of CEL to the letter. */
  public static final Dialect SPECIFICATION = new Dialect(4, false, true, true);

  /** How the library of strings formats values. */
  FormatStyle formatStyle() {
    return stringsVersion < 4 ? new EnglishFormat() : new PlainFormat();
  }
}
