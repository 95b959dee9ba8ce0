package io.dra4j.cel;

import dev.cel.common.exceptions.CelInvalidArgumentException;

/** The functions on URLs, after {@code urls.go} of the API server's CEL library. */
final class UrlFunctions {

  private UrlFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .add("string_to_url", String.class, UrlFunctions::url)
        .add("is_url_string", String.class, UrlFunctions::isUrl)
        .add("url_get_scheme", UrlValue.class, url -> url.url().scheme())
        .add("url_get_host", UrlValue.class, url -> url.url().host())
        .add("url_get_hostname", UrlValue.class, url -> url.url().hostname())
        .add("url_get_port", UrlValue.class, url -> url.url().port())
        .add("url_get_escaped_path", UrlValue.class, url -> url.url().escapedPath())
        .add("url_get_query", UrlValue.class, url -> url.url().query());
  }

  private static UrlValue url(String text) {
    try {
      Url.parseRequestUri(text); // refuses relative ones, but does not know fragments
      return new UrlValue(Url.parse(text));
    } catch (Url.SyntaxException e) {
      throw new CelInvalidArgumentException(
          "URL parse error during conversion from string: " + e.getMessage());
    }
  }

  private static boolean isUrl(String text) {
    try {
      Url.parseRequestUri(text);
      return true;
    } catch (Url.SyntaxException e) {
      return false;
    }
  }
}
