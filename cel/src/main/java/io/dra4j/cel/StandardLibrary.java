package io.dra4j.cel;

/** All functions that expressions may call, save those that {@link Planner} makes nodes for. */
final class StandardLibrary {

  private StandardLibrary() {}

  static FunctionLibrary create() {
    return create(Dialect.KUBERNETES);
  }

  static FunctionLibrary create(Dialect dialect) {
    return new FunctionLibrary(
        library -> {
          ConversionFunctions.addTo(library);
          TimeFunctions.addTo(library, dialect);
          StringFunctions.addTo(library, dialect);
          RegexFunctions.addTo(library);
          ListFunctions.addTo(library);
          SetFunctions.addTo(library);
          OptionalFunctions.addTo(library);
          QuantityFunctions.addTo(library);
          SemVerFunctions.addTo(library);
          IpFunctions.addTo(library, dialect);
          UrlFunctions.addTo(library);
          FormatFunctions.addTo(library);
          AuthorizerFunctions.addTo(library);
        });
  }
}
