; SPDX-License-Identifier: BSD-2-Clause
; average.smt2 - the bound of src/routines/x86/average.h, denied: each "check-sat"
; has to answer unsat.  scripts/prove puts the constants of that file in front:
; STEPS (MAX_STEPS).
;
; One lane.  T is the sum S of its 64-bit words modulo 2^64, c = S div 2^64 is
; what the routine recovers, E its sum of top words, eight of them averaged.
(define-fun average ((a Int) (b Int)) Int (div (+ a b 1) 2))
(define-fun top ((a Int)) Bool (<= 0 a 65535))
(declare-const a Int) (declare-const b Int) (declare-const c Int)
(declare-const d Int) (declare-const e Int) (declare-const f Int)
(declare-const g Int) (declare-const h Int)

; Eight times the average of eight top words is their sum, or up to 12 more.
(push)
(echo "step")
(assert (and (top a) (top b) (top c) (top d) (top e) (top f) (top g) (top h)))
(assert (let ((off (- (* 8 (average (average (average a b) (average c d))
                                    (average (average e f) (average g h))))
                      (+ a b c d e f g h))))
  (not (<= 0 off 12))))
(check-sat)
(pop)

; So after n words E is below S / 2^48 by less than n, because a top word is
; below its word by less than 1, and above by no more than 12 for each step of 8.
; A call sums at most STEPS steps, 7 vectors more, and the rest.
(push)
(echo "words")
(assert (not (<= (+ (* 8 STEPS) 7 1) 16384)))
(check-sat)
(pop)

; With n <= 2^14 that is enough to know c.
(declare-const n Int) (declare-const S Int) (declare-const E Int)
(declare-const T Int) (declare-const wraps Int)
(define-fun two48 () Int 281474976710656)
(define-fun two64 () Int 18446744073709551616)
(push)
(echo "wraps")
(assert (<= 0 n 16384))
(assert (= S (+ T (* wraps two64))))
(assert (and (<= 0 T) (< T two64) (<= 0 wraps)))
(assert (<= (- (* two48 n)) (- (* E two48) S)))
(assert (<= (* 2 (- (* E two48) S)) (* 3 n two48)))
(assert (not (= wraps (div (+ (- E (div T two48)) 32768) 65536))))
(check-sat)
(pop)
