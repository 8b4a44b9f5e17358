import { effect, type ReadonlySignal } from '@preact/signals'
import type { Workbox } from 'workbox-window'
import type { KioskFacts, NoteError } from '#web/kiosk/core/kiosk-facts.ts'
import { activeWorker, createServiceWorker } from '#web/offline/service-worker.ts'
import type { KeepFiles } from '#workers/api.ts'

/** The page's files, stored for offline use. */
export interface Installation {
  /** Stores all missing files and verifies their hashes. `onShare` receives 0 to 1. Resolves to false if a file could not be loaded. */
  complete(onShare: (share: number) => void): Promise<boolean>
  /**
   * Checks for a new build, stores all of it, and activates it when the page is not in use. If the network fails along the way,
   * the kiosk still has a complete build.
   */
  renew(): Promise<void>
}

/** Creates this window's installation. It is a no-op without service workers. */
export function createInstallation(inUse: ReadonlySignal<boolean>): Installation {
  let registered: Promise<Workbox> | undefined
  /** A new build that has not been installed yet. The browser only reports it once. */
  let found: ServiceWorker | undefined
  const register = async () => {
    const worker = createServiceWorker()
    worker.addEventListener('waiting', ({ sw }) => {
      found = sw
      takeOver(worker).catch(() => {})
    })
    await worker.register({ immediate: true })
    return worker
  }
  const takeOver = async (worker: Workbox) => {
    const waiting = found
    if (waiting === undefined || !(await keepEverything(waiting, () => {})) || waiting !== found) return
    found = undefined
    worker.addEventListener('controlling', () => location.reload())
    effect(() => {
      if (!inUse.value) waiting.postMessage({ type: 'SKIP_WAITING' })
    })
  }

  return {
    async complete(onShare) {
      try {
        registered ??= register()
        await registered
        return await keepEverything(await activeWorker(), onShare)
      } catch {
        registered = undefined
        return false
      }
    },
    async renew() {
      const worker = await registered
      if (worker === undefined) return
      await worker.update().catch(() => {}) // offline: there is no update
      await takeOver(worker)
    },
  }
}

const againMilliseconds = 15_000

/** Retries until all files are stored, and reports the progress. */
export async function keepInstalled(
  installation: Pick<Installation, 'complete'>,
  installed: KioskFacts['installed'],
  note: NoteError,
): Promise<void> {
  const isDone = await installation.complete((share) => {
    installed.value = { share, isStuck: false, isDone: false }
  })
  installed.value = { share: isDone ? 1 : installed.value.share, isStuck: !isDone, isDone }
  if (isDone) return
  note('notInstalled')
  setTimeout(keepInstalled, againMilliseconds, installation, installed, note)
}

/** A worker that has been silent for this long was terminated. On a usable network, even the largest file takes less time. */
const silentMilliseconds = 120_000

/** Asks a worker to store the whole build, and reports its progress. */
function keepEverything(worker: ServiceWorker, onShare: (share: number) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const end = (isKept: boolean) => {
      clearTimeout(silence)
      port1.close()
      resolve(isKept)
    }
    const giveUp = () => end(false)
    let silence = setTimeout(giveUp, silentMilliseconds)
    port1.onmessage = ({ data }: MessageEvent<number | boolean>) => {
      if (typeof data === 'boolean') return end(data)
      clearTimeout(silence)
      silence = setTimeout(giveUp, silentMilliseconds)
      onShare(data)
    }
    const wish: KeepFiles = { type: 'KEEP_FILES', addresses: 'everything', tellShare: true }
    worker.postMessage(wish, [port2])
  })
}
