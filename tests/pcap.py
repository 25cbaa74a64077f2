"""pcap files for the tests: what the scripts that make captures share."""
import struct


def write(path, packets, times=None):
    """Ethernet frames, one after the other; @times: seconds since 1970."""
    with open(path, 'wb') as out:
        out.write(struct.pack('<IHHIIII', 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
        for i, packet in enumerate(packets):
            now = times[i] if times else 0
            out.write(struct.pack('<IIII', int(now), int(now % 1 * 1e6),
                                  len(packet), len(packet)) + packet)
