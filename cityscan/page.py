"""Opens the page: Streamlit on this machine only, or on the network for whoever asks for that."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator

from engine.errors import Unsupported

FIRST_PORT = 8501
PORTS_TRIED = 50
# Tells the page the address that phones use, so that it can show it too. The page knows it by the same name.
SHARE_ADDRESS = "CITYSCAN_SHARE_ADDRESS"


def open_page(share: bool = False, port: int | None = None) -> int:
    """Serve ``app.py`` until the user stops it; returns Streamlit's exit code."""
    found = importlib.util.find_spec("app")
    if found is None or found.origin is None:
        raise Unsupported("the page (app.py) is not installed; install Cityscan again.")
    chosen = port or free_port("" if share else "localhost")
    environment = dict(os.environ)
    environment.pop(SHARE_ADDRESS, None)
    if share:
        environment[SHARE_ADDRESS] = f"http://{network_address()}:{chosen}"
        print(invitation(environment[SHARE_ADDRESS]))
    return subprocess.call(command(found.origin, share, chosen), env=environment)


def command(script: str, share: bool, port: int) -> list[str]:
    """How Streamlit is started. The rest of its settings is in ``.streamlit/config.toml`` beside the script."""
    arguments = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port)]
    arguments += ["--server.address", "0.0.0.0" if share else "localhost", "--browser.gatherUsageStats", "false"]
    if not share:
        return arguments
    # Somebody who shares the page opens it on a phone; a browser on this machine would only be in the way. Without
    # an address Streamlit would ask a server in the internet for one.
    return [*arguments, "--server.headless", "true", "--browser.serverAddress", network_address()]


def invitation(address: str) -> str:
    """The address and its QR code, for a terminal."""
    import segno

    return "\n".join(
        [
            "",
            *_qr_lines(segno.make(address, error="l").matrix_iter(border=2)),
            "",
            f"  Everybody in your network can open {address} and sees all saved games. Stop with Ctrl+C.",
            "",
        ]
    )


def _qr_lines(rows: Iterable[Iterable[int]]) -> Iterator[str]:
    """Two rows of the code in one line of text, light on dark or dark on light: scanners take either."""
    matrix = [list(row) for row in rows]
    if len(matrix) % 2:
        matrix.append([0] * len(matrix[0]))
    halves = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    for upper, lower in zip(matrix[::2], matrix[1::2], strict=True):
        yield "  " + "".join(halves[bool(a), bool(b)] for a, b in zip(upper, lower, strict=True))


def free_port(host: str) -> int:
    """The first port from 8501 on that nobody listens on."""
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as attempt:
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                attempt.bind((host, port))
            except OSError:
                continue
            return port
    raise Unsupported(f"no port from {FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1} is free; name one with --port.")


def network_address() -> str:
    """This machine's address in the local network. Nothing is sent: connecting a datagram socket only picks a route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
        try:
            route.connect(("192.0.2.1", 9))  # an address that is reserved for documentation
        except OSError:
            return socket.gethostname()
        return str(route.getsockname()[0])
