import { Workbox } from 'workbox-window'

/** The service worker of every page; not registered yet. */
export function createServiceWorker(): Workbox {
  return new Workbox('/service-worker.js', { scope: '/', updateViaCache: 'none' })
}

/**
 * The service worker that serves this page's scope, once there is one. [Note: Begun by another page] A worker that was
 * being installed before this page came tells workbox nothing: it would be waited for without end.
 */
export async function activeWorker(): Promise<ServiceWorker> {
  const { active } = await navigator.serviceWorker.ready
  return active!
}
