/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csum_names.h - for csum.h alone, which includes this twice if
 * CSUM_NO_SHORT_NAMES is defined: at its start each function gets its long name,
 * at its end each short name is free again.
 *
 * A program's own macro of a short name has to be defined after csum.h.
 */
#ifndef CSUM_LONG_NAMES
#define CSUM_LONG_NAMES 1

#define csum_add csum_api_add
#define csum_add20 csum_api_add20
#define csum_be16_from_host csum_api_be16_from_host
#define csum_be32_from_host csum_api_be32_from_host
#define csum_combine csum_api_combine
#define csum_copy csum_api_copy
#define csum_dec_ttl csum_api_dec_ttl
#define csum_diff csum_api_diff
#define csum_fold csum_api_fold
#define csum_fold_udp csum_api_fold_udp
#define csum_from16 csum_api_from16
#define csum_from32 csum_api_from32
#define csum_from64 csum_api_from64
#define csum_icmp csum_api_icmp
#define csum_icmpv6 csum_api_icmpv6
#define csum_iov csum_api_iov
#define csum_ipv4_dec_ttl csum_api_ipv4_dec_ttl
#define csum_ipv4_header csum_api_ipv4_header
#define csum_load16 csum_api_load16
#define csum_load32 csum_api_load32
#define csum_load_sum16 csum_api_load_sum16
#define csum_ok csum_api_ok
#define csum_partial csum_api_partial
#define csum_pseudo_ipv4 csum_api_pseudo_ipv4
#define csum_pseudo_ipv6 csum_api_pseudo_ipv6
#define csum_replace16 csum_api_replace16
#define csum_replace2 csum_api_replace2
#define csum_replace4 csum_api_replace4
#define csum_replace_by_diff csum_api_replace_by_diff
#define csum_replace_bytes csum_api_replace_bytes
#define csum_routine_active csum_api_routine_active
#define csum_routine_count csum_api_routine_count
#define csum_routine_get csum_api_routine_get
#define csum_shift csum_api_shift
#define csum_store16 csum_api_store16
#define csum_sub csum_api_sub
#define csum_tcp_ipv4 csum_api_tcp_ipv4
#define csum_tcp_ipv6 csum_api_tcp_ipv6
#define csum_to16 csum_api_to16
#define csum_udp_absent csum_api_udp_absent
#define csum_udp_ipv4 csum_api_udp_ipv4
#define csum_udp_ipv6 csum_api_udp_ipv6
#define csum_udp_keep csum_api_udp_keep
#define csum_udp_replace16 csum_api_udp_replace16
#define csum_udp_replace2 csum_api_udp_replace2
#define csum_udp_replace4 csum_api_udp_replace4
#define csum_udp_replace_by_diff csum_api_udp_replace_by_diff
#define csum_udp_replace_bytes csum_api_udp_replace_bytes
#define csum_udp_sent csum_api_udp_sent
#define csum_uncombine csum_api_uncombine
#define csum_uncomplement csum_api_uncomplement
#define csum_use_profile csum_api_use_profile
#define csum_version csum_api_version
#define csum_without csum_api_without

#else
#undef CSUM_LONG_NAMES

#undef csum_add
#undef csum_add20
#undef csum_be16_from_host
#undef csum_be32_from_host
#undef csum_combine
#undef csum_copy
#undef csum_dec_ttl
#undef csum_diff
#undef csum_fold
#undef csum_fold_udp
#undef csum_from16
#undef csum_from32
#undef csum_from64
#undef csum_icmp
#undef csum_icmpv6
#undef csum_iov
#undef csum_ipv4_dec_ttl
#undef csum_ipv4_header
#undef csum_load16
#undef csum_load32
#undef csum_load_sum16
#undef csum_ok
#undef csum_partial
#undef csum_pseudo_ipv4
#undef csum_pseudo_ipv6
#undef csum_replace16
#undef csum_replace2
#undef csum_replace4
#undef csum_replace_by_diff
#undef csum_replace_bytes
#undef csum_routine_active
#undef csum_routine_count
#undef csum_routine_get
#undef csum_shift
#undef csum_store16
#undef csum_sub
#undef csum_tcp_ipv4
#undef csum_tcp_ipv6
#undef csum_to16
#undef csum_udp_absent
#undef csum_udp_ipv4
#undef csum_udp_ipv6
#undef csum_udp_keep
#undef csum_udp_replace16
#undef csum_udp_replace2
#undef csum_udp_replace4
#undef csum_udp_replace_by_diff
#undef csum_udp_replace_bytes
#undef csum_udp_sent
#undef csum_uncombine
#undef csum_uncomplement
#undef csum_use_profile
#undef csum_version
#undef csum_without

#endif
