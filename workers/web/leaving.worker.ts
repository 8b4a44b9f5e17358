import { shelfName } from './shelf-name.ts'

declare const self: ServiceWorkerGlobalScope

// Replaces the service worker when offline use is disabled. It takes over immediately, deletes the cached files and unregisters itself, leaving the
// origin's other data alone.
self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', leave)

// A page that registers after that brings the worker back without activating it again, and then asks it to keep files.
self.addEventListener('message', leave)

function leave(event: ExtendableEvent): void {
  event.waitUntil(caches.delete(shelfName).then(() => self.registration.unregister()))
}
