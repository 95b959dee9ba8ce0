package io.dra4j.cel.internal.library;

/** The specification of CEL to the letter, which no environment of Kubernetes has. */
public final class SpecificationDialect {

  /** The dialect in which all tests of the specification pass by its own answers. */
  public static final Dialect DIALECT = new Dialect(4, new PlainFormat(), false, true, true, false);

  private SpecificationDialect() {}
}
