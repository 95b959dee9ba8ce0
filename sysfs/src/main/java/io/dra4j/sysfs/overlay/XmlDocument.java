package io.dra4j.sysfs.overlay;

import io.dra4j.sysfs.text.KernelText;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads untrusted XML into elements: no document type is processed, only the five entities of XML
 * itself are accepted, nothing outside the document is opened, and the size is limited.
 */
final class XmlDocument {

  private static final int MAX_BYTES = 16 << 20;
  private static final int MAX_DEPTH = 96; // the parser of JDK 25 stops at 100 by itself
  private static final int MAX_ELEMENTS = 100_000;
  private static final int MAX_ATTRIBUTES = 64;

  private final String origin;
  private final Deque<XmlElement> open = new ArrayDeque<>();
  private @Nullable XmlElement root;
  private int elements;
  private int line = 1;

  private XmlDocument(String origin) {
    this.origin = origin;
  }

  /** Reads a document; throws if it is not XML, is too large, or its root has another name. */
  static XmlElement read(InputStream in, String origin, String rootName)
      throws OverlayException, IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new OverlayException(origin, 0, "is longer than " + MAX_BYTES + " bytes");
    }
    return new XmlDocument(origin).read(Utf8Text.of(bytes, origin), rootName);
  }

  private XmlElement read(String text, String rootName) throws OverlayException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
      while (reader.hasNext()) {
        int event = reader.next();
        line = Math.max(line, reader.getLocation().getLineNumber());
        if (event == XMLStreamConstants.START_ELEMENT) {
          begin(reader);
        } else if (event == XMLStreamConstants.END_ELEMENT) {
          open.removeLast();
        } else if (event == XMLStreamConstants.CHARACTERS && !open.isEmpty()) {
          open.getLast().text().append(reader.getText()); // at most as long as the document
        } else if (event == XMLStreamConstants.ENTITY_REFERENCE) {
          throw new OverlayException(
              origin, line, "refers to an entity; entities are not supported");
        }
      }
      return named(root, rootName, origin);
    } catch (XMLStreamException e) {
      Location at = e.getLocation();
      throw new OverlayException(
          origin,
          Math.max(at == null ? line : at.getLineNumber(), 0),
          at == null ? 0 : at.getColumnNumber(),
          "is not well-formed XML: " + reason(e));
    }
  }

  private void begin(XMLStreamReader reader) throws OverlayException {
    if (++elements > MAX_ELEMENTS || open.size() == MAX_DEPTH) {
      throw new OverlayException(
          origin,
          line,
          "has more than " + MAX_ELEMENTS + " elements, or more than " + MAX_DEPTH + " levels");
    }
    XmlElement element = element(reader, origin, line);
    if (open.isEmpty()) {
      root = element;
    } else {
      open.getLast().children().add(element);
    }
    open.addLast(element);
  }

  private static XmlElement named(@Nullable XmlElement root, String name, String origin)
      throws OverlayException {
    if (root == null || !root.name().equals(name)) {
      String found = root == null ? "none" : KernelText.quote(root.name());
      throw new OverlayException(
          origin,
          root == null ? 1 : root.line(),
          "expected the root element <" + name + ">, found " + found);
    }
    return root;
  }

  private static XmlElement element(XMLStreamReader reader, String origin, int line)
      throws OverlayException {
    int count = reader.getAttributeCount();
    if (count > MAX_ATTRIBUTES) {
      throw new OverlayException(origin, line, "has more than " + MAX_ATTRIBUTES + " attributes");
    }
    Map<String, String> attributes = new HashMap<>();
    for (int i = 0; i < count; i++) {
      attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
    }
    return new XmlElement(
        reader.getLocalName(), attributes, new ArrayList<>(), new StringBuilder(), line);
  }

  /** Returns the parser's message without the position, which it repeats on separate lines. */
  private static String reason(XMLStreamException e) {
    String message = String.valueOf(e.getMessage());
    int at = message.indexOf("Message: ");
    String text = at < 0 ? message : message.substring(at + "Message: ".length());
    return text.lines().findFirst().orElse("");
  }
}
