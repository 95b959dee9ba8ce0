// A library for LD_PRELOAD: the time of day is as many seconds off as the file CLOCK_OFFSET says.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long offset(void) {
  long seconds = 0;
  const char *name = getenv("CLOCK_OFFSET");
  FILE *file = name ? fopen(name, "r") : NULL;
  if (file) {
    if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
    fclose(file);
  }
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = next(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += offset();
  return result;
}
