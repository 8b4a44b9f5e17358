import type { DeviceFacts } from '#shared/browsers/device-report.ts'
import { appAround } from '#web/capture/analysis/camera/app-around.ts'
import { readAbilities } from '#web/capture/flow/browser.ts'

/** Facts that do not require any permission. */
export async function readPlatform(): Promise<Omit<DeviceFacts, 'camera' | 'speed'>> {
  const { userAgent, hardwareConcurrency } = navigator
  const { deviceMemory = null } = navigator as { deviceMemory?: number }
  return {
    version: 1,
    browser: userAgent,
    insideApp: appAround(userAgent) ?? null,
    screen: { width: screen.width, height: screen.height, pixelRatio: devicePixelRatio },
    processors: hardwareConcurrency ?? null,
    memoryGigabytes: deviceMemory,
    needs: readAbilities(),
    comforts: {
      serviceWorker: 'serviceWorker' in navigator,
      passkeys: 'PublicKeyCredential' in window,
      wakeLock: 'wakeLock' in navigator,
      storageEstimate: typeof navigator.storage?.estimate === 'function',
    },
    storage: await storageFacts(),
    passkeyOnDevice: await passkeyOnDevice(),
    wakeLock: await wakeLock(),
  }
}

/** Does not prompt the person, unlike `persist()`. */
async function storageFacts(): Promise<DeviceFacts['storage']> {
  const quota = await orNull(async () => (await navigator.storage.estimate()).quota ?? null)
  return {
    quotaMegabytes: quota === null ? null : Math.round(quota / 1e6),
    persisted: await orNull(() => navigator.storage.persisted()),
  }
}

function passkeyOnDevice(): Promise<boolean | null> {
  return orNull(() => PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())
}

async function wakeLock(): Promise<DeviceFacts['wakeLock']> {
  if (!('wakeLock' in navigator)) return 'none'
  const held = await orNull(() => navigator.wakeLock.request('screen'))
  await held?.release()
  return held === null ? 'refused' : 'given'
}

/** Resolves to null if the browser lacks the feature or refuses. */
async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch {
    return null
  }
}
