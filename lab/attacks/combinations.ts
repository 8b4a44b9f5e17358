import type { Instrument } from './forgery.ts'
import { jittered } from './instruments/jittered.ts'
import { generated, puppet, swap } from './instruments/played.ts'
import { recorded } from './instruments/recorded.ts'
import { still } from './instruments/still.ts'
import { warped } from './instruments/warped.ts'
import { warpedAll } from './instruments/warped-all.ts'
import { warpedGains } from './instruments/warped-gains.ts'
import { warpedLit } from './instruments/warped-lit.ts'
import type { Method } from './methods/method.ts'
import { script } from './methods/script.ts'
import type { Materials } from './people/materials.ts'

/** How each instrument is made from the material. */
export const instruments = {
  still,
  jittered,
  warped,
  warpedGains,
  warpedLit,
  warpedAll,
  recorded,
  swap,
  puppet,
  generated,
} as const satisfies Record<string, (materials: Materials) => Instrument>
export type InstrumentName = keyof typeof instruments
export const instrumentNames = Object.keys(instruments) as InstrumentName[]

export const methods: Readonly<Record<string, Method>> = { script }
export const methodNames = Object.keys(methods)

/** Which instruments a method is tried with, where it is not with all. */
const triedWith: Readonly<Record<string, readonly InstrumentName[]>> = {
  script: instrumentNames,
}

export function isTried(method: string, instrument: InstrumentName): boolean {
  return triedWith[method]!.includes(instrument)
}
