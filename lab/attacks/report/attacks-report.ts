import { instruments, methods } from '../combinations.ts'
import { percent } from '../lines.ts'
import { conditions } from '../living.ts'
import { type Measurement, packOf, type Recorded } from '../recorded.ts'
import { standardFigure } from '../rows.ts'
import { after, opening } from './words.ts'

type Flat = Measurement['figures']

/** `docs/attacks.md`: what stands in words.ts, and between that what was measured. */
export function attacksReport(recorded: Recorded): string {
  const packs = [...new Set(Object.keys(recorded.now.figures).map(packOf))].sort(standardFirst)
  const measured = packs.flatMap((pack) => chapterOf(recorded, pack))
  return `${[opening(kindsOf()), '## What was measured', circumstances(recorded), ...measured, after].join('\n\n')}\n`
}

const standardFirst = (a: string, b: string) =>
  Number(b === 'standard') - Number(a === 'standard') || a.localeCompare(b)

/** What is put in and how it gets in, each in the words of its own file. */
function kindsOf() {
  const made = Object.values(instruments).map((make) => make(nothing))
  return {
    instruments: tableOf(
      ['put in', 'is'],
      made.map(({ name, is }) => [`\`${name}\``, is]),
    ),
    methods: tableOf(
      ['gets in by', 'is'],
      Object.values(methods).map(({ name, is }) => [`\`${name}\``, is]),
    ),
  }
}

/** An instrument tells what it is without any material. */
const nothing = {} as never

function circumstances({ before, now }: Recorded): string {
  const earlier = before === undefined ? '' : ` “Before” is what the product was at \`${before.commit}\`.`
  return `Measured at \`${now.commit}\`.${earlier} In brackets stands the 95 % interval, by people.`
}

function chapterOf(recorded: Recorded, pack: string): string[] {
  const title = pack === 'standard' ? [] : [`### With the pack \`${pack}\``]
  return [
    ...title,
    `**Attacks: sessions that end in Pass (APCER), and people for whom one passes before their link is closed**`,
    attackTable(recorded, pack),
    `**Living people: visits that end in Fail after three tries (BPCER)**`,
    livingTable(recorded, pack),
    ...foundTable(recorded.now.figures, pack),
  ].filter((part) => part !== '')
}

function attackTable({ before, now }: Recorded, pack: string): string {
  const rows: string[][] = []
  for (const instrument of Object.keys(instruments)) {
    for (const method of Object.keys(methods)) {
      const cells = ['balanced', 'advanced'].flatMap((challenge) => {
        const name = `attack.${instrument}.${method}.${challenge}`
        return [
          ...(before === undefined ? [] : [rateCell(before.figures, `${name}.apcer`, pack)]),
          rateCell(now.figures, `${name}.apcer`, pack),
          limitCell(now.figures, `${name}.standard`, pack),
          limitCell(now.figures, `${name}.withinLimits`, pack),
        ]
      })
      if (cells.some((cell) => cell !== '')) rows.push([`\`${instrument}\``, method, ...cells])
    }
  }
  const columns = ['Balanced', 'Advanced'].flatMap((challenge) => [
    ...(before === undefined ? [] : [`${challenge}, before`]),
    challenge,
    'at `standard`',
    'within a link’s limit',
  ])
  return tableOf(['put in', 'gets in by', ...columns], rows)
}

function livingTable({ before, now }: Recorded, pack: string): string {
  const rows = Object.keys(conditions).map((condition) => [
    conditionWords[condition] ?? condition,
    ...['living', 'living.advanced'].flatMap((name) => [
      ...(before === undefined ? [] : [rateCell(before.figures, `${name}.${condition}`, pack)]),
      rateCell(now.figures, `${name}.${condition}`, pack),
      limitCell(now.figures, `${name}.${standardFigure(condition)}`, pack),
    ]),
  ])
  const columns = ['Balanced', 'Advanced'].flatMap((challenge) =>
    before === undefined
      ? [challenge, 'at `standard`']
      : [`${challenge}, before`, challenge, 'at `standard`'],
  )
  const measured = rows.filter(([, ...cells]) => cells.some((cell) => cell !== ''))
  return measured.length === 0 ? '' : tableOf(['camera', ...columns], measured)
}

const conditionWords: Readonly<Record<string, string>> = {
  bpcer: 'as filmed',
  bpcerNoise14: 'noise of 14 levels',
  bpcerLowLight: '40 % of the light',
  bpcerSmall: '320 pixels wide',
  bpcerLowRate: 'four pictures a second',
}

/** What spoke against sessions most often. */
function foundTable(figures: Flat, pack: string): string[] {
  const rows = new Map<string, [finding: string, count: number][]>()
  for (const [name, count] of Object.entries(figures)) {
    const [, combination, finding] = /^(.+)\.found\.(\w+)$/.exec(withoutPack(name, pack) ?? '') ?? []
    if (combination === undefined) continue
    rows.set(combination, [...(rows.get(combination) ?? []), [finding!, count]])
  }
  if (rows.size === 0) return []
  const lines = [...rows].map(([combination, found]) => {
    const often = found.sort((a, b) => b[1] - a[1]).slice(0, 5)
    return [`\`${combination}\``, often.map(([finding, count]) => `${finding} ${count}`).join(', ')]
  })
  const table = tableOf(['combination', 'found'], lines)
  return [
    `<details><summary>What the server found against the sessions, and what came of their steps</summary>\n\n${table}\n\n</details>`,
  ]
}

function withoutPack(name: string, pack: string): string | undefined {
  if (pack === 'standard') return packOf(name) === 'standard' ? name : undefined
  return name.endsWith(`.${pack}`) ? name.slice(0, -pack.length - 1) : undefined
}

const named = (name: string, pack: string) => (pack === 'standard' ? name : `${name}.${pack}`)

function rateCell(figures: Flat, name: string, pack: string): string {
  const full = named(name, pack)
  const value = figures[full]
  if (value === undefined) return ''
  const [n, people, low, high] = ['n', 'people', 'low', 'high'].map((part) => figures[`${full}.${part}`]!)
  const counts = `${Math.round(value * n!)} of ${n}, ${people} people`
  return `${percent(value)} [${percent(low!, '')}, ${percent(high!, '')}]; ${counts}`
}

function limitCell(figures: Flat, name: string, pack: string): string {
  const full = named(name, pack)
  const value = figures[full]
  if (value === undefined) return ''
  return `${percent(value)} [${percent(figures[`${full}.low`]!, '')}, ${percent(figures[`${full}.high`]!, '')}]`
}

function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
