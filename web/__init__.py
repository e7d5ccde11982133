"""The board and the engine compiled to WebAssembly: a static web page that needs only a web server for its
files."""
