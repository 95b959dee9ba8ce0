package io.dra4j.sysfs.overlay;

import java.util.List;
import java.util.Map;

/**
 * An element of an XML document.
 *
 * @param name its name
 * @param attributes its attributes by name
 * @param children the elements in it
 * @param text the text in it, without that of its children
 * @param line where it begins, from 1
 */
record XmlElement(
    String name,
    Map<String, String> attributes,
    List<XmlElement> children,
    StringBuilder text,
    int line) {

  /** An attribute; empty if it is not there. */
  String attribute(String attribute) {
    return attributes.getOrDefault(attribute, "");
  }
}
