package io.dra4j.cel.internal.library;

import com.google.errorprone.annotations.Immutable;
import io.dra4j.cel.internal.text.Unicode;

/**
 * The rules of an environment for the language itself.
 *
 * @param stringsVersion the version of the library of strings, as {@code ext.StringsVersion} of
 *     cel-go has it: texts are reversed from 3 on
 * @param formatStyle how that library formats values: up to version 3 as is written in English
 * @param folds whether conversions of constants are done before anything is evaluated, as with
 *     {@code cel.OptOptimize}; one that fails then refuses the expression
 * @param errorOnBadPresence whether {@code has()} and optional selections fail on what has no
 *     fields, as with {@code cel.EnableErrorOnBadPresenceTest}, instead of finding nothing
 * @param strict whether to keep to what the specification says and cel-go in no environment does:
 *     maps refuse repeated keys and keys that are neither booleans, integers nor strings; searches
 *     in strings refuse to begin behind the end; null joins the type before it in a literal; IPv4
 *     addresses may be written as IPv6 ones; the milliseconds of a duration are those after its
 *     seconds
 * @param sparesFailures what cel-go does since 0.30: a call, list, map or message of which a part
 *     failed costs nothing, and ends at that part; NaN is in no order to a number, which is false
 *     and no error; and a device fails only where an attribute that is not sound is read
 */
@Immutable
public record Dialect(
    int stringsVersion,
    FormatStyle formatStyle,
    boolean folds,
    boolean errorOnBadPresence,
    boolean strict,
    boolean sparesFailures) {

  /** Every environment of Kubernetes up to 1.37, whose cel-go is 0.29. */
  public static final Dialect KUBERNETES =
      new Dialect(2, new EnglishFormat(Unicode.V15), true, false, false, false);

  /** Every environment of Kubernetes 1.38, whose cel-go is 0.33. */
  public static final Dialect KUBERNETES_1_38 =
      new Dialect(2, new EnglishFormat(Unicode.V17), true, false, false, true);

  /** Returns the characters that the Go of the release knows. */
  public Unicode unicode() {
    return sparesFailures ? Unicode.V17 : Unicode.V15;
  }
}
