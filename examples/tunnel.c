/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tunnel.c - one end of a tunnel: the packets of a TUN device, in UDP.
 *
 *   cc tunnel.c $(pkg-config --cflags --libs csum) -o tunnel
 *   ./tunnel DEVICE PORT PEER PEER-PORT
 *
 * Needs root.  The device can be given an address once it is there.  Its kernel
 * leaves TCP and UDP checksums unfinished, as it does with a network card, and
 * says so in a header in front of each packet: whoever hands packets on has to
 * finish them.  (There is no encryption here: that would come behind.)
 */
#include <arpa/inet.h>
#include <csum_packet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { ROOM = 65536, TCP = 6 };

/* The header, and the packet behind it. */
struct frame {
	struct virtio_net_hdr header;
	unsigned char packet[ROOM];
};

static int open_device(const char *name)
{
	struct ifreq r = { .ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR };
	int fd = open("/dev/net/tun", O_RDWR);

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", name);
	if (fd < 0 || ioctl(fd, TUNSETIFF, &r) ||
	    ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM))
		return -1;
	return fd;
}

static struct sockaddr_in address(const char *host, const char *port)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_port = htons((uint16_t)atoi(port)) };

	inet_pton(AF_INET, host, &a.sin_addr);
	return a;
}

static int open_socket(const char *port, const char *peer, const char *to)
{
	struct sockaddr_in here = address("0.0.0.0", port);
	struct sockaddr_in there = address(peer, to);
	int s = socket(AF_INET, SOCK_DGRAM, 0);

	if (s < 0 || bind(s, (struct sockaddr *)&here, sizeof(here)) ||
	    connect(s, (struct sockaddr *)&there, sizeof(there)))
		return -1;
	return s;
}

/* What the network card would have done. */
static int finish(struct frame *f, size_t len)
{
	const struct iovec iov = { f->packet, len };
	const unsigned udp =
		f->header.csum_offset == CSUM_FIELD_UDP ? CSUM_COMPLETE_UDP : 0;

	if (!(f->header.flags & VIRTIO_NET_HDR_F_NEEDS_CSUM))
		return 0;
	return csum_complete(&iov, 1, f->header.csum_start,
			     f->header.csum_offset, udp);
}

/* Packets of a connection through here have to fit: 1280 bytes in IPv4. */
static int clamp(struct frame *f, size_t len)
{
	enum { MSS = 1240 };
	const size_t start = 4 * (f->packet[0] & 15u);

	if (len < 20 || f->packet[0] >> 4 != 4 || f->packet[9] != TCP ||
	    len < start)
		return 0;
	return csum_clamp_mss(f->packet + start, len - start, MSS, NULL);
}

static void to_peer(int device, int peer)
{
	static struct frame f;
	ssize_t n = read(device, &f, sizeof(f));
	size_t len = (size_t)n - sizeof(f.header);

	if (n < (ssize_t)sizeof(f.header) || finish(&f, len) ||
	    clamp(&f, len) || send(peer, f.packet, len, 0) < 0)
		perror("tunnel: a packet is lost");
}

/* A header of zeros: the kernel here verifies the checksum itself. */
static void to_device(int peer, int device)
{
	static struct frame f;
	ssize_t n = recv(peer, f.packet, sizeof(f.packet), 0);

	if (n < 0 || write(device, &f, sizeof(f.header) + (size_t)n) < 0)
		perror("tunnel: a packet is lost");
}

int main(int argc, char **argv)
{
	struct pollfd fds[2] = { { .events = POLLIN }, { .events = POLLIN } };

	if (argc != 5) {
		fputs("usage: tunnel DEVICE PORT PEER PEER-PORT\n", stderr);
		return 2;
	}
	fds[0].fd = open_device(argv[1]);
	fds[1].fd = open_socket(argv[2], argv[3], argv[4]);
	if (fds[0].fd < 0 || fds[1].fd < 0) {
		perror("tunnel");
		return 2;
	}
	while (poll(fds, 2, -1) > 0) {
		if (fds[0].revents)
			to_peer(fds[0].fd, fds[1].fd);
		if (fds[1].revents)
			to_device(fds[1].fd, fds[0].fd);
	}
	return 2;
}
