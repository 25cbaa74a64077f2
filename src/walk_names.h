/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk_names.h - the names that the linker sees of the walk, which is in the
 * library: one line for each function and table that is not static.
 *
 * packet/CMakeLists.txt puts it in front of every file that uses the walk.  A
 * line that is missing does no harm to the tool; tests/build.sh names it.
 */
#ifndef CSUM_WALK_NAMES_H
#define CSUM_WALK_NAMES_H

#define check_site		 csum_inside_check_site
#define cisco_hdlc_starts	 csum_inside_cisco_hdlc_starts
#define decode_rows		 csum_inside_decode_rows
#define decode_table_name	 csum_inside_decode_table_name
#define decoder_at		 csum_inside_decoder_at
#define decoder_fits		 csum_inside_decoder_fits
#define find_decoder		 csum_inside_find_decoder
#define find_port_decoder	 csum_inside_find_port_decoder
#define fit_ethernet		 csum_inside_fit_ethernet
#define fit_ip			 csum_inside_fit_ip
#define fit_llc			 csum_inside_fit_llc
#define fit_type		 csum_inside_fit_type
#define judge_packet		 csum_inside_judge_packet
#define judge_site		 csum_inside_judge_site
#define layer_enter		 csum_inside_layer_enter
#define layer_enter_fragment	 csum_inside_layer_enter_fragment
#define layer_take		 csum_inside_layer_take
#define linktype_name		 csum_inside_linktype_name
#define note_text		 csum_inside_note_text
#define protocol_name		 csum_inside_protocol_name
#define protocol_width		 csum_inside_protocol_width
#define pseudo_sum		 csum_inside_pseudo_sum
#define reason_text		 csum_inside_reason_text
#define repair_lengths		 csum_inside_repair_lengths
#define repair_packet		 csum_inside_repair_packet
#define repair_snapped		 csum_inside_repair_snapped
#define site_right		 csum_inside_site_right
#define site_store		 csum_inside_site_store
#define site_sum		 csum_inside_site_sum
#define site_value		 csum_inside_site_value
#define unfinished_add		 csum_inside_unfinished_add
#define udp_ports_carry_data	 csum_inside_udp_ports_carry_data
#define verdict_name		 csum_inside_verdict_name
#define walk_add		 csum_inside_walk_add
#define walk_amt		 csum_inside_walk_amt
#define walk_avs		 csum_inside_walk_avs
#define walk_ayiya		 csum_inside_walk_ayiya
#define walk_broadcom_prepended	 csum_inside_walk_broadcom_prepended
#define walk_capwap		 csum_inside_walk_capwap
#define walk_capwap_whole	 csum_inside_walk_capwap_whole
#define walk_cdp		 csum_inside_walk_cdp
#define walk_cisco_hdlc		 csum_inside_walk_cisco_hdlc
#define walk_cmd_gre		 csum_inside_walk_cmd_gre
#define walk_dsa		 csum_inside_walk_dsa
#define walk_dsa_ethertype	 csum_inside_walk_dsa_ethertype
#define walk_edge		 csum_inside_walk_edge
#define walk_either_ip		 csum_inside_walk_either_ip
#define walk_erf		 csum_inside_walk_erf
#define walk_erspan		 csum_inside_walk_erspan
#define walk_erspan3		 csum_inside_walk_erspan3
#define walk_esp		 csum_inside_walk_esp
#define walk_esp_in_udp		 csum_inside_walk_esp_in_udp
#define walk_ethernet		 csum_inside_walk_ethernet
#define walk_ethertype		 csum_inside_walk_ethertype
#define walk_fabricpath		 csum_inside_walk_fabricpath
#define walk_fcs		 csum_inside_walk_fcs
#define walk_frame		 csum_inside_walk_frame
#define walk_frame_relay	 csum_inside_walk_frame_relay
#define walk_geneve		 csum_inside_walk_geneve
#define walk_gre		 csum_inside_walk_gre
#define walk_gre_alone		 csum_inside_walk_gre_alone
#define walk_gtp_user		 csum_inside_walk_gtp_user
#define walk_hp_erm		 csum_inside_walk_hp_erm
#define walk_icmp_payload	 csum_inside_walk_icmp_payload
#define walk_ipfix		 csum_inside_walk_ipfix
#define walk_ipv4		 csum_inside_walk_ipv4
#define walk_ipv6		 csum_inside_walk_ipv6
#define walk_ipv6_payload	 csum_inside_walk_ipv6_payload
#define walk_juniper_ether	 csum_inside_walk_juniper_ether
#define walk_juniper_ppp	 csum_inside_walk_juniper_ppp
#define walk_juniper_frame_relay csum_inside_walk_juniper_frame_relay
#define walk_juniper_hdlc	 csum_inside_walk_juniper_hdlc
#define walk_l2tp		 csum_inside_walk_l2tp
#define walk_l2tp_over_ip	 csum_inside_walk_l2tp_over_ip
#define walk_linktype		 csum_inside_walk_linktype
#define walk_lisp		 csum_inside_walk_lisp
#define walk_lisp_control	 csum_inside_walk_lisp_control
#define walk_llc		 csum_inside_walk_llc
#define walk_lowpan		 csum_inside_walk_lowpan
#define walk_lowpan_fcs		 csum_inside_walk_lowpan_fcs
#define walk_lowpan_tap		 csum_inside_walk_lowpan_tap
#define walk_macsec		 csum_inside_walk_macsec
#define walk_mpacket		 csum_inside_walk_mpacket
#define walk_mpls		 csum_inside_walk_mpls
#define walk_nhrp		 csum_inside_walk_nhrp
#define walk_nsh		 csum_inside_walk_nsh
#define walk_opaque		 csum_inside_walk_opaque
#define walk_open		 csum_inside_walk_open
#define walk_packet		 csum_inside_walk_packet
#define walk_pbb		 csum_inside_walk_pbb
#define walk_port_payload	 csum_inside_walk_port_payload
#define walk_ppp		 csum_inside_walk_ppp
#define walk_ppp_line		 csum_inside_walk_ppp_line
#define walk_ppp_pppd		 csum_inside_walk_ppp_pppd
#define walk_ppp_with_direction	 csum_inside_walk_ppp_with_direction
#define walk_pppoe		 csum_inside_walk_pppoe
#define walk_prism		 csum_inside_walk_prism
#define walk_radiotap		 csum_inside_walk_radiotap
#define walk_roce		 csum_inside_walk_roce
#define walk_rules_add		 csum_inside_walk_rules_add
#define walk_sctp_alone		 csum_inside_walk_sctp_alone
#define walk_sflow		 csum_inside_walk_sflow
#define walk_snap		 csum_inside_walk_snap
#define walk_teredo		 csum_inside_walk_teredo
#define walk_trailer		 csum_inside_walk_trailer
#define walk_type_or_length	 csum_inside_walk_type_or_length
#define walk_tzsp		 csum_inside_walk_tzsp
#define walk_upper		 csum_inside_walk_upper
#define walk_vxlan		 csum_inside_walk_vxlan
#define walk_vxlan_gpe		 csum_inside_walk_vxlan_gpe
#define walk_wccp		 csum_inside_walk_wccp
#define walk_wlan		 csum_inside_walk_wlan
#define walk_wlan_swapped	 csum_inside_walk_wlan_swapped

#endif
