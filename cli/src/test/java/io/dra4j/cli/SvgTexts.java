package io.dra4j.cli;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The texts of a picture. */
public final class SvgTexts {

  private SvgTexts() {}

  /** Returns the texts of a picture, in order; fails if it is not XML. */
  public static List<String> in(String svg) {
    try {
      XMLStreamReader reader =
          XMLInputFactory.newDefaultFactory().createXMLStreamReader(new StringReader(svg));
      List<String> texts = new ArrayList<>();
      while (reader.hasNext()) {
        reader.next();
        if (reader.isStartElement() && reader.getLocalName().equals("text")) {
          texts.add(reader.getElementText());
        }
      }
      return texts;
    } catch (XMLStreamException e) {
      throw new AssertionError(svg, e);
    }
  }
}
