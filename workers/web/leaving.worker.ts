import { shelfName } from './shelf-name.ts'

declare const self: ServiceWorkerGlobalScope

// Stands where the service worker stood when pages are no longer to be kept: it takes over at once, clears the shelf and
// leaves. Nothing else that the origin holds on the device is touched.
self.addEventListener('install', () => void self.skipWaiting())

self.addEventListener('activate', (event) => {
  const leave = async () => {
    await caches.delete(shelfName)
    await self.registration.unregister()
  }
  event.waitUntil(leave())
})
