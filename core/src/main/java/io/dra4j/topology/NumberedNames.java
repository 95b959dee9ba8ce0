package io.dra4j.topology;

import java.util.Comparator;

/** The order of names in which numbers count as numbers, so that NIC10 comes after NIC9. */
final class NumberedNames implements Comparator<String> {

  @Override
  public int compare(String first, String second) {
    int i = 0;
    int j = 0;
    while (i < first.length() && j < second.length()) {
      int order;
      if (isDigit(first.charAt(i)) && isDigit(second.charAt(j))) {
        int firstEnd = endOfNumber(first, i);
        int secondEnd = endOfNumber(second, j);
        order = compareNumbers(first.substring(i, firstEnd), second.substring(j, secondEnd));
        i = firstEnd;
        j = secondEnd;
      } else {
        order = Character.compare(first.charAt(i++), second.charAt(j++));
      }
      if (order != 0) {
        return order;
      }
    }
    int order = Integer.compare(first.length() - i, second.length() - j);
    return order != 0 ? order : first.compareTo(second); // for example 7 and 07
  }

  private static int compareNumbers(String first, String second) {
    String one = withoutZeros(first);
    String other = withoutZeros(second);
    return one.length() != other.length()
        ? Integer.compare(one.length(), other.length())
        : one.compareTo(other);
  }

  private static String withoutZeros(String digits) {
    int from = 0;
    while (from < digits.length() && digits.charAt(from) == '0') {
      from++;
    }
    return digits.substring(from);
  }

  private static int endOfNumber(String name, int from) {
    int end = from;
    while (end < name.length() && isDigit(name.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }
}
