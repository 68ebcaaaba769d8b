"""A real nginx for tests: in front of a website, with the configuration that the documentation gives."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2

from tests.coordinator.homes import free_port
from tests.waiting import wait_until

_DOCUMENTATION = Path(__file__).parents[1] / "docs" / "coordinator.md"
_MAIN = """
daemon off; master_process on; worker_processes 1; pid {folder}/pid; {user}
error_log {folder}/error.log warn;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/bodies; proxy_temp_path {folder}/proxied;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {site}
}}
"""
"""What Debian's own nginx.conf has around an organiser's file, as far as a test needs it."""


def documented() -> str:
    """The configuration that the documentation gives."""
    (found,) = re.findall(r"```nginx\n(.*?)```", _DOCUMENTATION.read_text(), re.DOTALL)
    return str(found)


@contextmanager
def caching_proxy(website: str, tls: bool = True) -> Iterator[str]:
    """The address of an nginx in front of a website at an http address, by https unless ``tls`` is false.

    It ends with this process.
    """
    with TemporaryDirectory(prefix="nginx-", dir="/tmp") as folder:
        port = free_port()
        _certify(Path(folder))
        site = _placed(documented(), website, port, folder)
        if not tls:
            site = site.replace(" ssl http2", "").replace("    ssl_certificate", "    # ssl_certificate")
        user = "user root;" if os.geteuid() == 0 else ""
        (Path(folder) / "nginx.conf").write_text(_MAIN.format(folder=folder, site=site, user=user))
        # The kernel ends it when this process dies, however that comes.
        command = ["setpriv", "--pdeathsig", "TERM", "nginx", "-c", f"{folder}/nginx.conf", "-p", folder]
        with subprocess.Popen([*command, "-e", f"{folder}/error.log"], env=_with_sbin()) as process:
            address = f"{'https' if tls else 'http'}://127.0.0.1:{port}"
            try:
                wait_until(lambda: process.poll() is not None or _answers(address), "nginx did not come up")
                assert process.poll() is None, (Path(folder) / "error.log").read_text()
                yield address
            finally:
                process.terminate()


def _placed(configuration: str, website: str, port: int, folder: str) -> str:
    """The same with other addresses and places; each of them must be there to be replaced."""
    for old, new in (
        ("    listen [::]:443 ssl http2;\n", ""),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("/var/cache/nginx/", f"{folder}/"),
        ("/etc/letsencrypt/live/train.example.org/", f"{folder}/"),
        ("http://127.0.0.1:8080", website),
        ("server_name train.example.org;", "server_name localhost;"),
    ):
        assert old in configuration, old
        configuration = configuration.replace(old, new)
    return configuration


def _certify(folder: Path) -> None:
    """Make a certificate that nobody trusts."""
    names = ("-keyout", f"{folder}/privkey.pem", "-out", f"{folder}/fullchain.pem", "-subj", "/CN=localhost")
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    subprocess.run(["openssl", "req", "-x509", *key, *names], check=True, capture_output=True)


def _with_sbin() -> dict[str, str]:
    return {**os.environ, "PATH": f"{os.environ.get('PATH', '')}:/usr/sbin"}


def _answers(address: str) -> bool:
    try:
        httpx2.get(f"{address}/healthz", verify=False)
    except httpx2.HTTPError:
        return False
    return True
