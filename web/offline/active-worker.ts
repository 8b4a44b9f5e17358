/**
 * The service worker that serves this page's scope, once there is one. [Note: Begun by another page] A worker that was
 * being installed before this page came tells workbox nothing: it would be waited for without end.
 */
export async function activeWorker(): Promise<ServiceWorker> {
  const { active } = await navigator.serviceWorker.ready
  return active!
}
