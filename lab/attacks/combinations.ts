import type { Instrument } from './forgery.ts'
import { bent } from './instruments/bent.ts'
import { dodge, dodgeWarped } from './instruments/dodge.ts'
import { jittered } from './instruments/jittered.ts'
import { layers } from './instruments/layers.ts'
import { mosaic } from './instruments/mosaic.ts'
import { own } from './instruments/own.ts'
import { pasted } from './instruments/pasted.ts'
import { generated, puppet, swap } from './instruments/played.ts'
import { print, screen } from './instruments/presented.ts'
import { recorded } from './instruments/recorded.ts'
import { spliced } from './instruments/spliced.ts'
import { still } from './instruments/still.ts'
import { warped } from './instruments/warped.ts'
import { warpedAll } from './instruments/warped-all.ts'
import { warpedBent } from './instruments/warped-bent.ts'
import { warpedGains } from './instruments/warped-gains.ts'
import { warpedLit } from './instruments/warped-lit.ts'
import { warpedGenerated, warpedLiving } from './instruments/warped-others.ts'
import { camera } from './methods/camera.ts'
import { kiosk } from './methods/kiosk.ts'
import type { Method } from './methods/method.ts'
import { page } from './methods/page.ts'
import { script } from './methods/script.ts'
import { worker } from './methods/worker.ts'
import type { Materials } from './people/materials.ts'

/** Creates each instrument from the available material. */
export const instruments = {
  bent,
  layers,
  dodge,
  dodgeWarped,
  mosaic,
  still,
  jittered,
  warped,
  warpedGains,
  warpedLit,
  warpedAll,
  warpedBent,
  warpedLiving,
  warpedGenerated,
  pasted,
  recorded,
  spliced,
  swap,
  puppet,
  generated,
  print,
  screen,
  own,
} as const satisfies Record<string, (materials: Materials) => Instrument>
export type InstrumentName = keyof typeof instruments
const instrumentNames = Object.keys(instruments) as InstrumentName[]

/** All instruments except `own`, which needs a folder from the caller. */
export const knownInstruments = instrumentNames.filter((name) => name !== 'own')

export const methods = { script, page, camera, worker, kiosk } as const satisfies Record<string, Method>
export type MethodName = keyof typeof methods
export const methodNames = Object.keys(methods) as MethodName[]

/**
 * The instruments to try with each method. A program can send all of them. A page can show anything that a canvas or a virtual camera can show. A
 * camera that cannot react can be pointed at a print or a screen. With an edited page or a kiosk's key, a forger does not need the made-up
 * instruments.
 */
const triedWith: Readonly<Record<MethodName, readonly InstrumentName[]>> = {
  script: instrumentNames,
  page: ['still', 'warped', 'recorded', 'swap', 'puppet', 'own'],
  camera: ['still', 'recorded', 'print', 'screen', 'own'],
  worker: ['still', 'warped', 'own'],
  kiosk: ['bent', 'layers', 'still', 'warped', 'recorded', 'swap', 'own'],
}

export function isTried(method: MethodName, instrument: InstrumentName): boolean {
  return triedWith[method].includes(instrument)
}

/** A visit in a browser takes half a minute and most of a core, so only a few people are tried, a few times each. */
export const inBrowser = {
  methods: ['page', 'camera', 'worker'] as readonly string[],
  people: 6,
  sessions: 1,
} as const
