package io.dra4j.netlink;

import io.dra4j.linux.Errno;
import io.dra4j.linux.LinuxException;
import java.io.IOException;
import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that the kernel refused, or a conversation that failed. The kinds are those that
 * callers distinguish; the message says what was asked for, the error's name, the kernel's own
 * words and the attribute that they are about:
 *
 * <pre>set mtu 70000 on link veth0: EINVAL, kernel says: mtu greater than device maximum (IFLA_MTU)
 * </pre>
 */
public abstract sealed class NetlinkException extends IOException {

  @Serial private static final long serialVersionUID = 1;

  /** What was asked for. */
  private final String operation;

  /** The error number. */
  private final int errno;

  /** The kernel's words. */
  private final String kernelText;

  /** The attribute they are about. */
  private final String attribute;

  /** The attribute that the kernel wanted. */
  private final String missingAttribute;

  private NetlinkException(String operation, KernelError error) {
    super(describe(operation, error));
    this.operation = operation;
    this.errno = error.errno();
    this.kernelText = error.text();
    this.attribute = error.attribute();
    this.missingAttribute = error.missing();
  }

  private NetlinkException(String operation, int errno, String problem, @Nullable Throwable cause) {
    super(operation.isEmpty() ? problem : operation + ": " + problem, cause);
    this.operation = operation;
    this.errno = errno;
    this.kernelText = "";
    this.attribute = "";
    this.missingAttribute = "";
  }

  private static String describe(String operation, KernelError error) {
    StringBuilder text = new StringBuilder(operation).append(": ");
    text.append(Errno.nameOf(error.errno()));
    if (error.errno() == Errno.EMSGSIZE.code()) {
      text.append(", more than the kernel puts into one message");
    }
    if (!error.text().isEmpty()) {
      text.append(", kernel says: ").append(error.text());
    }
    if (!error.attribute().isEmpty()) {
      text.append(" (").append(error.attribute()).append(')');
    }
    if (!error.missing().isEmpty()) {
      text.append(", attribute ").append(error.missing()).append(" is missing");
    }
    return text.toString();
  }

  /** The kind that an error of the kernel is of. */
  static NetlinkException of(String operation, KernelError error) {
    return switch (Errno.of(error.errno()).orElse(Errno.EINVAL)) {
      case ENOENT, ENODEV, ESRCH -> new NotFound(operation, error);
      case EEXIST -> new Exists(operation, error);
      case EPERM, EACCES -> new PermissionDenied(operation, error);
      case EBUSY -> new Busy(operation, error);
      case EOPNOTSUPP, EPROTONOSUPPORT, EAFNOSUPPORT -> new Unsupported(operation, error);
      default -> new Refused(operation, error);
    };
  }

  /**
   * Returns the operation that failed, in words.
   *
   * @return for example {@code set mtu 70000 on link veth0}
   */
  public String operation() {
    return operation;
  }

  /**
   * The error number.
   *
   * @return the number, positive; 0 if the failure is not the kernel's
   */
  public int errno() {
    return errno;
  }

  /**
   * The name of the error.
   *
   * @return for example {@code EINVAL}; empty if the failure is not the kernel's
   */
  public String errnoName() {
    return errno == 0 ? "" : Errno.nameOf(errno);
  }

  /**
   * What the kernel said beside the error number (its extended acknowledgement).
   *
   * @return one line without control characters; empty if it said nothing
   */
  public String kernelText() {
    return kernelText;
  }

  /**
   * The attribute of the request that the kernel complained about.
   *
   * @return a path such as {@code IFLA_LINKINFO/IFLA_INFO_KIND}, if it named one
   */
  public Optional<String> attribute() {
    return attribute.isEmpty() ? Optional.empty() : Optional.of(attribute);
  }

  /**
   * The attribute that the kernel wanted.
   *
   * @return a path, if it named one
   */
  public Optional<String> missingAttribute() {
    return missingAttribute.isEmpty() ? Optional.empty() : Optional.of(missingAttribute);
  }

  /**
   * Makes a failure of something that was asked for in another namespace, which cannot be entered.
   *
   * @param operation what was asked for
   * @param cause why it cannot be entered
   * @return says both
   */
  public static NetlinkException elsewhere(String operation, IOException cause) {
    int errno = cause instanceof LinuxException e ? e.errno() : Errno.EIO.code();
    return new TransportFailed(
        operation, new TransportException(String.valueOf(cause.getMessage()), errno));
  }

  /**
   * Makes the failure of a request that would find its name taken, for those who look before they
   * ask: not every request that the kernel refuses has changed nothing.
   *
   * @param operation what would be asked for
   * @return says so, as the kernel would
   */
  public static Exists existing(String operation) {
    return new Exists(operation, new KernelError(Errno.EEXIST.code(), "", "", ""));
  }

  /**
   * Makes the failure of a request for something that is not there, of which the kernel would say
   * nothing.
   *
   * @param operation what was asked for, in words
   * @return has error number ENOENT
   */
  public static NotFound notFound(String operation) {
    return new NotFound(operation, new KernelError(Errno.ENOENT.code()));
  }

  /**
   * Makes the failure of waiting at something that was closed, for what wraps sockets.
   *
   * @param operation what was waited for, in words
   * @return has error number EBADF
   */
  public static Closed closed(String operation) {
    return new Closed(operation);
  }

  /**
   * Gives the same failure as one of something that is not there, for requests to which the kernel
   * answers that with another error number.
   *
   * @return has the same message, error number and words of the kernel
   */
  public NotFound asNotFound() {
    return new NotFound(operation, new KernelError(errno, kernelText, attribute, missingAttribute));
  }

  /** It is not there: ENODEV, ENOENT, ESRCH, or no answer to a question for one thing. */
  public static final class NotFound extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    NotFound(String operation, KernelError error) {
      super(operation, error);
    }
  }

  /** It is there already: EEXIST. */
  public static final class Exists extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    Exists(String operation, KernelError error) {
      super(operation, error);
    }
  }

  /** This process may not do that: EPERM, EACCES. */
  public static final class PermissionDenied extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    PermissionDenied(String operation, KernelError error) {
      super(operation, error);
    }
  }

  /** It is in use: EBUSY. */
  public static final class Busy extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    Busy(String operation, KernelError error) {
      super(operation, error);
    }
  }

  /** The kernel or the device cannot do that: EOPNOTSUPP, EPROTONOSUPPORT, EAFNOSUPPORT. */
  public static final class Unsupported extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    Unsupported(String operation, KernelError error) {
      super(operation, error);
    }

    /** The same failure, and what can be done about it. */
    Unsupported(Unsupported failure, String advice) {
      super(failure.operation(), failure.errno(), failure.errnoName() + ", " + advice, failure);
    }
  }

  /** Every other refusal of the kernel. */
  public static final class Refused extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    Refused(String operation, KernelError error) {
      super(operation, error);
    }
  }

  /** Messages were lost, because they came faster than they were read: ENOBUFS. */
  public static final class Overrun extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    Overrun(String operation) {
      super(operation, Errno.ENOBUFS.code(), "ENOBUFS, messages were lost", null);
    }
  }

  /** What was dumped changed meanwhile, at each of several attempts. */
  public static final class DumpInterrupted extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    /**
     * Makes an exception.
     *
     * @param operation what was read
     * @param attempts how often
     */
    public DumpInterrupted(String operation, int attempts) {
      super(operation, 0, "changed during each of " + attempts + " attempts to read it", null);
    }
  }

  /** A message breaks the rules: too short, badly nested, of a wrong type, not from the kernel. */
  public static final class Malformed extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    /** What is wrong. */
    private final String problem;

    /**
     * Makes an exception.
     *
     * @param problem what is wrong, with the place and what was expected
     */
    public Malformed(String problem) {
      this("", problem);
    }

    Malformed(String operation, String problem) {
      super(operation, 0, problem, null);
      this.problem = problem;
    }

    Malformed during(String operation) {
      Malformed located = new Malformed(operation, problem);
      located.setStackTrace(getStackTrace());
      return located;
    }
  }

  /** No answer in time. */
  public static final class TimedOut extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    TimedOut(String operation) {
      super(operation, Errno.ETIMEDOUT.code(), "no answer in time", null);
    }
  }

  /**
   * The thread was interrupted while it waited, and still is: its interrupt status stays set. What
   * that means for the socket, {@link NetlinkSocket} says.
   */
  public static final class Interrupted extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    Interrupted(String operation) {
      super(operation, Errno.EINTR.code(), "interrupted while waiting", null);
    }
  }

  /** The socket is closed, perhaps by another thread while this one waited. */
  public static final class Closed extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    Closed(String operation) {
      super(operation, Errno.EBADF.code(), "the socket is closed", null);
    }
  }

  /** A system call failed that netlink messages travel by. */
  public static final class TransportFailed extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    TransportFailed(String operation, TransportException cause) {
      super(operation, cause.errno(), String.valueOf(cause.getMessage()), cause);
    }
  }
}
