/*
 * The floor under a dump of links: sends the request and receives the answer, looks at nothing but
 * the type of the last message. What is above it is the cost of decoding.
 *
 *   floor [ROUNDS [MASK]]    MASK: IFLA_EXT_MASK, 1 with virtual functions, 8 lean
 *
 * Prints the minimum, the 10th percentile and the median in microseconds, and the bytes received.
 */
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static char buffer[65536] __attribute__((aligned(16)));

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static long dump(int fd, unsigned sequence, unsigned mask) {
  struct {
    struct nlmsghdr header;
    struct ifinfomsg link;
    struct rtattr attribute;
    unsigned mask;
  } request;
  long bytes = 0;
  memset(&request, 0, sizeof request);
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = RTM_GETLINK;
  request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  request.header.nlmsg_seq = sequence;
  request.attribute.rta_len = 8;
  request.attribute.rta_type = IFLA_EXT_MASK;
  request.mask = mask;
  if (send(fd, &request, sizeof request, 0) < 0) {
    perror("send");
    exit(1);
  }
  for (;;) {
    struct sockaddr_nl from;
    struct iovec part = {buffer, sizeof buffer};
    struct msghdr message = {&from, sizeof from, &part, 1, NULL, 0, 0};
    long length = recvmsg(fd, &message, MSG_TRUNC);
    long at = 0;
    if (length < 0) {
      perror("recvmsg");
      exit(1);
    }
    bytes += length;
    while (at < length) {
      struct nlmsghdr *header = (struct nlmsghdr *)(buffer + at);
      if (header->nlmsg_type == NLMSG_DONE) return bytes;
      if (header->nlmsg_type == NLMSG_ERROR) {
        fprintf(stderr, "refused\n");
        exit(1);
      }
      at += NLMSG_ALIGN(header->nlmsg_len);
    }
  }
}

int main(int count, char **arguments) {
  int rounds = count > 1 ? atoi(arguments[1]) : 1000;
  unsigned mask = count > 2 ? (unsigned)atoi(arguments[2]) : 1;
  double *times = malloc(sizeof(double) * rounds);
  int one = 1, fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  long bytes = 0;
  struct sockaddr_nl own = {.nl_family = AF_NETLINK};
  if (fd < 0 || bind(fd, (struct sockaddr *)&own, sizeof own) < 0) {
    perror("socket");
    return 1;
  }
  setsockopt(fd, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &one, sizeof one);
  for (int i = 0; i < rounds; i++) {
    double start = now();
    bytes = dump(fd, i + 1, mask);
    times[i] = now() - start;
  }
  qsort(times, rounds, sizeof(double), compare);
  printf("%.2f %.2f %.2f %ld\n", times[0], times[rounds / 10], times[rounds / 2], bytes);
  return 0;
}
