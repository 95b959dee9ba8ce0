/*
 * Preloaded into a program that speaks netlink through libmnl: its questions go to the file $QUESTIONS, and the answers
 * come from the file $ANSWERS; both have one datagram in hexadecimal per line. The answers get the number and the port
 * that the program expects.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct mnl_socket;
unsigned int mnl_socket_get_portid(const struct mnl_socket *socket);

static unsigned int number;
static FILE *answers;

ssize_t mnl_socket_sendto(const struct mnl_socket *socket, const void *message, size_t length)
{
	FILE *questions = fopen(getenv("QUESTIONS"), "a");

	(void)socket;
	if (!questions)
		return -1;
	for (size_t i = 0; i < length; i++)
		fprintf(questions, "%02x", ((const unsigned char *)message)[i]);
	fprintf(questions, "\n");
	fclose(questions);
	memcpy(&number, (const char *)message + 8, 4);
	return length;
}

ssize_t mnl_socket_recvfrom(const struct mnl_socket *socket, void *buffer, size_t size)
{
	unsigned int byte, port = mnl_socket_get_portid(socket);
	size_t length = 0;
	int end;

	if (!answers)
		answers = fopen(getenv("ANSWERS"), "r");
	while (answers && length < size && fscanf(answers, "%2x", &byte) == 1) {
		((unsigned char *)buffer)[length++] = byte;
		end = fgetc(answers);
		if (end == '\n' || end == EOF)
			break;
		ungetc(end, answers);
	}
	if (length < 16) {
		errno = ENOMSG;
		return -1;
	}
	memcpy((char *)buffer + 8, &number, 4);
	memcpy((char *)buffer + 12, &port, 4);
	return length;
}
