/* What a service worker has besides what a page has. */

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface ServiceWorkerScope {
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "message", listener: (event: ExtendableEvent & MessageEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  clients: {
    matchAll(options: { includeUncontrolled: boolean; type: "window" }): Promise<unknown[]>;
  };
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
}
