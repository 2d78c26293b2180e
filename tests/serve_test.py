"""Tests flashscope-serve in a separate build folder whose page is a few files: serve_test.py PROGRAM. Skipped, with exit
code 77, if the build lacks the server's package."""
import contextlib
import gzip
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

failed = False


def check(sentence, holds, what=""):
    global failed
    print(f"{'ok' if holds else 'FAILED'}: {sentence} {'' if holds else what}")
    failed = failed or not holds


class Tree:
    """Creates build/release/viz/flashscope-serve and build/site, as the launcher does."""

    def __init__(self, folder, program):
        self.build = pathlib.Path(folder) / "a tree/build"
        self.program = self.build / "release/viz/flashscope-serve"
        self.program.parent.mkdir(parents=True)
        shutil.copy(program, self.program)
        self.tools = pathlib.Path(folder) / "tools"
        self.tools.mkdir()

    def make_page(self, site=None):
        site = site or self.build / "site"
        (site / "manual").mkdir(parents=True)
        (site / "index.html").write_text("<p>the page")
        (site / "flashscope.wasm").write_bytes(b"\0asm")
        (site / "manual/index.html").write_text("<p>the manual")
        (self.build / "secret").write_text("secret")

    def run(self, *words):
        """The exit code and the output of a start that cannot serve."""
        done = subprocess.run([self.program, "serve", *words], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    @contextlib.contextmanager
    def serving(self, *words, **environment):
        """The process and its address."""
        process = subprocess.Popen([self.program, "serve", "--port", "0", *words], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}", **environment})
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()
            process.wait()

    def browser(self, script):
        tool = self.tools / "xdg-open"
        tool.write_text("#!/bin/sh\n" + script)
        tool.chmod(0o755)


def get(address):
    """Status, type and body."""
    try:
        with urllib.request.urlopen(address, timeout=100) as answer:
            return answer.status, answer.headers.get("Content-Type"), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, None, b""


def raw(port, request):
    with socket.create_connection(("127.0.0.1", port), timeout=100) as connection:
        connection.sendall(request)
        return connection.recv(65536)


def answer_to(port, request, most=1 << 26):
    """All that the server sends before it closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=100) as connection:
        received = b""
        with contextlib.suppress(ConnectionError):
            connection.sendall(request)
            while len(received) < most and (part := connection.recv(1 << 16)):
                received += part
        return received


def request(path="/", host="127.0.0.1", more="", method="GET"):
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode()


def status(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def addresses_of_this_machine():
    with contextlib.suppress(OSError):
        return {one[4][0] for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    return set()


def check_refusals(tree):
    code, said = tree.run("--no-open")
    check("without a page it ends with 3 and names the command", code == 3 and "build page makes it" in said, said)
    tree.make_page()
    for port in ["-1", "65536", "abc", "", "80.5"]:
        code, said = tree.run("--no-open", "--port", port)
        check(f"port \"{port}\" is refused", code == 2 and "port" in said, said)
    with socket.socket() as used:
        used.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # the server must not share a port in use
        used.bind(("127.0.0.1", 0))
        used.listen()
        code, said = tree.run("--no-open", "--port", str(used.getsockname()[1]))
        check("a used port is named, and what helps", code == 3 and "in use" in said and "--port 0" in said, said)


def check_serving(tree):
    with tree.serving("--no-open") as (process, address):
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        check("the page is there", get(address) == (200, "text/html", b"<p>the page"), get(address))
        check("the manual is there", get(address + "manual/")[2] == b"<p>the manual")
        check("the program has its type", get(address + "flashscope.wasm")[1] == "application/wasm", get(address + "flashscope.wasm"))
        check("what is not there is 404", get(address + "nothing")[0] == 404)
        for path in ["/../secret", "/manual/../../secret", "/%2e%2e/secret", "/..%2fsecret"]:
            answer = raw(port, f"GET {path} HTTP/1.0\r\n\r\n".encode())
            check(f"{path} leads out of nothing", b"secret" not in answer.split(b"\r\n\r\n", 1)[1], answer)
        for other in addresses_of_this_machine():
            with socket.socket() as outside:
                outside.settimeout(5)
                check(f"{other} has no server", outside.connect_ex((other, port)) != 0)
        process.send_signal(signal.SIGINT)
        check("Ctrl-C ends it", process.wait(timeout=20) == -signal.SIGINT)


def check_requests(tree):
    """Hosts, methods, ranges and heads that browsers of this machine do not send."""
    large = tree.build / "site/large.bin"
    large.write_bytes(bytes(8 << 20))
    with tree.serving("--no-open") as (_, address):
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        for host in ["127.0.0.1", f"127.0.0.1:{port}", "localhost", "LocalHost:9", "[::1]:80"]:
            check(f"the host {host} is served", status(answer_to(port, request(host=host))) == 200)
        for host in ["example.org", f"example.org:{port}", "127.0.0.1.example.org", "localhost@example.org", "", "[", "127.0.0.1\r\nHost: a"]:
            answer = answer_to(port, request(host=host))
            check(f"the host {host!r} is refused", status(answer) == 403 and b"the page" not in answer, answer)
        check("HTTP/1.1 without a host is refused", status(answer_to(port, b"GET / HTTP/1.1\r\n\r\n")) == 403)
        for path in ["/", "/nothing", "/large.bin"]:
            head = answer_to(port, request(path)).split(b"\r\n\r\n", 1)[0]
            check(f"types of {path} are not guessed", b"X-Content-Type-Options: nosniff" in head, head)
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PRI", "nonsense"]:
            check(f"{method} is refused", status(answer_to(port, request(method=method))) == 405)
        check("a head alone has no body", answer_to(port, request(method="HEAD")).endswith(b"\r\n\r\n"))
        part = answer_to(port, request("/large.bin", more="Range: bytes=10-19\r\n"))
        check("one range is served", status(part) == 206 and part.endswith(b"\r\n\r\n" + bytes(10)), part[:200])
        for ranges in ["bytes=" + ",".join(["0-"] * 20), "bytes=0-,1-", "bytes=" + "0-1," * 3000 + "0-1", "bytes=" + "9" * 15000 + "-"]:
            answer = answer_to(port, request("/large.bin", more=f"Range: {ranges}\r\n"))
            check(f"{ranges[:20]}... is not answered part by part", status(answer) == 416 and len(answer) < 1000, len(answer))
        twice = answer_to(port, request("/large.bin", more="Range: bytes=0-9\r\nRange: bytes=0-9\r\n"))
        check("a range that is given twice is refused", status(twice) == 416)
        for name, head in [("one header", b"X: " + b"a" * (1 << 22)), ("many headers", b"X: a\r\n" * (1 << 19)), ("its path", None)]:
            answer = answer_to(port, b"GET /" + b"a" * (1 << 22) if head is None else b"GET / HTTP/1.1\r\n" + head)
            check(f"a head that is too long by {name} is refused", status(answer) in (0, 431) and len(answer) < 1000, answer[:200])
        check("and the page is served afterwards", get(address)[0] == 200)


def check_compression(tree):
    """A browser that takes gzip gets it, and nothing that it has already."""
    text = "<p>a page of many words " * 200
    (tree.build / "site/long.html").write_text(text)
    (tree.build / "site/large.bin").write_bytes(bytes(8 << 20))
    with tree.serving("--no-open") as (_, address):
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        plain = answer_to(port, request("/long.html"))
        check("without the header nothing is compressed", plain.endswith(text.encode()) and b"Content-Encoding" not in plain)
        head, body = answer_to(port, request("/long.html", more="Accept-Encoding: gzip, br\r\n")).split(b"\r\n\r\n", 1)
        check("a text is compressed", gzip.decompress(body) == text.encode() and len(body) < len(text) / 10, head)
        check("the compressed answer says so", b"Content-Encoding: gzip" in head and b"Vary: Accept-Encoding" in head, head)
        raw_file = answer_to(port, request("/large.bin", more="Accept-Encoding: gzip\r\n"))
        check("other files are not", b"Content-Encoding" not in raw_file and len(raw_file) > 8 << 20)
        part = answer_to(port, request("/long.html", more="Accept-Encoding: gzip\r\nRange: bytes=3-8\r\n"))
        check("a range is of the file itself", status(part) == 206 and part.endswith(b"\r\n\r\na page"), part)
        tag = re.search(rb"ETag: (\S+)", head)[1].decode()
        for sent in [tag, f'"other", {tag}']:
            again = answer_to(port, request("/long.html", more=f"If-None-Match: {sent}\r\n"))
            check("a file that the browser has is not sent", status(again) == 304 and again.endswith(b"\r\n\r\n"), again)
        (tree.build / "site/long.html").write_text("<p>another")
        os.utime(tree.build / "site/long.html", (0, 0))
        again = answer_to(port, request("/long.html", more=f"If-None-Match: {tag}\r\n"))
        check("a file that changed is", status(again) == 200 and again.endswith(b"<p>another"), again)
        for ranges, bytes_sent in [("bytes=-3", 3), ("bytes=7-", 3), ("bytes=0-99", 10)]:
            part = answer_to(port, request("/long.html", more=f"Range: {ranges}\r\n"))
            check(f"{ranges} is a range", status(part) == 206 and len(part.split(b"\r\n\r\n", 1)[1]) == bytes_sent, part)
        for ranges in ["bytes=10-", "bytes=5-2", "bytes=a-", "words=1-2", "bytes=-0"]:
            check(f"{ranges} is none", status(answer_to(port, request("/long.html", more=f"Range: {ranges}\r\n"))) == 416)
        for path in ["/%", "/%2", "/%zz", "//etc/passwd", "/%00", "nothing", "/manual"]:
            check(f"{path} is no file", status(answer_to(port, request(path))) in (400, 404))


def check_patience(tree):
    """Clients that send nothing, half a head, or take nothing do not hold up others. (No limit of time is checked: without
    an answer the test fails by the timeout of get().)"""
    with tree.serving("--no-open") as (process, address), contextlib.ExitStack() as held:
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        for kind, count, bytes_sent in [("silent", 200, b""), ("half", 200, b"GET / HT"), ("deaf", 40, request("/large.bin"))]:
            for _ in range(count):
                connection = held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=100))
                with contextlib.suppress(ConnectionError):
                    connection.sendall(bytes_sent)
            check(f"{count} {kind} clients hold up no other", get(address)[0] == 200)
        open_files = len(list(pathlib.Path(f"/proc/{process.pid}/fd").iterdir()))
        check("connections are limited in number", open_files < 60, open_files)
        silent = held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
        check("a silent client is let go", silent.recv(1) == b"")


def check_installed(tree):
    installed = tree.program.parent.parent / "share/flashscope"
    (installed / "manual").mkdir(parents=True)
    (installed / "flashscope.html").write_text("<p>the installed page")
    (installed / "manual/index.html").write_text("<p>the installed manual")
    with tree.serving("--no-open") as (_, address):
        check("a page installed next to the program takes precedence", get(address)[2] == b"<p>the installed page")
        check("it is what the manual links to", get(address + "index.html")[2] == b"<p>the installed page")
        check("the manual is installed beside it", get(address + "manual/")[2] == b"<p>the installed manual")


def check_browser(tree, folder):
    opened = pathlib.Path(folder) / "opened"
    tree.browser(f'echo "$1" >"{opened}.next" && mv "{opened}.next" "{opened}"')
    with tree.serving(DISPLAY=":7") as (process, address):
        while not opened.exists():  # ends with the test's time limit at the latest
            process.poll()
        check("the browser gets the address", opened.read_text().strip() == address)
    tree.browser("exit 4")
    with tree.serving(DISPLAY=":7") as (process, address):
        said = [process.stderr.readline() for _ in range(2)]
        check("a browser that fails is said", any("no browser was opened" in line for line in said), said)
        check("and the page is served", get(address)[0] == 200)
    with tree.serving(DISPLAY="", WAYLAND_DISPLAY="") as (process, address):
        said = [process.stderr.readline() for _ in range(2)]
    check("without a desktop that is said", any("no desktop" in line for line in said), said)


def main():
    with tempfile.TemporaryDirectory(dir=".") as folder:
        tree = Tree(pathlib.Path(folder).resolve(), sys.argv[1])
        if "this build has no server" in tree.run()[1]:
            print("skipped: this build has no server")
            sys.exit(77)
        check_refusals(tree)
        check_serving(tree)
        check_requests(tree)
        check_compression(tree)
        check_patience(tree)
        check_browser(tree, folder)
        check_installed(tree)
    sys.exit(1 if failed else 0)


main()
