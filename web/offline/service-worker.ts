import { Workbox } from 'workbox-window'

/** The service worker for all pages, not registered yet. */
export function createServiceWorker(): Workbox {
  return new Workbox('/service-worker.js', { scope: '/', updateViaCache: 'none' })
}

/**
 * Resolves with the service worker for this page's scope once there is one. [Note: Begun by another page] Workbox does not report
 * a worker whose installation was started by another page, so waiting for its event could take forever.
 */
export async function activeWorker(): Promise<ServiceWorker> {
  const { active } = await navigator.serviceWorker.ready
  return active!
}
