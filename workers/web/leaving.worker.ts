import { shelfName } from './shelf-name.ts'

declare const self: ServiceWorkerGlobalScope

// Replaces the service worker when offline use is disabled: it takes over immediately, deletes the cached files and
// unregisters itself. Other data of the origin is not touched.
self.addEventListener('install', () => void self.skipWaiting())

self.addEventListener('activate', (event) => {
  const leave = async () => {
    await caches.delete(shelfName)
    await self.registration.unregister()
  }
  event.waitUntil(leave())
})
