/*
 * The floor under a scan of RDMA devices: opens, reads and closes the files and lists the folders that are named on
 * standard input, one a line, folders with a slash at the end, and looks at nothing.
 *
 *   floor SCANS
 *
 * Prints one line of JSON.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char *names[100000];

static long cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void look(const char *name) {
  static char text[4096];
  size_t length = strlen(name);
  if (name[length - 1] == '/') {
    DIR *folder = opendir(name);
    while (folder && readdir(folder)) continue;
    if (folder) closedir(folder);
    return;
  }
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return; /* as the others, which ask for what a device may lack */
  if (read(file, text, sizeof text) < 0) exit(1);
  close(file);
}

int main(int argc, char **argv) {
  static char line[4096];
  int count = 0, scans = argc > 1 ? atoi(argv[1]) : 1000;
  long least = 0, total = 0;
  while (count < 100000 && fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (*line) names[count++] = strdup(line);
  }
  for (int i = -scans; i < scans; i++) {
    long before = cpu();
    for (int j = 0; j < count; j++) look(names[j]);
    long took = cpu() - before;
    if (i < 0) continue;
    total += took;
    if (!least || took < least) least = took;
  }
  printf("{\"files\":%d,\"scans\":%d,\"cpuMinNanos\":%ld,\"cpuMeanNanos\":%ld}\n", count, scans, least, total / scans);
  return 0;
}
