import { readFileSync, writeFileSync } from 'node:fs'

/** Figures by their names, and the state of the sources that they were measured at. */
export interface Measurement {
  readonly commit: string
  readonly figures: Readonly<Record<string, number>>
}

/** What was measured last, and what the product was like before its limits were tightened. */
export interface Recorded {
  readonly before?: Measurement
  readonly now: Measurement
}

const file = 'lab/attacks/recorded.json'

export function readRecorded(): Recorded {
  return JSON.parse(readFileSync(file, 'utf8')) as Recorded
}

/** Puts figures in the place of those of the same combinations. */
export function record(newer: Measurement): Recorded {
  const { now, ...others } = readRecorded()
  const recorded = { ...others, now: { commit: newer.commit, figures: replaced(now.figures, newer.figures) } }
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)
  return recorded
}

/** Of a combination that was measured anew no old figure stays, also none that it has no longer. */
export function replaced(
  before: Readonly<Record<string, number>>,
  newer: Readonly<Record<string, number>>,
): Record<string, number> {
  const measured = new Set(Object.keys(newer).map(combinationOf))
  const kept = Object.entries(before).filter(([name]) => !measured.has(combinationOf(name)))
  return { ...Object.fromEntries(kept), ...newer }
}

/** `attack.INSTRUMENT.METHOD.CHALLENGE` or `living.bpcer…` with the pack behind it, where there is one. */
export function combinationOf(name: string): string {
  const living = /^living(?:\.advanced)?\.(?:bpcer|standard)\w*/
    .exec(name)?.[0]
    .replace('.standard', '.bpcer')
  const attack = /^attack\.\w+\.\w+\.\w+/.exec(name)?.[0]
  return `${living ?? attack ?? name}/${packOf(name)}`
}

const parts = ['n', 'people', 'low', 'high', 'apcer', 'withinLimits']

/** The pack at the end of a name; `standard` where there is none. */
export function packOf(name: string): string {
  const last = name
    .replace(/\.(n|people|low|high)$/, '')
    .split('.')
    .at(-1)!
  return parts.includes(last) || /^(bpcer|standard)/.test(last) || name.includes('.found.')
    ? 'standard'
    : last
}

/**
 * The combinations that get further than their recorded interval allows: what is measured lies above it with its whole own
 * interval, so that a few sessions by chance are no alarm. One that was never recorded is one of them.
 */
export function furtherThan(recorded: Measurement['figures'], measured: Measurement['figures']): string[] {
  return Object.keys(measured)
    .filter((name) => /\.apcer(\.\w+)?$/.test(name) && `${name}.low` in measured)
    .filter((name) => measured[`${name}.low`]! > (recorded[`${name}.high`] ?? Number.NEGATIVE_INFINITY))
}
