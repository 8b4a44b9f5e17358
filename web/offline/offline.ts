import { messageSW, type Workbox } from 'workbox-window'
import type { Flow } from '#web/capture/flow/flow.ts'
import type { KeepFiles } from '#workers/api.ts'
import { activeWorker, createServiceWorker } from './service-worker.ts'

/**
 * Lets the service worker keep what this visit needs, so that it goes on without a network; an installed page keeps
 * everything. [Note: Whole pages alone] A frame lives in the partition of its embedder, and ends with it: it keeps nothing.
 * A browser without service workers, or one that refuses them, works as before.
 */
export async function keepForOffline(flow: Flow): Promise<void> {
  if (navigator.serviceWorker === undefined || window.parent !== window) return
  const worker = createServiceWorker()
  takeOverAtRest(worker, flow)
  try {
    await worker.register({ immediate: true })
    await messageSW(await activeWorker(), {
      type: 'KEEP_FILES',
      addresses: await filesOf(flow),
    } satisfies KeepFiles)
  } catch {
    // storage that is refused or full: the visit needs its network, and nothing else is lost
  }
}

/**
 * [Note: Between two visits] A new build waits until every page of the old one is gone. Only a page that stands open without
 * a visit, an installed one, would keep it waiting for days: it takes the new build at once, and nobody has to be asked.
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
    if (!document.hidden && atRest()) worker.update().catch(() => {}) // without a network there is nothing new
  })
}

async function filesOf({ files }: Flow): Promise<KeepFiles['addresses']> {
  if (matchMedia('(display-mode: standalone)').matches) return 'everything'
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  const own = loaded.filter(({ origin }) => origin === location.origin).map(({ pathname }) => pathname)
  return [...own, ...(await files())]
}
