/* Keeps the files of the site, so that it opens without a network after the first visit.

   A version is stored whole, each file with the digest that the build gave it, or not at all. Its pages then
   get all files from there. A later version waits until they are closed, or until the only page asks for it
   by {takeOver: true}. Another copy of the site in another folder of this origin has its own files. Whatever
   fails here, the network is asked as without this worker. */

/** The digests of the files by their paths. The build puts them here.
    @type {Record<string, string>} */
const FILES = /** @type {any} */ ("@files@");
const VERSION = "@version@";
const scope = /** @type {ServiceWorkerScope} */ (/** @type {unknown} */ (globalThis));
const FOLDER = new URL("./", location.href),
  KIND = `winnable-site ${FOLDER.pathname} `,
  FORMER = "winnable ", // of version 3.0.0, in all folders
  NAME = KIND + VERSION,
  PAGE = "index.html";

let isBroken = false; // a file of this version is lost, and no longer on the server

scope.addEventListener("install", event => event.waitUntil(install()));

scope.addEventListener("activate", event => event.waitUntil(deleteOld().catch(() => {})));

scope.addEventListener("message", event => {
  if (event.data?.takeOver) event.waitUntil(takeOver());
});

scope.addEventListener("fetch", event => {
  const { method, url } = event.request,
    name = method === "GET" && !isBroken && nameOf(url);
  if (name) event.respondWith(answer(event, name).catch(() => fetch(event.request)));
});

/** The name of the file at an address, if it is one of this site.
    @type {(address: string) => string | null} */
function nameOf(address) {
  const url = new URL(address);
  if (url.origin !== FOLDER.origin || !url.pathname.startsWith(FOLDER.pathname)) return null;
  const name = url.pathname.slice(FOLDER.pathname.length) || PAGE;
  return Object.hasOwn(FILES, name) ? name : null;
}

/** @type {(name: string) => string} */
const addressOf = name => new URL(name, FOLDER).href;

/* --- Storing a version --------------------------------------------------------------------------------- */

async function install() {
  try {
    const cache = await caches.open(NAME),
      old = await others();
    await Promise.all(Object.keys(FILES).map(name => store(cache, name, old)));
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
}

/* The caches of other versions of this folder. */
async function others() {
  const names = (await caches.keys()).filter(name => name.startsWith(KIND));
  return Promise.all(names.map(name => caches.open(name)));
}

/** Store a file: from an earlier version where it is the same, else from the network.
    @type {(cache: Cache, name: string, old: Cache[]) => Promise<void>} */
async function store(cache, name, old) {
  for (const each of old) {
    const found = await each.match(addressOf(name));
    if (!found || !(await isRight(found.clone(), name))) continue;
    await cache.put(addressOf(name), found);
    return;
  }
  await cache.put(addressOf(name), await fetched(name));
}

/** A file from the network. The browser's copy will do if it is the right one.
    @type {(name: string) => Promise<Response>} */
async function fetched(name) {
  for (const cache of /** @type {const} */ (["default", "reload"])) {
    const found = await fetch(addressOf(name), { cache });
    if (found.ok && (await isRight(found.clone(), name))) return plain(found);
  }
  throw new WrongFile(`${name}: not of this version`);
}

class WrongFile extends Error {}

/** @type {(found: Response, name: string) => Promise<boolean>} */
async function isRight(found, name) {
  const digest = await crypto.subtle.digest("SHA-256", await found.arrayBuffer());
  return btoa(String.fromCharCode(...new Uint8Array(digest))) === FILES[name];
}

/** Pages may not be answered by what came from another address.
    @type {(found: Response) => Response} */
const plain = found => (found.redirected ? new Response(found.body, { headers: found.headers }) : found);

/* --- Answering ----------------------------------------------------------------------------------------- */

/** @type {(event: FetchEvent, name: string) => Promise<Response>} */
async function answer(event, name) {
  const cache = await caches.open(NAME);
  if (event.request.mode === "navigate" && !(await isWhole(cache))) {
    // the deployed page changes with its version: it tells whether the lost files are still there
    const page = await again(cache, name, true);
    event.waitUntil(refill(cache).catch(() => {}));
    return page;
  }
  return (await cache.match(addressOf(name))) || again(cache, name);
}

/** @type {(cache: Cache) => Promise<boolean>} */
async function isWhole(cache) {
  return (await cache.keys()).length >= Object.keys(FILES).length;
}

/** Fetch a file that was lost and store it again; without a network, what is stored is better than nothing.
    If the server has another version, this one has ended: the network answers all that is asked from now on.
    @type {(cache: Cache, name: string, isNew?: boolean) => Promise<Response>} */
async function again(cache, name, isNew = false) {
  try {
    if (isNew) {
      const found = await fetch(addressOf(name), { cache: "no-cache" });
      if (!(found.ok && (await isRight(found.clone(), name)))) throw new WrongFile(name);
    }
    const found = await fetched(name);
    await cache.put(addressOf(name), found.clone()).catch(() => {});
    return found;
  } catch (error) {
    if (error instanceof WrongFile) {
      isBroken = true;
      scope.registration.update().catch(() => {});
    }
    const stored = isBroken ? null : await cache.match(addressOf(name));
    if (stored) return stored;
    throw error;
  }
}

/** @type {(cache: Cache) => Promise<void>} */
async function refill(cache) {
  const stored = new Set((await cache.keys()).map(({ url }) => url));
  for (const name of Object.keys(FILES)) if (!stored.has(addressOf(name))) await again(cache, name);
}

/* --- Taking over --------------------------------------------------------------------------------------- */

async function takeOver() {
  const pages = await scope.clients.matchAll({ includeUncontrolled: true, type: "window" });
  if (pages.length < 2) await scope.skipWaiting();
}

async function deleteOld() {
  for (const name of await caches.keys()) if (await isOld(name)) await caches.delete(name);
}

/** True if a cache is of another version of this folder. Version 3.0.0 did not name its folder.
    @type {(name: string) => Promise<boolean>} */
async function isOld(name) {
  if (name.startsWith(KIND)) return name !== NAME;
  if (!name.startsWith(FORMER)) return false;
  const stored = (await (await caches.open(name)).keys()).map(({ url }) => url);
  return stored.includes(addressOf(PAGE)) && stored.every(url => url.startsWith(FOLDER.href));
}
