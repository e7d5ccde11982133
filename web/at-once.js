/* Within the page, before its scripts are there: an address of a game shows the table instead of the home
   page, and has the engine fetched that deals it. */
if (location.hash.length > 1) document.body.dataset.page = "play";
if (/[#&](seed|deal)=(?![^&]*%3F)/.test(location.hash)) {
  // a table with unknown cards waits for Python
  const link = { rel: "preload", as: "fetch", href: "engine/winnable.wasm", crossOrigin: "anonymous" };
  document.head.append(Object.assign(document.createElement("link"), link));
}
