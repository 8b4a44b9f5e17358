import type { PackName } from '../../models/rules/packs.ts'
import { measure } from './cell.ts'
import {
  type InstrumentName,
  inBrowser,
  instruments,
  isTried,
  type MethodName,
  methods,
} from './combinations.ts'
import type { FilmKind } from './films.ts'
import type { Instrument, LivenessSettings } from './forgery.ts'
import { type Condition, conditions, measureLiving } from './living.ts'
import { askedWords, type Challenge } from './methods/method.ts'
import { withFilmsOfOthers } from './others.ts'
import { type Materials, openMaterials } from './people/materials.ts'
import { passRate, refusalRate, withinLimits } from './rates.ts'
import { openRival, type Rival, type RivalName, takenForLiving } from './rivals.ts'
import type { Row } from './rows.ts'

/** Options of a run. */
export interface RunOptions {
  readonly instruments: readonly InstrumentName[]
  readonly methods: readonly MethodName[]
  readonly challenges: readonly Challenge[]
  readonly living: readonly Condition[]
  /** The film to send. By default, each instrument chooses its own. */
  readonly film?: FilmKind
  /** The verification's liveness settings, or undefined for the default configuration. */
  readonly asked?: LivenessSettings
  /** The maximum number of people per instrument. */
  readonly people: number
  readonly sessions: number
  /** True to keep trying until each link is closed, to measure how many people pass within its limit. */
  readonly untilClosed: boolean
  readonly pack: PackName
  /** A rival product whose liveness check judges the same straight pictures. */
  readonly rival?: RivalName
  readonly data: string
  /** Determines which people are used, and seeds the random part of their pictures. */
  readonly seed: number
  /** The caller's own folder with clips and pictures. */
  readonly own?: string
}

/** Measures one combination after another and reports each one as soon as it is done. */
export async function runAttacks(wanted: RunOptions, tell: (row: Row) => void): Promise<void> {
  const materials = await openMaterials(wanted.data, wanted.seed, wanted.own)
  const rival = wanted.rival && (await openRival(wanted.rival))
  const add = (row: Row | undefined) => {
    if (row !== undefined) tell(row)
  }
  for (const condition of wanted.living) {
    for (const challenge of wanted.challenges)
      add(await livingRow(materials, condition, challenge, wanted, rival))
  }
  for (const name of wanted.instruments) {
    const instrument = instruments[name](materials)
    for (const method of wanted.methods.filter((one) => isTried(one, name))) {
      for (const challenge of wanted.challenges)
        add(await attackRow(materials, instrument, method, challenge, wanted, rival))
    }
  }
}

export const livingConditions = Object.keys(conditions)

const settingsOf = ({ pack }: RunOptions) => ({ MODEL_PACK: pack, DEMO: 'false', LOG_LEVEL: 'error' })
const inPack = (name: string, { pack }: RunOptions) => (pack === 'standard' ? name : `${name}/${pack}`)

async function livingRow(
  materials: Materials,
  condition: Condition,
  challenge: Challenge,
  wanted: RunOptions,
  rival: Rival | undefined,
): Promise<Row | undefined> {
  const settings = settingsOf(wanted)
  const plan = {
    ...{ challenge, visits: wanted.sessions, most: wanted.people, seed: wanted.seed, settings },
    ...(rival && { rival }),
  }
  const { counted, assured, findings, taken } = await measureLiving(materials, condition, plan)
  const rate = refusalRate(counted)
  const standard = passRate(assured)
  const name = challenge === 'Balanced' ? 'living' : `living.${challenge.toLowerCase()}`
  return (
    rate && {
      name: inPack(name, wanted),
      figure: condition,
      seed: wanted.seed,
      rate,
      ...(standard && { atStandard: standard }),
      ...(taken && { rival: { name: wanted.rival!, rate: taken } }),
      found: findings,
    }
  )
}

async function attackRow(
  materials: Materials,
  instrument: Instrument,
  method: MethodName,
  challenge: Challenge,
  wanted: RunOptions,
  rival: Rival | undefined,
): Promise<Row | undefined> {
  const isInBrowser = inBrowser.methods.includes(method)
  const most = isInBrowser ? Math.min(inBrowser.people, wanted.people) : wanted.people
  const film = isInBrowser ? 'own' : (wanted.film ?? instrument.film ?? 'own')
  const cell = {
    instrument: instrument.name,
    method: methods[method],
    plan: { challenge, film, asked: { ...instrument.asked, ...wanted.asked } },
    atOnce: Math.min(methods[method].atOnce, instrument.atOnce ?? Number.POSITIVE_INFINITY),
    subjects: await withFilmsOfOthers(materials, film, await instrument.subjects(most)),
    seed: wanted.seed,
    sessions: isInBrowser ? inBrowser.sessions : wanted.sessions,
    untilClosed: wanted.untilClosed && !isInBrowser,
  }
  const { counted, tried, assured, atHigh, findings } = await measure(cell, settingsOf(wanted))
  const rate = passRate(counted)
  if (rate === undefined) return undefined
  const name = `attack.${instrument.name}.${method}.${challenge.toLowerCase()}`
  const taken = rival && (await takenForLiving(rival, cell.subjects))
  return {
    name: inPack(name, wanted),
    figure: 'apcer',
    seed: wanted.seed,
    film,
    ...(wanted.asked && { asked: askedWords(wanted.asked) }),
    rate,
    atStandard: passRate(assured)!,
    ...(atHigh && { atHigh: passRate(atHigh)! }),
    ...(cell.untilClosed && { withinLimits: withinLimits(tried)! }),
    ...(taken && { rival: { name: wanted.rival!, rate: taken } }),
    found: findings,
  }
}
