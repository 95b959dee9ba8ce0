package io.dra4j.linux;

import java.util.Optional;

/**
 * The kernel's error numbers, by the names of {@code asm-generic/errno.h}: the same on x86_64 and
 * aarch64.
 */
public enum Errno {
  /** Error 1. */
  EPERM(1),
  /** Error 2. */
  ENOENT(2),
  /** Error 3. */
  ESRCH(3),
  /** Error 4. */
  EINTR(4),
  /** Error 5. */
  EIO(5),
  /** Error 6. */
  ENXIO(6),
  /** Error 7. */
  E2BIG(7),
  /** Error 8. */
  ENOEXEC(8),
  /** Error 9. */
  EBADF(9),
  /** Error 10. */
  ECHILD(10),
  /** Error 11. */
  EAGAIN(11),
  /** Error 12. */
  ENOMEM(12),
  /** Error 13. */
  EACCES(13),
  /** Error 14. */
  EFAULT(14),
  /** Error 15. */
  ENOTBLK(15),
  /** Error 16. */
  EBUSY(16),
  /** Error 17. */
  EEXIST(17),
  /** Error 18. */
  EXDEV(18),
  /** Error 19. */
  ENODEV(19),
  /** Error 20. */
  ENOTDIR(20),
  /** Error 21. */
  EISDIR(21),
  /** Error 22. */
  EINVAL(22),
  /** Error 23. */
  ENFILE(23),
  /** Error 24. */
  EMFILE(24),
  /** Error 25. */
  ENOTTY(25),
  /** Error 26. */
  ETXTBSY(26),
  /** Error 27. */
  EFBIG(27),
  /** Error 28. */
  ENOSPC(28),
  /** Error 29. */
  ESPIPE(29),
  /** Error 30. */
  EROFS(30),
  /** Error 31. */
  EMLINK(31),
  /** Error 32. */
  EPIPE(32),
  /** Error 33. */
  EDOM(33),
  /** Error 34. */
  ERANGE(34),
  /** Error 35. */
  EDEADLK(35),
  /** Error 36. */
  ENAMETOOLONG(36),
  /** Error 37. */
  ENOLCK(37),
  /** Error 38. */
  ENOSYS(38),
  /** Error 39. */
  ENOTEMPTY(39),
  /** Error 40. */
  ELOOP(40),
  /** Error 42. */
  ENOMSG(42),
  /** Error 43. */
  EIDRM(43),
  /** Error 44. */
  ECHRNG(44),
  /** Error 45. */
  EL2NSYNC(45),
  /** Error 46. */
  EL3HLT(46),
  /** Error 47. */
  EL3RST(47),
  /** Error 48. */
  ELNRNG(48),
  /** Error 49. */
  EUNATCH(49),
  /** Error 50. */
  ENOCSI(50),
  /** Error 51. */
  EL2HLT(51),
  /** Error 52. */
  EBADE(52),
  /** Error 53. */
  EBADR(53),
  /** Error 54. */
  EXFULL(54),
  /** Error 55. */
  ENOANO(55),
  /** Error 56. */
  EBADRQC(56),
  /** Error 57. */
  EBADSLT(57),
  /** Error 59. */
  EBFONT(59),
  /** Error 60. */
  ENOSTR(60),
  /** Error 61. */
  ENODATA(61),
  /** Error 62. */
  ETIME(62),
  /** Error 63. */
  ENOSR(63),
  /** Error 64. */
  ENONET(64),
  /** Error 65. */
  ENOPKG(65),
  /** Error 66. */
  EREMOTE(66),
  /** Error 67. */
  ENOLINK(67),
  /** Error 68. */
  EADV(68),
  /** Error 69. */
  ESRMNT(69),
  /** Error 70. */
  ECOMM(70),
  /** Error 71. */
  EPROTO(71),
  /** Error 72. */
  EMULTIHOP(72),
  /** Error 73. */
  EDOTDOT(73),
  /** Error 74. */
  EBADMSG(74),
  /** Error 75. */
  EOVERFLOW(75),
  /** Error 76. */
  ENOTUNIQ(76),
  /** Error 77. */
  EBADFD(77),
  /** Error 78. */
  EREMCHG(78),
  /** Error 79. */
  ELIBACC(79),
  /** Error 80. */
  ELIBBAD(80),
  /** Error 81. */
  ELIBSCN(81),
  /** Error 82. */
  ELIBMAX(82),
  /** Error 83. */
  ELIBEXEC(83),
  /** Error 84. */
  EILSEQ(84),
  /** Error 85. */
  ERESTART(85),
  /** Error 86. */
  ESTRPIPE(86),
  /** Error 87. */
  EUSERS(87),
  /** Error 88. */
  ENOTSOCK(88),
  /** Error 89. */
  EDESTADDRREQ(89),
  /** Error 90. */
  EMSGSIZE(90),
  /** Error 91. */
  EPROTOTYPE(91),
  /** Error 92. */
  ENOPROTOOPT(92),
  /** Error 93. */
  EPROTONOSUPPORT(93),
  /** Error 94. */
  ESOCKTNOSUPPORT(94),
  /** Error 95. */
  EOPNOTSUPP(95),
  /** Error 96. */
  EPFNOSUPPORT(96),
  /** Error 97. */
  EAFNOSUPPORT(97),
  /** Error 98. */
  EADDRINUSE(98),
  /** Error 99. */
  EADDRNOTAVAIL(99),
  /** Error 100. */
  ENETDOWN(100),
  /** Error 101. */
  ENETUNREACH(101),
  /** Error 102. */
  ENETRESET(102),
  /** Error 103. */
  ECONNABORTED(103),
  /** Error 104. */
  ECONNRESET(104),
  /** Error 105. */
  ENOBUFS(105),
  /** Error 106. */
  EISCONN(106),
  /** Error 107. */
  ENOTCONN(107),
  /** Error 108. */
  ESHUTDOWN(108),
  /** Error 109. */
  ETOOMANYREFS(109),
  /** Error 110. */
  ETIMEDOUT(110),
  /** Error 111. */
  ECONNREFUSED(111),
  /** Error 112. */
  EHOSTDOWN(112),
  /** Error 113. */
  EHOSTUNREACH(113),
  /** Error 114. */
  EALREADY(114),
  /** Error 115. */
  EINPROGRESS(115),
  /** Error 116. */
  ESTALE(116),
  /** Error 117. */
  EUCLEAN(117),
  /** Error 118. */
  ENOTNAM(118),
  /** Error 119. */
  ENAVAIL(119),
  /** Error 120. */
  EISNAM(120),
  /** Error 121. */
  EREMOTEIO(121),
  /** Error 122. */
  EDQUOT(122),
  /** Error 123. */
  ENOMEDIUM(123),
  /** Error 124. */
  EMEDIUMTYPE(124),
  /** Error 125. */
  ECANCELED(125),
  /** Error 126. */
  ENOKEY(126),
  /** Error 127. */
  EKEYEXPIRED(127),
  /** Error 128. */
  EKEYREVOKED(128),
  /** Error 129. */
  EKEYREJECTED(129),
  /** Error 130. */
  EOWNERDEAD(130),
  /** Error 131. */
  ENOTRECOVERABLE(131),
  /** Error 132. */
  ERFKILL(132),
  /** Error 133. */
  EHWPOISON(133);

  private static final Errno[] BY_CODE = new Errno[134];

  static {
    for (Errno errno : values()) {
      BY_CODE[errno.code] = errno;
    }
  }

  private final int code;

  Errno(int code) {
    this.code = code;
  }

  /**
   * Its number.
   *
   * @return the number, positive
   */
  public int code() {
    return code;
  }

  /**
   * Finds an error by its number.
   *
   * @param code the number, positive
   * @return the error, if Linux has one of that number
   */
  public static Optional<Errno> of(int code) {
    return code > 0 && code < BY_CODE.length
        ? Optional.ofNullable(BY_CODE[code])
        : Optional.empty();
  }

  /**
   * Names an error for people.
   *
   * @param code the number, positive
   * @return for example {@code ENODEV}; {@code error 4095} for a number that has no name
   */
  public static String nameOf(int code) {
    return of(code).map(Errno::name).orElse("error " + code);
  }
}
