"""A file server for tests of the static site."""

import contextlib
import subprocess
import sys

# Serves the folder named on the command line at a free port, which it prints. With "isolated", workers may
# share memory with the page; with "fresh", browsers ask for a file each time.
SERVER = """
import functools, http.server, sys
class Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        if "isolated" in sys.argv:
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        if "fresh" in sys.argv:
            self.send_header("Cache-Control", "no-store")
        super().end_headers()
    def send_head(self):
        if "fresh" in sys.argv:
            del self.headers["If-Modified-Since"]
        return super().send_head()
    def log_message(self, *arguments):
        pass
handler = functools.partial(Handler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
print(server.server_address[1], flush=True)
server.serve_forever()
"""


@contextlib.contextmanager
def serving(folder, *options):
    """Serve the files of ``folder``; return the process and the address."""
    command = [sys.executable, "-c", SERVER, str(folder), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield process, f"http://127.0.0.1:{process.stdout.readline().strip()}/"
    finally:
        process.kill()
        process.communicate()


@contextlib.contextmanager
def visiting(browser, folder, *options):
    """Serve the files of ``folder`` as `serving` does, until the browser has left them: a page that still
    loads files would report those that a stopped server does not send."""
    with serving(folder, *options) as served:
        yield served
        browser.get("about:blank")
