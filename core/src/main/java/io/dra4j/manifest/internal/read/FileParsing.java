package io.dra4j.manifest.internal.read;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.dra4j.manifest.InspectedFile;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestFile;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.SourcePosition;
import io.dra4j.manifest.internal.json.CodePointColumns;
import io.dra4j.manifest.internal.json.CodePointColumns.Unit;
import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.InputFile;
import io.dra4j.manifest.internal.json.JsonCursor;
import io.dra4j.manifest.internal.json.JsonDocuments;
import io.dra4j.manifest.internal.json.JsonFaults;
import io.dra4j.manifest.internal.yaml.Utf8Check;
import io.dra4j.manifest.internal.yaml.YamlCursor;
import io.dra4j.manifest.internal.yaml.YamlDocuments;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one file: a stream of JSON values or else YAML, by the rules of Kubernetes' tools. Only a
 * text that begins with a brace is tried as JSON. It may still be YAML, so that the file is read
 * again as YAML if it is not valid JSON.
 */
public final class FileParsing {

  private static final int BUFFER = 1 << 16;

  /** The number of bytes from which the encoding and the beginning of the text are determined. */
  private static final int START = 256;

  private static final Comparator<ManifestFinding> IN_ORDER_OF_THE_TEXT =
      Comparator.<ManifestFinding>comparingInt(one -> one.problem().origin().document())
          .thenComparingInt(
              one -> one.problem().place().isKnown() ? one.problem().place().line() : 0)
          .thenComparingInt(one -> one.problem().place().column());

  private final InputFile file;
  private final ManifestLimits limits;
  private final Reading reading;
  private boolean isYaml;

  public FileParsing(InputFile file, ManifestLimits limits, Reading reading) {
    this.file = file;
    this.limits = limits;
    this.reading = reading;
  }

  /**
   * Reads the file.
   *
   * @throws ManifestException if it cannot be read, with the places of all problems
   */
  public ManifestFile read() throws IOException, ManifestException {
    ObjectCollector objects = run();
    if (!objects.problems().isEmpty()) {
      throw new ManifestException(located(objects.problems()));
    }
    ManifestFile result = objects.result();
    return new ManifestFile(
        result.name(),
        result.manifests(),
        result.skipped(),
        located(objects.unknownFields()),
        locatedFindings(result.findings()),
        result.omitted());
  }

  /** Inspects the file; its objects are not kept. */
  public InspectedFile inspect() throws IOException {
    InspectedFile found = run().inspected();
    return new InspectedFile(
        found.name(),
        locatedFindings(found.findings()),
        found.omitted(),
        found.objects(),
        found.skipped());
  }

  private List<ManifestFinding> locatedFindings(List<ManifestFinding> findings) throws IOException {
    List<Problem> places = located(findings);
    List<ManifestFinding> located = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      ManifestFinding one = findings.get(i);
      located.add(new ManifestFinding(one.rule(), places.get(i), one.near()));
    }
    located.sort(IN_ORDER_OF_THE_TEXT);
    return located;
  }

  private List<Problem> located(Problems problems) throws IOException {
    return problems.list(file.name(), located(problems.findings()));
  }

  /** Reads the file once more to find the places of findings, if there are any. */
  private List<Problem> located(List<ManifestFinding> findings) throws IOException {
    List<Problem> problems = findings.stream().map(ManifestFinding::problem).toList();
    if (problems.isEmpty()) {
      return problems;
    }
    Encoding encoding = Encoding.of(file);
    if (!isYaml) {
      List<Problem> located = problems;
      try (JsonParser parser = encoding.parser(file, reading.shared().names(file.size()))) {
        located = PlaceFinder.locate(findings, new JsonCursor(parser));
      } catch (JsonProcessingException e) {
        // The rest was not read before either.
      }
      List<SourcePosition> places =
          encoding.inCodePoints(located.stream().map(Problem::place).toList(), file);
      List<Problem> counted = new ArrayList<>();
      for (int i = 0; i < places.size(); i++) {
        counted.add(Problems.at(located.get(i), places.get(i)));
      }
      return counted;
    }
    try (Reader text = encoding.open(file)) {
      return PlaceFinder.locate(findings, new YamlCursor(text));
    } catch (DocumentException e) {
      return problems;
    }
  }

  /** Reads the file; the problems of the result include everything that cannot be read. */
  private ObjectCollector run() throws IOException {
    Encoding encoding = Encoding.of(file);
    DocumentException notJson = null;
    if (encoding.beginsLikeJson()) {
      ObjectCollector objects = collector();
      notJson = readJson(encoding, objects);
      if (notJson == null) {
        return objects;
      }
    }
    return readYaml(encoding, notJson);
  }

  private ObjectCollector collector() {
    return new ObjectCollector(file, reading);
  }

  /** Reads JSON; returns the fault if the text may still be YAML. */
  private @Nullable DocumentException readJson(Encoding encoding, ObjectCollector objects)
      throws IOException {
    try (JsonParser parser = encoding.parser(file, reading.shared().names(file.size()))) {
      new JsonDocuments(parser, limits, objects).read();
    } catch (DocumentException e) {
      objects.fail(e);
    } catch (JsonProcessingException e) {
      DocumentException fault = JsonFaults.fault(e);
      if (!(e instanceof JsonEOFException) && !(e instanceof StreamConstraintsException)) {
        return fault;
      }
      objects.fail(fault);
    }
    return null;
  }

  private ObjectCollector readYaml(Encoding encoding, @Nullable DocumentException asJson)
      throws IOException {
    isYaml = true;
    DocumentException notJson = null;
    if (asJson != null) {
      SourcePosition place = encoding.inCodePoints(List.of(asJson.place()), file).get(0);
      notJson = place.isKnown() ? asJson.at(place) : asJson;
    }
    ObjectCollector objects = collector();
    try (Reader text = encoding.open(file)) {
      new YamlDocuments(text, limits, objects).read();
      if (notJson != null && isComment(encoding, notJson)) {
        objects = collector();
        objects.fail(notJson); // YAML would read the comment as a part of a name or value
      }
    } catch (DocumentException e) {
      DocumentException fault = encoding.isUtf8() ? Utf8Check.sharpen(e, file) : e;
      // If both readings failed, the fault that is later in the text is more useful.
      boolean isJson = notJson != null && notJson.fault().equals(JsonFaults.COMMENT);
      DocumentException further =
          notJson != null && (isJson || !fault.isBehind(notJson)) ? notJson : fault;
      objects.fail(isTemplate(encoding, further) ? further.because(Problems.TEMPLATE) : further);
    }
    return objects;
  }

  /** Whether a fault of JSON is a JavaScript comment, which is not a YAML comment either. */
  private boolean isComment(Encoding encoding, DocumentException fault) throws IOException {
    if (!fault.fault().equals(JsonFaults.COMMENT)) {
      return false;
    }
    String line = line(encoding, fault.place().line());
    int near = Math.min(line.length(), Math.max(0, fault.place().column() - 2));
    String found = line.substring(near, Math.min(line.length(), near + 3));
    return found.contains("//") || found.contains("/*");
  }

  private String line(Encoding encoding, int wanted) throws IOException {
    try (BufferedReader lines = new BufferedReader(encoding.open(file), BUFFER)) {
      String line = lines.readLine();
      for (int number = 1; number < wanted && line != null; number++) {
        line = lines.readLine();
      }
      return line == null ? "" : line;
    }
  }

  /** Whether the text of a line before and near a fault looks like a template of Helm or Jinja. */
  private boolean isTemplate(Encoding encoding, DocumentException fault) throws IOException {
    if (!fault.place().isKnown()) {
      return false;
    }
    try (BufferedReader lines = new BufferedReader(encoding.open(file), BUFFER)) {
      for (int number = 1; number <= fault.place().line(); number++) {
        String line = lines.readLine();
        if (line == null) {
          return false;
        }
        if (number >= fault.place().line() - 1 && Problems.isTemplate(line)) {
          return true;
        }
      }
    } catch (CharacterCodingException e) {
      return false; // the line break is the fault
    }
    return false;
  }

  /** The encoding of a file, and whether its text begins like JSON. */
  private record Encoding(Charset charset, int byteOrderMark, boolean beginsLikeJson) {

    static Encoding of(InputFile file) throws IOException {
      Charset charset = StandardCharsets.UTF_8;
      int byteOrderMark = 0;
      try (InputStream in = new BufferedInputStream(file.open(), START)) {
        in.mark(3);
        byte[] start = in.readNBytes(3);
        in.reset();
        int first = start.length > 0 ? start[0] & 0xFF : -1;
        int second = start.length > 1 ? start[1] & 0xFF : -1;
        if (first == 0xFE && second == 0xFF) {
          charset = StandardCharsets.UTF_16BE;
          byteOrderMark = 2;
        } else if (first == 0xFF && second == 0xFE) {
          charset = StandardCharsets.UTF_16LE;
          byteOrderMark = 2;
        } else if (first == 0 && second > 0) { // no text has a NUL: UTF-16 without a mark
          charset = StandardCharsets.UTF_16BE;
        } else if (first > 0 && second == 0) {
          charset = StandardCharsets.UTF_16LE;
        } else if (first == 0xEF && second == 0xBB && start.length > 2 && start[2] == (byte) 0xBF) {
          byteOrderMark = 3;
        }
        in.skipNBytes(byteOrderMark);
        int next = in.read();
        while (next == ' ' || next == '\n' || next == '\r' || next == '\t' || next == 0) {
          next = in.read();
        }
        return new Encoding(charset, byteOrderMark, next == '{' || next == 'n'); // or null
      }
    }

    boolean isUtf8() {
      return charset.equals(StandardCharsets.UTF_8);
    }

    /** Opens JSON; the parser reads bytes faster than characters. */
    JsonParser parser(InputFile file, JsonFactory names) throws IOException {
      return isUtf8() ? names.createParser(bytes(file)) : names.createParser(open(file));
    }

    /** Converts places of the JSON parser to places in code points. */
    List<SourcePosition> inCodePoints(List<SourcePosition> places, InputFile file)
        throws IOException {
      Unit unit =
          isUtf8()
              ? Unit.BYTE
              : charset.equals(StandardCharsets.UTF_16BE) ? Unit.UTF_16BE : Unit.UTF_16LE;
      return CodePointColumns.of(places, () -> bytes(file), unit);
    }

    /**
     * Opens the text after its byte order mark; bytes that are not text are reported as a fault.
     */
    Reader open(InputFile file) throws IOException {
      return new BufferedReader(new InputStreamReader(bytes(file), charset.newDecoder()), BUFFER);
    }

    private InputStream bytes(InputFile file) throws IOException {
      InputStream in = file.open();
      in.skipNBytes(byteOrderMark);
      return in;
    }
  }
}
