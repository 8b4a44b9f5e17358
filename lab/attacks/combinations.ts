import type { Instrument } from './forgery.ts'
import { warped } from './instruments/warped.ts'
import type { Method } from './methods/method.ts'
import { script } from './methods/script.ts'
import type { Materials } from './people/materials.ts'

/** How each instrument is made from the material. */
export const instruments = {
  warped,
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
