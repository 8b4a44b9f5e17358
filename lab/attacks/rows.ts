import type { FilmKind } from './films.ts'
import type { Rate } from './rates.ts'
import type { RivalName } from './rivals.ts'

/** What was measured of one combination. */
export interface Row {
  /** `attack.INSTRUMENT.METHOD.CHALLENGE` or `living`, with the pack behind it where it is another than standard. */
  readonly name: string
  /** Of attacks `apcer`; of living people `bpcer`, with the name of what was done to the picture. */
  readonly figure: string
  /** The seed of what was shown; absent from a row that is older than seeds. */
  readonly seed?: number
  /** Which film was sent along; of living people none is told, theirs is their own. */
  readonly film?: FilmKind
  /** What the verification asked of liveness where that was not the default configuration: `leastAssurance=standard`. */
  readonly asked?: string
  readonly rate: Rate
  /** The share of the same sessions that passed with `standard` assurance or more. */
  readonly atStandard?: Rate
  /** Of the same sessions those after which a passkey of software, bound to them, led a second visit to `high`. */
  readonly atHigh?: Rate
  /** Of people: for whom one session passed before their link was closed. */
  readonly withinLimits?: Rate
  /** Of people, attacked or living ones: who is taken for living by another product's own liveness, at the limits that it advises. */
  readonly rival?: { readonly name: RivalName; readonly rate: Rate }
  /** What the server found against the sessions, and how often. */
  readonly found: Readonly<Record<string, number>>
}

/** The pack of a row's networks. */
export function packOf({ name }: Row): string {
  return name.split('/')[1] ?? 'standard'
}

/** One flat object of numbers; where the same was measured with several films, each name has its film in it. */
export function flatten(rows: readonly Row[]): Record<string, number> {
  const flat: Record<string, number> = {}
  for (const row of rows) {
    const { figure, rate, atStandard, atHigh, withinLimits, rival, found } = row
    const name = nameAmong(rows, row)
    put(flat, inPack(name, figure), rate)
    if (atStandard !== undefined) put(flat, inPack(name, atLevel(figure, 'Standard')), atStandard)
    if (atHigh !== undefined) put(flat, inPack(name, atLevel(figure, 'High')), atHigh)
    if (withinLimits !== undefined) put(flat, inPack(name, 'withinLimits'), withinLimits)
    if (rival !== undefined) put(flat, inPack(name, `${figure}.${rival.name}`), rival.rate)
    const what = figure === 'apcer' ? 'found' : `${figure}.found`
    for (const [finding, count] of Object.entries(found)) flat[inPack(name, `${what}.${finding}`)] = count
  }
  return flat
}

/** `attack.bent.script.balanced.leastAssurance=standard.filmNone/PACK`: what tells a row from others of its combination. */
function nameAmong(rows: readonly Row[], { name, figure, film, asked }: Row): string {
  const isAlone = rows.every(
    (row) => row.name !== name || row.figure !== figure || row.asked !== asked || row.film === film,
  )
  const [before, pack] = name.split('/')
  const filmed = isAlone || film === undefined ? '' : `.film${film[0]!.toUpperCase()}${film.slice(1)}`
  return `${before}${asked === undefined ? '' : `.${asked}`}${filmed}${pack === undefined ? '' : `/${pack}`}`
}

/** What the share at a level is called beside a figure: `apcerAtStandard`; `bpcerNoise14` is beside `standardNoise14`. */
function atLevel(figure: string, level: 'Standard' | 'High'): string {
  return figure === 'apcer' ? `apcerAt${level}` : figure.replace(/^bpcer/, level.toLowerCase())
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
