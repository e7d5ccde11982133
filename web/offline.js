/* Keeps the files of the site, so that it opens without a network after the first visit. Files are asked for once a
   version; a new version replaces all of them together. */

const VERSION = "@version@",
  FILES = ["@files@"];
const NAME = `winnable ${VERSION}`;

self.addEventListener("install", event => {
  event.waitUntil(
    caches
      .open(NAME)
      .then(cache => cache.addAll(FILES.map(name => new Request(name, { cache: "no-cache" }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", event => {
  const old = names => names.filter(name => name.startsWith("winnable ") && name !== NAME);
  event.waitUntil(
    caches
      .keys()
      .then(names => Promise.all(old(names).map(name => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", event => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || address.origin !== location.origin) return;
  event.respondWith(answer(event.request));
});

async function answer(request) {
  const address = new URL(request.url);
  address.search = "";
  if (address.pathname.endsWith("/")) address.pathname += "index.html";
  const cache = await caches.open(NAME);
  return (await cache.match(address.href)) || fetch(request);
}
