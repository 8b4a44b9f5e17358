import type { Ability, Comfort } from './floors.ts'

/** What a camera gave when the page asked for a visit's picture. Never its name, never a picture. */
export interface CameraFacts {
  /** The page's name for it: see camera-problem.ts. */
  readonly problem: string | null
  readonly cameras: number
  readonly width: number | null
  readonly height: number | null
  readonly facing: string | null
  /** What the camera promises, and what came, a second. */
  readonly promisedRate: number | null
  readonly measuredRate: number | null
}

/** How fast the product's own networks are here. */
export interface Speed {
  readonly picture: 'camera' | 'drawn'
  /** From the start of the worker to the first answer, in milliseconds: what is loaded included. */
  readonly firstAnalysis: number
  readonly medianPerPicture: number
  /** Of each stage of a picture the median, in milliseconds: `picture` is all of them, `transfer` the way to the worker and back. */
  readonly stages: Readonly<Record<string, number>>
  /** The least of each stage: what a device that does much else would take alone. */
  readonly quickest: Readonly<Record<string, number>>
  readonly pictures: number
  readonly picturesWithFace: number
}

/** All that the page tells of a device; `null` is what could not be learned. */
export interface DeviceFacts {
  readonly version: 1
  readonly browser: string
  readonly insideApp: string | null
  readonly screen: { readonly width: number; readonly height: number; readonly pixelRatio: number }
  readonly processors: number | null
  readonly memoryGigabytes: number | null
  readonly needs: Readonly<Record<Ability, boolean>>
  readonly comforts: Readonly<Record<Comfort, boolean>>
  readonly camera: CameraFacts | null
  readonly speed: Speed | null
  readonly storage: { readonly quotaMegabytes: number | null; readonly persisted: boolean | null }
  readonly passkeyOnDevice: boolean | null
  readonly wakeLock: 'given' | 'refused' | 'none'
}

/** A row of the page: a question in plain words, and what was found. */
export type Finding = readonly [question: string, found: string]

/** What a person reads of it. */
export function findingsOf(facts: DeviceFacts): Finding[] {
  const { needs, camera, speed, storage, passkeyOnDevice, wakeLock } = facts
  const lacking = Object.entries(needs).flatMap(([ability, isThere]) => (isThere ? [] : [ability]))
  return [
    ['Can do the check', lacking.length === 0 ? 'yes' : `no, it lacks ${lacking.join(', ')}`],
    ['Camera', cameraText(camera)],
    ['Speed', speedText(speed)],
    ['Memory', facts.memoryGigabytes === null ? 'not told' : `about ${facts.memoryGigabytes} GB`],
    ['Storage', storageText(storage)],
    ['Passkeys of this device', passkeyOnDevice === null ? 'not known' : yesOrNo(passkeyOnDevice)],
    ['Keeps the screen lit', wakeLock === 'given' ? 'yes' : wakeLock === 'refused' ? 'refused' : 'no'],
  ]
}

function cameraText(camera: CameraFacts | null): string {
  if (camera === null) return 'not asked'
  if (camera.problem !== null) return `no picture (${camera.problem})`
  const rate = camera.measuredRate ?? camera.promisedRate
  return `${camera.width} × ${camera.height}${rate === null ? '' : `, ${rate} pictures a second`}`
}

function speedText(speed: Speed | null): string {
  if (speed === null) return 'not measured'
  const { firstAnalysis, medianPerPicture, picture } = speed
  const seconds = (firstAnalysis / 1000).toFixed(1)
  return `first answer after ${seconds} s, then ${medianPerPicture} ms a picture (${picture === 'camera' ? 'of the camera' : 'a drawn one'})`
}

function storageText({ quotaMegabytes, persisted }: DeviceFacts['storage']): string {
  const room = quotaMegabytes === null ? 'room not told' : `room for ${quotaMegabytes} MB`
  return persisted === null ? room : `${room}, ${persisted ? 'kept' : 'may be cleared'}`
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
