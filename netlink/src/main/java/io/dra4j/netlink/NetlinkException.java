package io.dra4j.netlink;

import io.dra4j.linux.Errno;
import io.dra4j.linux.LinuxException;
import java.io.IOException;
import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the kernel refuses a request, or a conversation fails. The subclasses are the kinds
 * that callers distinguish. The message has the operation, the error's name, the kernel's text and
 * the attribute that caused it:
 *
 * <pre>set mtu 70000 on link veth0: EINVAL, kernel says: mtu greater than device maximum (IFLA_MTU)
 * </pre>
 */
public abstract sealed class NetlinkException extends IOException {

  @Serial private static final long serialVersionUID = 1;

  /** The operation, in words. */
  private final String operation;

  /** The error number. */
  private final int errno;

  /** The kernel's text. */
  private final String kernelText;

  /** The attribute that caused the error. */
  private final String attribute;

  /** The attribute that the kernel requires. */
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
      text.append(": more than the kernel puts into one message");
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

  /** Returns the exception for an error of the kernel. */
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

  /** {@return the operation that failed, in words, such as {@code set mtu 70000 on link veth0}} */
  public String operation() {
    return operation;
  }

  /** {@return the error number, positive; 0 if the failure is not the kernel's} */
  public int errno() {
    return errno;
  }

  /** {@return the name of the error, such as {@code EINVAL}; empty if it is not the kernel's} */
  public String errnoName() {
    return errno == 0 ? "" : Errno.nameOf(errno);
  }

  /** {@return the kernel's extended acknowledgement, without control characters; empty for none} */
  public String kernelText() {
    return kernelText;
  }

  /** {@return the rejected attribute, if named, as a path: {@code IFLA_LINKINFO/IFLA_INFO_KIND}} */
  public Optional<String> attribute() {
    return attribute.isEmpty() ? Optional.empty() : Optional.of(attribute);
  }

  /** {@return the path of the attribute that the kernel requires, if it named one} */
  public Optional<String> missingAttribute() {
    return missingAttribute.isEmpty() ? Optional.empty() : Optional.of(missingAttribute);
  }

  /**
   * {@return the failure of an operation in another namespace that cannot be entered}
   *
   * @param operation the operation, in words
   * @param cause the reason why the namespace cannot be entered
   */
  public static NetlinkException elsewhere(String operation, IOException cause) {
    int errno = cause instanceof LinuxException e ? e.errno() : Errno.EIO.code();
    return new TransportFailed(
        operation, new TransportException(String.valueOf(cause.getMessage()), errno));
  }

  /**
   * {@return the kernel's failure of a request whose name is in use} It is for code that checks
   * first, because some requests change something before the kernel refuses them.
   *
   * @param operation the operation, in words
   */
  public static Exists existing(String operation) {
    return new Exists(operation, new KernelError(Errno.EEXIST.code(), "", "", ""));
  }

  /**
   * {@return a failure (ENOENT) for something missing that the kernel would not report}
   *
   * @param operation the operation, in words
   */
  public static NotFound notFound(String operation) {
    return new NotFound(operation, new KernelError(Errno.ENOENT.code()));
  }

  /**
   * {@return the failure (EBADF) of waiting on something closed, for classes that wrap sockets}
   *
   * @param operation the operation, in words
   */
  public static Closed closed(String operation) {
    return new Closed(operation);
  }

  /**
   * {@return this failure as {@link NotFound}, with the same message, error number and kernel text,
   * for requests where the kernel reports a missing object by another error number}
   */
  public NotFound asNotFound() {
    return new NotFound(operation, new KernelError(errno, kernelText, attribute, missingAttribute));
  }

  /** The object does not exist: ENODEV, ENOENT, ESRCH, or no reply to a request for one object. */
  public static final class NotFound extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    NotFound(String operation, KernelError error) {
      super(operation, error);
    }
  }

  /** The object exists already: EEXIST. */
  public static final class Exists extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    Exists(String operation, KernelError error) {
      super(operation, error);
    }
  }

  /** This process lacks the permission: EPERM, EACCES. */
  public static final class PermissionDenied extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    PermissionDenied(String operation, KernelError error) {
      super(operation, error);
    }
  }

  /** The object is in use: EBUSY. */
  public static final class Busy extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    Busy(String operation, KernelError error) {
      super(operation, error);
    }
  }

  /** The kernel or device lacks the operation: EOPNOTSUPP, EPROTONOSUPPORT, EAFNOSUPPORT. */
  public static final class Unsupported extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    Unsupported(String operation, KernelError error) {
      super(operation, error);
    }

    /** Creates the same failure with advice on what to do. */
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

  /** The dumped objects changed during each of several attempts. */
  public static final class DumpInterrupted extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param operation the operation, in words
     * @param attempts the number of attempts
     */
    public DumpInterrupted(String operation, int attempts) {
      super(operation, 0, "changed during each of " + attempts + " attempts to read it", null);
    }
  }

  /** A message breaks the rules: too short, badly nested, of a wrong type, not from the kernel. */
  public static final class Malformed extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    /** The problem. */
    private final String problem;

    /**
     * Creates an exception.
     *
     * @param problem the problem, with the place and the expected value
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

  /** There was no answer in time. */
  public static final class TimedOut extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    TimedOut(String operation) {
      super(operation, Errno.ETIMEDOUT.code(), "no answer in time", null);
    }
  }

  /** The thread was interrupted in a wait. Its status stays set. See also {@link NetlinkSocket}. */
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

  /** A system call that transfers netlink messages failed. */
  public static final class TransportFailed extends NetlinkException {
    @Serial private static final long serialVersionUID = 1;

    TransportFailed(String operation, TransportException cause) {
      super(operation, cause.errno(), String.valueOf(cause.getMessage()), cause);
    }
  }
}
