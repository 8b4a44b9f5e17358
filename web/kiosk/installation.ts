import { Workbox } from 'workbox-window'
import type { KeepFiles } from '#workers/api.ts'
import { activeWorker } from '../active-worker.ts'

/** The files of the page, kept for the time without a network. */
export interface Installation {
  /** Keeps every file that is not kept yet, each checked against its hash. `onShare` hears 0...1. False where one cannot be had. */
  complete(onShare: (share: number) => void): Promise<boolean>
  /**
   * Looks for a new build, keeps all of it, and only then lets it take over while `atRest`: a kiosk whose network goes meanwhile
   * has one whole build or the other.
   */
  renew(): Promise<void>
}

/** The installation of this window; a browser without service workers has none. */
export function createInstallation(atRest: () => boolean): Installation {
  let registered: Promise<Workbox> | undefined
  const register = async () => {
    const worker = new Workbox('/service-worker.js', { scope: '/', updateViaCache: 'none' })
    worker.addEventListener('waiting', ({ sw }) => {
      if (sw !== undefined) takeOver(worker, sw).catch(() => {})
    })
    await worker.register({ immediate: true })
    return worker
  }
  const takeOver = async (worker: Workbox, waiting: ServiceWorker) => {
    const isKept = await keepEverything(waiting, () => {})
    if (!isKept || !atRest()) return
    worker.addEventListener('controlling', () => location.reload())
    waiting.postMessage({ type: 'SKIP_WAITING' })
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
      await worker?.update().catch(() => {}) // without a network there is nothing new
    },
  }
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
