import type { Ability, Comfort } from './floors.ts'

/** The camera's settings and facts about its first picture, but neither the camera's name nor the picture itself. */
export interface CameraFacts {
  /** One of the names in camera-problem.ts. */
  readonly problem: string | null
  readonly cameras: number
  readonly width: number | null
  readonly height: number | null
  readonly facing: string | null
  /** Pictures per second, as reported by the camera and as measured. */
  readonly promisedRate: number | null
  readonly measuredRate: number | null
}

/** How fast the networks run on this device. */
export interface Speed {
  readonly picture: 'camera' | 'drawn'
  /** Milliseconds from starting the worker to its first answer, including loading. */
  readonly firstAnalysis: number
  readonly medianPerPicture: number
  /** The median number of milliseconds per picture and stage. `picture` is the total, and `transfer` is the round trip to the worker. */
  readonly stages: Readonly<Record<string, number>>
  /** The minimum for each stage, which is roughly the time on an otherwise idle device. */
  readonly quickest: Readonly<Record<string, number>>
  readonly pictures: number
  readonly picturesWithFace: number
}

/** Everything that the page reports about a device. `null` means that it could not be determined. */
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

/** A row on the page: a question in plain words and its answer. */
export type Finding = readonly [question: string, found: string]

/** The findings' wording in one language, with functions for measured values. */
export interface FindingWords {
  /** The BCP 47 tag used to format numbers. */
  readonly locale: string
  readonly question: Readonly<
    Record<'check' | 'camera' | 'speed' | 'memory' | 'storage' | 'passkeys' | 'screen', string>
  >
  readonly answer: Readonly<
    Record<
      | 'yes'
      | 'no'
      | 'refused'
      | 'notReported'
      | 'notKnown'
      | 'notAsked'
      | 'notMeasured'
      | 'roomUnknown'
      | 'kept'
      | 'mayBeCleared',
      string
    >
  >
  /** A sentence that lists the missing abilities, by their names in `needs`. */
  readonly lacks: (what: string) => string
  /** Explains why there is no picture, by its name in camera-problem.ts. */
  readonly noPicture: (problem: string) => string
  /** Width and height in pixels. */
  readonly size: (width: string, height: string) => string
  /** Pictures per second. */
  readonly rate: (pictures: string) => string
  /** Seconds to the first answer, then milliseconds per picture. */
  readonly speed: (seconds: string, milliseconds: string, picture: Speed['picture']) => string
  readonly gigabytes: (count: string) => string
  readonly room: (megabytes: string) => string
}

/** The English wording, which all translations are based on. */
export const englishFindings: FindingWords = {
  locale: 'en',
  question: {
    check: 'Can do the check',
    camera: 'Camera',
    speed: 'Speed',
    memory: 'Memory',
    storage: 'Storage',
    passkeys: 'Passkeys of this device',
    screen: 'Keeps the screen lit',
  },
  answer: {
    yes: 'yes',
    no: 'no',
    refused: 'refused',
    notReported: 'not told',
    notKnown: 'not known',
    notAsked: 'not asked',
    notMeasured: 'not measured',
    roomUnknown: 'room unknown',
    kept: 'kept',
    mayBeCleared: 'may be cleared',
  },
  lacks: (what) => `no, it lacks ${what}`,
  noPicture: (problem) => `no picture (${problem})`,
  size: (width, height) => `${width} × ${height}`,
  rate: (pictures) => `${pictures} pictures a second`,
  speed: (seconds, milliseconds, picture) =>
    `first answer after ${seconds} s, then ${milliseconds} ms a picture (${picture === 'camera' ? 'of the camera' : 'a drawn one'})`,
  gigabytes: (count) => `about ${count} GB`,
  room: (megabytes) => `room for ${megabytes} MB`,
}

/** The facts in human-readable form, in the language of `words`. */
export function findingsOf(facts: DeviceFacts, words: FindingWords = englishFindings): Finding[] {
  const { question, answer } = words
  const { needs, camera, speed, memoryGigabytes, storage, passkeyOnDevice, wakeLock } = facts
  const lacking = Object.entries(needs).flatMap(([ability, isThere]) => (isThere ? [] : [ability]))
  const yesOrNo = (value: boolean) => (value ? answer.yes : answer.no)
  const memory =
    memoryGigabytes === null ? answer.notReported : words.gigabytes(written(memoryGigabytes, words))
  return [
    [question.check, lacking.length === 0 ? answer.yes : words.lacks(lacking.join(', '))],
    [question.camera, cameraText(camera, words)],
    [question.speed, speedText(speed, words)],
    [question.memory, memory],
    [question.storage, storageText(storage, words)],
    [question.passkeys, passkeyOnDevice === null ? answer.notKnown : yesOrNo(passkeyOnDevice)],
    [question.screen, wakeLock === 'refused' ? answer.refused : yesOrNo(wakeLock === 'given')],
  ]
}

function cameraText(camera: CameraFacts | null, words: FindingWords): string {
  if (camera === null) return words.answer.notAsked
  const { problem, width, height, measuredRate, promisedRate } = camera
  if (problem !== null) return words.noPicture(problem)
  const rate = measuredRate ?? promisedRate
  const size = words.size(String(width), String(height))
  return rate === null ? size : `${size}, ${words.rate(written(rate, words))}`
}

function speedText(speed: Speed | null, words: FindingWords): string {
  if (speed === null) return words.answer.notMeasured
  const { firstAnalysis, medianPerPicture, picture } = speed
  return words.speed(written(firstAnalysis / 1000, words, 1), written(medianPerPicture, words), picture)
}

function storageText({ quotaMegabytes, persisted }: DeviceFacts['storage'], words: FindingWords): string {
  const { roomUnknown, kept, mayBeCleared } = words.answer
  const room = quotaMegabytes === null ? roomUnknown : words.room(written(quotaMegabytes, words))
  return persisted === null ? room : `${room}, ${persisted ? kept : mayBeCleared}`
}

/** Formats a number for the locale, with Latin digits and without grouping. */
function written(value: number, { locale }: FindingWords, decimals?: number): string {
  const digits =
    decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return new Intl.NumberFormat(locale, { useGrouping: false, numberingSystem: 'latn', ...digits }).format(
    value,
  )
}
