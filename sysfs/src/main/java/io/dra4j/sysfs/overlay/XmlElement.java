package io.dra4j.sysfs.overlay;

import java.util.List;
import java.util.Map;

/**
 * An element of an XML document.
 *
 * @param name its name
 * @param attributes its attributes by name
 * @param children the elements in it
 * @param text its text, without the text of its children
 * @param line the line at which it begins, from 1
 */
record XmlElement(
    String name,
    Map<String, String> attributes,
    List<XmlElement> children,
    StringBuilder text,
    int line) {

  /** Returns an attribute; empty if it is missing. */
  String attribute(String attribute) {
    return attributes.getOrDefault(attribute, "");
  }
}
