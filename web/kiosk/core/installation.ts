import { effect, type ReadonlySignal } from '@preact/signals'
import type { Workbox } from 'workbox-window'
import { activeWorker, createServiceWorker } from '#web/offline/service-worker.ts'
import type { KeepFiles } from '#workers/api.ts'
import type { KioskFacts, NoteError } from './kiosk-view.ts'

/** The files of the page, kept for the time without a network. */
export interface Installation {
  /** Keeps every file that is not kept yet, each checked against its hash. `onShare` hears 0...1. False where one cannot be had. */
  complete(onShare: (share: number) => void): Promise<boolean>
  /**
   * Looks for a new build, keeps all of it, and only then lets it take over, as soon as nobody uses the page: a kiosk whose network
   * goes meanwhile has one whole build or the other.
   */
  renew(): Promise<void>
}

/** The installation of this window; a browser without service workers has none. */
export function createInstallation(inUse: ReadonlySignal<boolean>): Installation {
  let registered: Promise<Workbox> | undefined
  /** A new build that does not stand ready yet; the browser tells of it once. */
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
      await worker.update().catch(() => {}) // without a network there is nothing new
      await takeOver(worker)
    },
  }
}

const againMilliseconds = 15_000

/** Keeps the files, as often as it takes, and tells how far it is. */
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

/** A worker that is silent for so long was ended; the largest file needs less on a network that is of any use. */
const silentMilliseconds = 120_000

/** Asks a worker to keep the whole build, and follows how far it is. */
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
