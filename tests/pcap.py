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


def block(order, kind, body):
    body += bytes(-len(body) % 4)
    length = struct.pack(order + 'I', 12 + len(body))
    return struct.pack(order + 'I', kind) + length + body + length


def write_ng(path, frames, order='<'):
    """@frames: link type, bytes of check sequence at its end, frame."""
    interfaces = sorted({frame[:2] for frame in frames})
    with open(path, 'wb') as out:
        out.write(block(order, 0x0a0d0d0a, struct.pack(
            order + 'IHHq', 0x1a2b3c4d, 1, 0, -1)))
        for link, fcs in interfaces:
            option = struct.pack(order + 'HHB7x', 13, 1, fcs) if fcs else b''
            out.write(block(order, 1, struct.pack(
                order + 'HHI', link, 0, 0) + option))
        for *interface, frame in frames:
            out.write(block(order, 6, struct.pack(
                order + 'IIIII', interfaces.index(tuple(interface)), 0, 0,
                len(frame), len(frame)) + frame))
