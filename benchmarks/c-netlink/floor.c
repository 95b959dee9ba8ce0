/*
 * The floor under reading links: sends the request that dra4j sends and receives the answer, and
 * looks at nothing but the types of the messages. What is above it is the cost of decoding.
 *
 *   floor SECONDS MASK [LINK]    MASK: IFLA_EXT_MASK, 1 with virtual functions, 8 without statistics;
 *                                LINK: asks for this link alone
 *
 * Prints one line of JSON.
 */
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static char buffer[65536] __attribute__((aligned(16)));

static long now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int compare(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static long ask(int fd, unsigned sequence, unsigned mask, const char *link) {
  struct {
    struct nlmsghdr header;
    struct ifinfomsg link;
    struct rtattr attribute;
    unsigned mask;
    struct rtattr name_attribute;
    char name[16];
  } request;
  long bytes = 0;
  memset(&request, 0, sizeof request);
  request.header.nlmsg_len = link ? sizeof request : offsetof(typeof(request), name_attribute);
  request.header.nlmsg_type = RTM_GETLINK;
  request.header.nlmsg_flags = NLM_F_REQUEST | (link ? 0 : NLM_F_DUMP);
  request.header.nlmsg_seq = sequence;
  request.attribute.rta_len = 8;
  request.attribute.rta_type = IFLA_EXT_MASK;
  request.mask = mask;
  if (link) {
    request.name_attribute.rta_len = 20;
    request.name_attribute.rta_type = IFLA_IFNAME;
    strncpy(request.name, link, sizeof request.name - 1);
  }
  if (send(fd, &request, request.header.nlmsg_len, 0) < 0) fail("send");
  for (;;) {
    struct sockaddr_nl from;
    struct iovec part = {buffer, sizeof buffer};
    struct msghdr message = {&from, sizeof from, &part, 1, NULL, 0, 0};
    long length = recvmsg(fd, &message, MSG_TRUNC | MSG_DONTWAIT);
    if (length < 0) fail("recvmsg");
    bytes += length;
    for (long at = 0; at < length;) {
      struct nlmsghdr *header = (struct nlmsghdr *)(buffer + at);
      if (header->nlmsg_type == NLMSG_ERROR) {
        fprintf(stderr, "refused\n");
        exit(1);
      }
      if (link || header->nlmsg_type == NLMSG_DONE) return bytes;
      at += NLMSG_ALIGN(header->nlmsg_len);
    }
  }
}

int main(int count, char **arguments) {
  enum { MOST = 1 << 20 };
  static long elapsed[MOST];
  long seconds, end, cpu, bytes = 0;
  unsigned mask;
  int n = 0, one = 1, fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  struct sockaddr_nl own = {.nl_family = AF_NETLINK};
  if (count < 3 || count > 4 || (seconds = atol(arguments[1])) < 1) {
    fprintf(stderr, "usage: floor SECONDS MASK [LINK]\n");
    return 2;
  }
  mask = (unsigned)atoi(arguments[2]);
  if (fd < 0 || bind(fd, (struct sockaddr *)&own, sizeof own) < 0) fail("socket");
  setsockopt(fd, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &one, sizeof one);
  end = now(CLOCK_MONOTONIC) + seconds * 1000000000L;
  cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  do {
    long from = now(CLOCK_MONOTONIC);
    bytes = ask(fd, (unsigned)n + 1, mask, arguments[3]); // null if there is none
    elapsed[n] = now(CLOCK_MONOTONIC) - from;
  } while (++n < MOST && now(CLOCK_MONOTONIC) < end);
  cpu = (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / n;
  qsort(elapsed, n, sizeof *elapsed, compare);
  printf("{\"rounds\":%d,\"bytes\":%ld,\"minNanos\":%ld,\"p10Nanos\":%ld,\"cpuMeanNanos\":%ld}\n",
         n, bytes, elapsed[0], elapsed[n / 10], cpu);
  return 0;
}
