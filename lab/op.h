/* SPDX-License-Identifier: BSD-2-Clause */
/* op.h - what a subject does in one call, and whether calls may overlap. */
#ifndef CSUM_LAB_OP_H
#define CSUM_LAB_OP_H

enum lab_op {
	LAB_SUM,
	LAB_COPY,
	LAB_REPLACE, /* the checksum after a change of two bytes */
	LAB_HEADER,  /* the checksum of 20 bytes */
	LAB_WRITTEN, /* LAB_HEADER just after ten of the bytes were stored, by
			twos */
	LAB_CHANGE,  /* two bytes of a header, and its checksum, in memory */
	LAB_CHANGE_WRITTEN, /* LAB_CHANGE just after ten bytes were stored, by
			       twos */
	LAB_OPS,
};

enum lab_mode {
	LAB_THROUGHPUT, /* calls may overlap */
	LAB_LATENCY,	/* the operand of each call needs the last result */
	LAB_MODES,
};

#endif
