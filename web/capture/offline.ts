import { messageSW, type Workbox } from 'workbox-window'
import type { Flow } from '#web/capture/flow/flow.ts'
import { activeWorker, createServiceWorker } from '#web/offline/service-worker.ts'
import type { KeepFiles } from '#workers/api.ts'

/**
 * Has the service worker store what this visit needs to continue offline; an installed page stores
 * everything. [Note: Whole pages alone] A frame's storage belongs to the embedding site's partition, so nothing is stored there.
 * Without service workers, the page works as before.
 */
export async function keepForOffline(flow: Flow): Promise<void> {
  if (navigator.serviceWorker === undefined || window.parent !== window) return
  const worker = createServiceWorker()
  takeOverAtRest(worker, flow)
  try {
    await worker.register({ immediate: true })
    await messageSW(await activeWorker(), {
      type: 'KEEP_FILES',
      addresses: await listFiles(flow),
    } satisfies KeepFiles)
  } catch {
    // Storage is denied or full. The visit now needs its network, but nothing else is affected.
  }
}

/**
 * [Note: Between two visits] A new build waits until all of the old build's pages are closed. An installed page that stays open between
 * visits could delay it for days, so such a page activates the new build immediately, without asking.
 */
function takeOverAtRest(worker: Workbox, { situation }: Flow): void {
  const atRest = () => {
    const { state } = situation.peek()
    return state.name === 'linkProblem' && state.problem === 'missing'
  }
  worker.addEventListener('waiting', () => {
    if (!atRest()) return
    worker.addEventListener('controlling', () => location.reload())
    worker.messageSkipWaiting()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && atRest()) worker.update().catch(() => {}) // offline: there is no update
  })
}

async function listFiles({ files }: Flow): Promise<KeepFiles['addresses']> {
  if (matchMedia('(display-mode: standalone)').matches) return 'everything'
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  const own = loaded.filter(({ origin }) => origin === location.origin).map(({ pathname }) => pathname)
  return [...own, ...(await files())]
}
