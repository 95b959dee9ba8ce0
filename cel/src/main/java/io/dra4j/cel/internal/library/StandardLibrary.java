package io.dra4j.cel.internal.library;

/** All functions that expressions may call, except those that {@code Planner} converts to nodes. */
public final class StandardLibrary {

  private StandardLibrary() {}

  /** Returns the library of Kubernetes. */
  public static FunctionLibrary create() {
    return create(Dialect.KUBERNETES);
  }

  /** Returns the library of a dialect. */
  public static FunctionLibrary create(Dialect dialect) {
    return new FunctionLibrary(
        library -> {
          ConversionFunctions.addTo(library);
          TimeFunctions.addTo(library, dialect);
          StringFunctions.addTo(library, dialect);
          RegexFunctions.addTo(library, dialect);
          ListFunctions.addTo(library, dialect);
          SetFunctions.addTo(library);
          OptionalFunctions.addTo(library, dialect);
          QuantityFunctions.addTo(library, dialect);
          SemVerFunctions.addTo(library);
          IpFunctions.addTo(library, dialect);
          UrlFunctions.addTo(library);
          FormatFunctions.addTo(library, dialect);
          AuthorizerFunctions.addTo(library);
        });
  }
}
