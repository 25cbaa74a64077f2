/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dpdk.c - the TCP and UDP checksums of packets in mbufs, chains of them too.
 *
 *   make dpdk               libdpdk-dev
 *   ./dpdk --no-huge --no-pci -m 64 \
 *       --vdev net_pcap0,rx_pcap=in.pcap,tx_pcap=out.pcap
 *
 * Takes what port 0 receives, finishes each checksum, and sends it back, until
 * nothing more comes.  This is what a driver without checksum offload has to do
 * for packets with RTE_MBUF_F_TX_TCP_CKSUM and RTE_MBUF_F_TX_UDP_CKSUM; the
 * buffers are so small here that most packets are chains, and a header or a
 * field may lie across two of them.
 */
#include <csum_packet.h>
#include <rte_eal.h>
#include <rte_ethdev.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_tcp.h>
#include <rte_udp.h>
#include <stdio.h>

enum {
	MBUFS = 1023,
	BYTES = 41, /* of a buffer: a UDP field in IPv4 lies across two */
	QUEUE = 64,
	BURST = 32,
	PIECES = 1024,
	IDLE = 100, /* receives without a packet */
};

/* Where the checksum is, and the sum of the pseudo-header. */
struct site {
	size_t start, offset;
	csum_wsum pseudo;
};

/* @at BYTES from the start, if they are there, in @room or in the mbuf. */
static const void *bytes(const struct rte_mbuf *m, uint32_t at, uint32_t n,
			 void *room)
{
	return rte_pktmbuf_read(m, at, n, room);
}

static bool find_ipv4(const struct rte_mbuf *m, struct site *s, uint8_t *proto)
{
	const rte_be16_t fragment =
		RTE_BE16(RTE_IPV4_HDR_MF_FLAG | RTE_IPV4_HDR_OFFSET_MASK);
	struct rte_ipv4_hdr room;
	const struct rte_ipv4_hdr *ip =
		bytes(m, RTE_ETHER_HDR_LEN, sizeof(room), &room);
	size_t header, total;

	if (!ip || (ip->fragment_offset & fragment))
		return false;
	header = rte_ipv4_hdr_len(ip);
	total = rte_be_to_cpu_16(ip->total_length);
	if (total < header || RTE_ETHER_HDR_LEN + total != m->pkt_len)
		return false;
	s->start = RTE_ETHER_HDR_LEN + header;
	*proto = ip->next_proto_id;
	s->pseudo = csum_pseudo_ipv4(ip->src_addr, ip->dst_addr,
				     (uint32_t)(total - header), *proto, 0);
	return true;
}

static bool find_ipv6(const struct rte_mbuf *m, struct site *s, uint8_t *proto)
{
	struct rte_ipv6_hdr room;
	const struct rte_ipv6_hdr *ip =
		bytes(m, RTE_ETHER_HDR_LEN, sizeof(room), &room);
	size_t len;

	if (!ip)
		return false;
	len = rte_be_to_cpu_16(ip->payload_len);
	s->start = RTE_ETHER_HDR_LEN + sizeof(room);
	if (s->start + len != m->pkt_len)
		return false;
	*proto = ip->proto;
	s->pseudo = csum_pseudo_ipv6(ip->src_addr, ip->dst_addr, (uint32_t)len,
				     *proto, 0);
	return true;
}

/* Without a packet that its frame is longer than: padding is not for this. */
static bool find(const struct rte_mbuf *m, struct site *s, uint8_t *proto)
{
	struct rte_ether_hdr room;
	const struct rte_ether_hdr *e = bytes(m, 0, sizeof(room), &room);

	if (!e)
		return false;
	if (e->ether_type == rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV4))
		return find_ipv4(m, s, proto);
	return e->ether_type == rte_cpu_to_be_16(RTE_ETHER_TYPE_IPV6) &&
	       find_ipv6(m, s, proto);
}

static size_t pieces(struct rte_mbuf *m, struct iovec *iov)
{
	size_t n = 0;

	for (; m && n < PIECES; m = m->next)
		iov[n++] = (struct iovec){ rte_pktmbuf_mtod(m, void *),
					   m->data_len };
	return m ? 0 : n;
}

/* A field of two bytes, wherever it lies; false if it is not in there. */
static bool store(const struct iovec *iov, size_t n, size_t at,
		  csum_seed16 value)
{
	struct iovec from = { &value, sizeof(value) }, to[PIECES];
	size_t i = 0, count = 0, copied;
	csum_wsum any;

	for (; i < n && at >= iov[i].iov_len; i++)
		at -= iov[i].iov_len;
	for (; i < n; i++, at = 0)
		to[count++] = (struct iovec){ (char *)iov[i].iov_base + at,
					      iov[i].iov_len - at };
	any = csum_copy_iov(to, count, &from, 1, sizeof(value), 0, &copied);
	(void)any;
	return copied == sizeof(value);
}

/* 1 if it was finished, 0 if it is not of a kind that this is for. */
static int finish(struct rte_mbuf *m)
{
	struct iovec iov[PIECES];
	size_t n = pieces(m, iov);
	struct site s;
	uint8_t proto;

	if (!n || !find(m, &s, &proto) ||
	    (proto != IPPROTO_TCP && proto != IPPROTO_UDP))
		return 0;
	s.offset = proto == IPPROTO_UDP ? CSUM_FIELD_UDP : CSUM_FIELD_TCP;
	return store(iov, n, s.start + s.offset, csum_seed(s.pseudo)) &&
	       csum_complete(iov, n, s.start, s.offset,
			     proto == IPPROTO_UDP ? CSUM_COMPLETE_UDP : 0) == 0;
}

static int start(struct rte_mempool *pool)
{
	struct rte_eth_conf conf = { 0 };
	struct rte_eth_dev_info info;

	if (rte_eth_dev_info_get(0, &info))
		return -1;
	/* some drivers take chains without being told to */
	conf.rxmode.offloads =
		RTE_ETH_RX_OFFLOAD_SCATTER & info.rx_offload_capa;
	conf.txmode.offloads =
		RTE_ETH_TX_OFFLOAD_MULTI_SEGS & info.tx_offload_capa;
	return rte_eth_dev_configure(0, 1, 1, &conf) ||
	       rte_eth_rx_queue_setup(0, 0, QUEUE, SOCKET_ID_ANY, NULL, pool) ||
	       rte_eth_tx_queue_setup(0, 0, QUEUE, SOCKET_ID_ANY, NULL) ||
	       rte_eth_dev_start(0);
}

int main(int argc, char **argv)
{
	struct rte_mbuf *burst[BURST];
	struct rte_mempool *pool;
	unsigned long packets = 0, chains = 0, finished = 0;

	if (rte_eal_init(argc, argv) < 0)
		return 2;
	pool = rte_pktmbuf_pool_create("mbufs", MBUFS, 0, 0,
				       RTE_PKTMBUF_HEADROOM + BYTES,
				       SOCKET_ID_ANY);
	if (!pool || rte_eth_dev_count_avail() == 0 || start(pool)) {
		fputs("dpdk: no port; give one with --vdev\n", stderr);
		return 2;
	}
	for (int idle = 0; idle < IDLE;) {
		uint16_t n = rte_eth_rx_burst(0, 0, burst, BURST);

		idle = n ? 0 : idle + 1;
		packets += n;
		for (uint16_t i = 0; i < n; i++) {
			chains += burst[i]->nb_segs > 1;
			finished += finish(burst[i]);
		}
		n -= rte_eth_tx_burst(0, 0, burst, n);
		if (n)
			return 1;
	}
	rte_eth_dev_stop(0);
	rte_eth_dev_close(0);
	rte_eal_cleanup();
	printf("%lu packets, %lu of them chains, %lu checksums finished\n",
	       packets, chains, finished);
	return 0;
}
