import { shelfName } from './shelf-name.ts'

declare const self: ServiceWorkerGlobalScope

// Replaces the service worker when offline use is disabled. It takes over immediately, deletes the cached files and unregisters itself, leaving the
// origin's other data alone.
self.addEventListener('install', () => void self.skipWaiting())

self.addEventListener('activate', (event) => {
  const leave = async () => {
    await caches.delete(shelfName)
    await self.registration.unregister()
  }
  event.waitUntil(leave())
})
