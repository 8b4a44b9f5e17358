import type { Rate } from './rates.ts'

/** What was measured of one combination. */
export interface Row {
  /** `attack.INSTRUMENT.METHOD.CHALLENGE` or `living`, with the pack behind it where it is another than standard. */
  readonly name: string
  /** Of attacks `apcer`; of living people `bpcer`, with the name of what was done to the picture. */
  readonly figure: string
  readonly rate: Rate
  /** The share of the same sessions that passed with `standard` assurance or more; of living people, of those who turn their head. */
  readonly standard?: Rate
  /** Of people: for whom one session passed before their link was closed. */
  readonly withinLimits?: Rate
  /** What the server found against the sessions, and how often. */
  readonly found: Readonly<Record<string, number>>
}

/** One flat object of numbers. */
export function flatten(rows: readonly Row[]): Record<string, number> {
  const flat: Record<string, number> = {}
  for (const { name, figure, rate, standard, withinLimits, found } of rows) {
    put(flat, inPack(name, figure), rate)
    if (standard !== undefined) put(flat, inPack(name, standardFigure(figure)), standard)
    if (withinLimits !== undefined) put(flat, inPack(name, 'withinLimits'), withinLimits)
    const what = figure === 'apcer' ? 'found' : `${figure}.found`
    for (const [finding, count] of Object.entries(found)) flat[inPack(name, `${what}.${finding}`)] = count
  }
  return flat
}

/** What the share at `standard` is called beside a figure: `bpcerNoise14` is beside `standardNoise14`. */
export function standardFigure(figure: string): string {
  return figure.replace(/^(apcer|bpcer)/, 'standard')
}

/** `attack.still.script.balanced/PACK` and `apcer` are `attack.still.script.balanced.apcer.PACK`. */
function inPack(name: string, figure: string): string {
  const [before, pack] = name.split('/')
  return pack === undefined ? `${before}.${figure}` : `${before}.${figure}.${pack}`
}

function put(flat: Record<string, number>, key: string, { value, n, people, low, high }: Rate): void {
  flat[key] = value
  flat[`${key}.n`] = n
  flat[`${key}.people`] = people
  flat[`${key}.low`] = low
  flat[`${key}.high`] = high
}
