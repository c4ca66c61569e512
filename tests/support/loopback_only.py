"""An audit hook that rejects network access, except to this machine."""

import ipaddress
import socket

# Messages about rejected accesses.
rejected = []


def reject_other_machines(event, arguments):
    """Raise `PermissionError` for a connection, a packet or a name server's answer."""
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        connection, address = arguments
        # Dask connects a datagram socket to find its own address; no packet is sent.
        is_sent = event != "socket.connect" or connection.type != socket.SOCK_DGRAM
        if not is_sent or not isinstance(address, tuple):  # a socket in the file system
            return
        host = address[0]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    else:
        return
    if not _is_this_machine(host):
        rejected.append(f"{event} {host}")
        raise PermissionError(f"tests may only connect to this machine, not to {host}")


def _is_this_machine(host):
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost", socket.gethostname()):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
