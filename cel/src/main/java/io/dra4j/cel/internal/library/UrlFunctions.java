package io.dra4j.cel.internal.library;

import com.google.common.collect.ImmutableList;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.dra4j.cel.internal.text.Url;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.MemoryCost;
import io.dra4j.cel.internal.value.UrlValue;
import java.util.Map;

/** The functions on URLs, after {@code urls.go} of the API server's CEL library. */
final class UrlFunctions {

  /** Of {@link EvaluationMeter#spend}, for a parameter of a query. */
  private static final int UNITS = 20;

  private static final FunctionCost READ = new FunctionCost(Estimates.sameText(0), CallCost.FIRST);

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      getEscapedPath
        url_get_escaped_path kubernetes.URL.() string
      getHost
        url_get_host kubernetes.URL.() string
      getHostname
        url_get_hostname kubernetes.URL.() string
      getPort
        url_get_port kubernetes.URL.() string
      getQuery
        url_get_query kubernetes.URL.() map(string,list(string))
      getScheme
        url_get_scheme kubernetes.URL.() string
      isURL
        is_url_string (string) bool
      url
        string_to_url (string) kubernetes.URL
      """;

  private UrlFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .add("string_to_url", READ, String.class, UrlFunctions::url)
        .add("is_url_string", FunctionCost.ONE, String.class, UrlFunctions::isUrl)
        .add("url_get_scheme", FunctionCost.ONE, UrlValue.class, url -> url.url().scheme())
        .add("url_get_host", FunctionCost.ONE, UrlValue.class, url -> url.url().host())
        .add("url_get_hostname", FunctionCost.ONE, UrlValue.class, url -> url.url().hostname())
        .add("url_get_port", FunctionCost.ONE, UrlValue.class, url -> url.url().port())
        .add(
            "url_get_escaped_path",
            FunctionCost.ONE,
            UrlValue.class,
            url -> url.url().escapedPath())
        .addLengthy(
            "url_get_query",
            FunctionCost.ONE,
            ImmutableList.of(UrlValue.class),
            (args, work) -> query((UrlValue) args[0], work));
  }

  private static Map<String, ImmutableList<String>> query(UrlValue url, EvaluationMeter work) {
    Map<String, ImmutableList<String>> query = url.url().query();
    work.takes(MemoryCost.CONTAINER);
    query.forEach(
        (name, values) -> {
          work.spend(UNITS + values.size());
          work.takes(
              MemoryCost.TEXT + 2L * name.length() + MemoryCost.ENTRY + MemoryCost.ofTexts(values));
        });
    return query;
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
