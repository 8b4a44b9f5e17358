import { instruments, methods } from '../combinations.ts'
import type { FilmKind } from '../films.ts'
import { percent, shareOf } from '../lines.ts'
import { conditions } from '../living.ts'
import type { Rate } from '../rates.ts'
import type { RecordedRows } from '../recorded.ts'
import { packOf, type Row } from '../rows.ts'
import { defaultSeed } from '../seeds.ts'
import { after, opening } from './words.ts'

/** `docs/attacks.md`: the text of words.ts with the measured tables. */
export function attacksReport({ commit, rows, baseline }: RecordedRows): string {
  const measured = ['## What was measured', circumstances(commit, rows), ...chaptersOf(rows)]
  const newer = new Set(rows.map(combinationOf))
  const former = baseline.rows.filter((row) => !newer.has(combinationOf(row)))
  const before = former.length === 0 ? [] : [baselineTitle(baseline.commit), ...chaptersOf(former)]
  return `${[opening(kindsOf()), ...measured, ...before, after].join('\n\n')}\n`
}

const combinationOf = ({ name, figure, film, asked }: Row) => [name, figure, film, asked].join()

function chaptersOf(rows: readonly Row[]): string[] {
  const packs = [...new Set(rows.map(packOf))].sort(standardFirst)
  return packs.flatMap((pack) =>
    chapterOf(
      pack,
      rows.filter((row) => packOf(row) === pack),
    ),
  )
}

function baselineTitle(commit: string): string {
  return `### The baseline\n\nThese combinations were last measured on the product of \`${commit}\`, with seed ${defaultSeed}. [attacks.csv](data/attacks.csv) also has its rows of the combinations above.`
}

const standardFirst = (a: string, b: string) =>
  Number(b === 'standard') - Number(a === 'standard') || a.localeCompare(b)

/** The instruments and methods, each described in its own file. */
function kindsOf() {
  const made = Object.values(instruments).map((make) => make(nothing))
  return {
    instruments: tableOf(
      ['instrument', 'what it is'],
      made.map(({ name, is }) => [`\`${name}\``, is]),
    ),
    methods: tableOf(
      ['method', 'what it is'],
      Object.values(methods).map(({ name, is }) => [`\`${name}\``, is]),
    ),
  }
}

/** An instrument can be described without any material. */
const nothing = {} as never

function circumstances(commit: string, rows: readonly Row[]): string {
  if (rows.length === 0) return nothingRecorded
  return `Every row was measured at \`${commit}\`, with the default configuration unless another is given; what was not measured there is not listed. Brackets hold the 95 % interval, over people.`
}

const nothingRecorded =
  'Nothing is recorded for the current state of the sources. `npm run attack -- --record` measures it.'

function chapterOf(pack: string, rows: readonly Row[]): string[] {
  const title = pack === 'standard' ? [] : [`### With the pack \`${pack}\``]
  const attacks = rows.filter(({ figure }) => figure === 'apcer')
  const living = rows.filter(({ figure }) => figure !== 'apcer')
  const parts = [
    ...(attacks.length === 0 ? [] : [attackTitle, attackTable(attacks)]),
    ...(living.length === 0 ? [] : [livingTitle, livingTable(living)]),
  ]
  return [...title, ...parts]
}

const attackTitle =
  '**Attacks: sessions that end in Pass (APCER), at which level, and people for whom one passes before their link is blocked**'
const livingTitle = '**Living people: visits that end in Fail after three tries (BPCER)**'

const filmWords: Readonly<Record<FilmKind, string>> = {
  own: 'its own',
  sparse: 'its own, one picture in two seconds',
  none: 'none',
  dark: 'dark',
  flat: 'grey',
  repeated: 'one picture',
  noisy: 'one picture with noise',
  other: 'of another person',
  otherNoisy: 'one picture of another person with noise',
  living: 'of somebody living',
}

/** One line per row, sorted by instrument and method. */
function attackTable(rows: readonly Row[]): string {
  const lines = Object.keys(instruments).flatMap((instrument) =>
    Object.keys(methods).flatMap((method) =>
      ['balanced', 'advanced'].flatMap((challenge) =>
        rows
          .filter(({ name }) => name.split('/')[0] === `attack.${instrument}.${method}.${challenge}`)
          .map((row) => attackLine(row, instrument, method, challenge)),
      ),
    ),
  )
  const columns = ['instrument', 'method', 'film', 'challenge', 'Pass', 'at `standard` or more', 'at `high`']
  return tableOf(...withoutEmpty([...columns, 'within a link’s limit', 'taken for living by `human`'], lines))
}

/** Removes columns that are empty in every row. */
function withoutEmpty(columns: readonly string[], rows: readonly (readonly string[])[]) {
  const isShown = (_cell: string, at: number) => rows.some((row) => row[at] !== '')
  return [columns.filter(isShown), rows.map((row) => row.filter(isShown))] as const
}

function attackLine(row: Row, instrument: string, method: string, challenge: string): string[] {
  const { film = 'own', asked, rate, atStandard, atHigh, withinLimits, rival } = row
  const levels = [
    counted(rate),
    counted(atStandard),
    counted(atHigh),
    shared(withinLimits),
    counted(rival?.rate),
  ]
  const type = challenge === 'balanced' ? 'Balanced' : 'Advanced'
  const configured = asked === undefined ? type : `${type}, \`${asked}\``
  return [`\`${instrument}\``, method, filmWords[film], configured, ...levels]
}

function livingTable(rows: readonly Row[]): string {
  const lines = Object.keys(conditions).flatMap((condition) =>
    rows
      .filter(({ figure }) => figure === condition)
      .map(({ name, rate, atStandard, rival }) => {
        const asked = name.startsWith('living.advanced') ? 'Advanced' : 'Balanced'
        const camera = conditionWords[condition] ?? condition
        return [camera, asked, counted(rate), shared(atStandard), counted(rival?.rate)]
      }),
  )
  const columns = ['camera', 'challenge', 'Fail', 'visits at `standard` or more']
  return tableOf(...withoutEmpty([...columns, 'taken for living by `human`'], lines))
}

const conditionWords: Readonly<Record<string, string>> = {
  bpcer: 'as filmed',
  bpcerNoise14: 'noise of 14 levels',
  bpcerLowLight: '40 % of the light',
  bpcerSmall: '320 pixels wide',
  bpcerLowRate: 'four pictures a second',
}

function counted(rate: Rate | undefined): string {
  if (rate === undefined) return ''
  const { value, n, people, low, high } = rate
  const among = people === n ? `${n}` : `${n}, ${people} people`
  return `${Math.round(value * n)} of ${among} [${percent(low, '')}, ${percent(high)}]`
}

function shared(rate: Rate | undefined): string {
  return rate === undefined ? '' : shareOf(rate)
}

function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
