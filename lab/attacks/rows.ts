import type { FilmKind } from './films.ts'
import type { Rate } from './rates.ts'
import type { RivalName } from './rivals.ts'

/** The figures for one combination. */
export interface Row {
  /** `attack.INSTRUMENT.METHOD.CHALLENGE` or `living`, followed by the pack if it is not the standard one. */
  readonly name: string
  /** `apcer` for attacks; for living people `bpcer` plus the name of the change made to the picture. */
  readonly figure: string
  /** The seed for the pictures. Absent from rows that are older than seeds. */
  readonly seed?: number
  /** The film that was sent. Absent for living people, who always send their own. */
  readonly film?: FilmKind
  /** The verification's liveness settings, such as `leastAssurance=standard`, unless they are the default. */
  readonly asked?: string
  readonly rate: Rate
  /** The share of these sessions that passed with at least `standard` assurance. */
  readonly atStandard?: Rate
  /** The share of these sessions after which a software passkey bound to them got a second visit to `high`. */
  readonly atHigh?: Rate
  /** The share of people with a session that passed before their link was closed. */
  readonly withinLimits?: Rate
  /** The share of people, attacked or living, that another product's liveness check considers live at its recommended thresholds. */
  readonly rival?: { readonly name: RivalName; readonly rate: Rate }
  /** How often the server recorded each finding for these sessions. */
  readonly found: Readonly<Record<string, number>>
}

/** The pack of networks that a row was measured with. */
export function packOf({ name }: Row): string {
  return name.split('/')[1] ?? 'standard'
}

/** A flat object of numbers. If a figure was measured with several films, each name includes its film. */
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

/** `attack.bent.script.balanced.leastAssurance=standard.filmNone/PACK`: tells a row apart from others for the same combination. */
function nameAmong(rows: readonly Row[], { name, figure, film, asked }: Row): string {
  const isAlone = rows.every(
    (row) => row.name !== name || row.figure !== figure || row.asked !== asked || row.film === film,
  )
  const [before, pack] = name.split('/')
  const filmed = isAlone || film === undefined ? '' : `.film${film[0]!.toUpperCase()}${film.slice(1)}`
  return `${before}${asked === undefined ? '' : `.${asked}`}${filmed}${pack === undefined ? '' : `/${pack}`}`
}

/** The name of a figure's share at a given level: `apcerAtStandard` for `apcer`, `standardNoise14` for `bpcerNoise14`. */
function atLevel(figure: string, level: 'Standard' | 'High'): string {
  return figure === 'apcer' ? `apcerAt${level}` : figure.replace(/^bpcer/, level.toLowerCase())
}

/** Turns `attack.still.script.balanced/PACK` and `apcer` into `attack.still.script.balanced.apcer.PACK`. */
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
