#!/bin/bash
# `csum verify` at a terminal and behind a pipe: Ctrl-C, and what it waits for.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/tap.sh"
sample=$(realpath "$(dirname "$0")/captures/sample.pcap")
cat >"$tmp/interrupt.py" <<'END'
"""A pipe that only ends by SIGINT, which goes to the whole group."""
import os, signal, subprocess, sys, time
WRITER = '''
import sys, time
sys.stdout.buffer.write(open(sys.argv[1], "rb").read())
sys.stdout.buffer.flush()
try:
    time.sleep(60)
except KeyboardInterrupt:
    pass
'''

def begin():
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)

p = subprocess.Popen(['bash', '-c', 'python3 -c "$1" "$2" | "$CSUM" verify -',
                      'bash', WRITER, sys.argv[1]], preexec_fn=begin,
                     stdout=subprocess.PIPE)
time.sleep(1.5)
os.killpg(p.pid, signal.SIGINT)
out = p.communicate(timeout=20)[0].decode()
print(out, end='')
assert 'standard input: pcap, 68 packets, 2 bad' in out
assert out.rstrip().endswith('192.0.2.1.'), out
END
cat >"$tmp/terminal.py" <<'END'
"""What is on a terminal when nothing is named."""
import os, pty, signal, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], ['csum', 'verify'])
time.sleep(1)
os.write(fd, b'\x03')
out = b''
try:
    while True:
        part = os.read(fd, 4096)
        if not part:
            break
        out += part
except OSError:
    pass
os.waitpid(pid, 0)
print(out.decode())
assert b'waits for a capture on standard input' in out
assert max(map(len, out.split(b'\r\n'))) <= 80
END
export CSUM
ok "Ctrl-C on a pipe ends with summary and conclusion" \
	python3 "$tmp/interrupt.py" "$sample"
ok "csum verify alone says what it waits for" \
	python3 "$tmp/terminal.py" "$CSUM"

tap_done
