import type { Figure, Figures, Table } from '#lab/evaluate/figures.ts'
import type { Part } from '#lab/evaluate/part.ts'
import { numeral } from '#lab/evaluate/print.ts'
import type { Measured } from '#lab/evaluate/running/measure.ts'
import { type Chapter, chapters, type Headline, type Unit, unknowns } from './chapters.ts'
import { drawPlot } from './plot-svg.ts'

export interface Report {
  readonly markdown: string
  /** File names, beside the report in `pictures`, and their SVG. */
  readonly pictures: Readonly<Record<string, string>>
}

interface Circumstances {
  /** The lines of `configurationOf`. */
  readonly configuration: readonly string[]
  readonly part: Part
  /** The folder of the pictures, as the report names it. */
  readonly pictures: string
}

const partWords: Readonly<Record<Part, string>> = {
  all: 'All pictures of each set were measured.',
  tuning: 'Measured on the half that was calibrated on: **not fit for publication**.',
  'held-out':
    'Thresholds and score tables were calibrated on one half of each set, divided by people; the figures below were measured on the other half. A set of a few clips or people is too small for that, so it was measured whole, which its section notes.',
}

/** `docs/accuracy.md` and its pictures: what cannot be known first, then a chapter for each thing that was measured. */
export function accuracyReport(measured: readonly Measured[], circumstances: Circumstances): Report {
  const pictures: Record<string, string> = {}
  const parts = chapters
    .map(
      (chapter) =>
        [
          chapter,
          measured.filter(({ task, figures }) => task === chapter.task && figures.all.length > 0),
        ] as const,
    )
    .filter(([, sets]) => sets.length > 0)
    .map(([chapter, sets]) => chapterOf(chapter, sets, circumstances.pictures, pictures))
  return { markdown: `${[...headOf(circumstances, measured), ...parts].join('\n\n')}\n`, pictures }
}

function headOf({ configuration, part }: Circumstances, measured: readonly Measured[]): string[] {
  return [
    '# Accuracy',
    'Written by `npm run evaluate -- all --report`; not edited by hand. Figures have 95 % intervals in brackets and their counts.',
    '## What cannot be known from this data',
    unknowns.map((line) => `- ${line}`).join('\n'),
    '## What was measured',
    partWords[part] + halvedByPicture(measured),
    'One configuration, the one that ships:',
    `\`\`\`\n${configuration.join('\n')}\n\`\`\``,
  ]
}

function halvedByPicture(measured: readonly Measured[]): string {
  const shown = measured.filter(
    ({ figures, isHalvedByPicture }) => isHalvedByPicture && figures.all.length > 0,
  )
  const sets = [...new Set(shown.map(({ set }) => set))].sort()
  if (sets.length === 0) return ''
  return ` Sets that do not say who is in each picture were halved by picture, and a person may stand in both halves: ${sets.join(', ')}.`
}

function chapterOf(
  chapter: Chapter,
  sets: readonly Measured[],
  folder: string,
  pictures: Record<string, string>,
): string {
  return [
    `## ${chapter.title}`,
    ...chapter.opening,
    headlineTable(chapter.headlines, sets),
    ...sets.flatMap((set) => setOf(set, folder, pictures)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function headlineTable(headlines: readonly Headline[], sets: readonly Measured[]): string {
  const shown = headlines.filter(({ figure }) => sets.some(({ figures }) => figures.get(figure)))
  if (shown.length === 0) return ''
  return markdownTable({
    title: '',
    columns: ['set', ...shown.map(({ label }) => label)],
    rows: sets
      .filter(({ figures }) => shown.some(({ figure }) => figures.get(figure)))
      .map(({ set, figures }) => [
        set,
        ...shown.map(({ figure, unit }) => cellOf(figures.get(figure), unit)),
      ]),
  })
}

function cellOf(figure: Figure | undefined, unit: Unit): string {
  if (figure === undefined) return ''
  const { value, low, high, n } = figure
  const interval =
    low === undefined || high === undefined ? '' : ` [${inUnit(low, unit)}, ${inUnit(high, unit)}]`
  return `${inUnit(value, unit)}${interval}, n=${n.toLocaleString('en-GB')}`
}

function inUnit(value: number, unit: Unit): string {
  if (unit === 'percent') {
    const percent = value * 100
    return `${percent === 0 || Math.abs(percent) >= 0.1 ? Number(percent.toFixed(2)) : Number(percent.toPrecision(2))} %`
  }
  return unit === 'years' ? `${value.toFixed(2)} y` : numeral(value)
}

function setOf({ task, set, figures }: Measured, folder: string, pictures: Record<string, string>): string[] {
  const plots = figures.plots.map((plot, i) => {
    const file = `${task}-${set}-${i + 1}.svg`
    pictures[file] = drawPlot(plot)
    return `![${plot.title}](${folder}/${file})`
  })
  const details = [
    ...figures.tables.map((table) => `**${table.title}**\n\n${markdownTable(table)}`),
    `**Every figure of ${set}**\n\n${markdownTable(everyFigure(figures))}`,
  ]
  return [
    `### ${set}`,
    ...figures.notes.map((note) => `- ${note}`),
    ...plots,
    `<details><summary>Tables and every figure</summary>\n\n${details.join('\n\n')}\n\n</details>`,
  ]
}

function everyFigure({ all }: Figures): Table {
  return {
    title: '',
    columns: ['figure', 'value', '95 %', 'n'],
    rows: all.map(({ name, value, low, high, n }) => [
      `\`${name}\``,
      numeral(value),
      low === undefined || high === undefined ? '' : `${numeral(low)} to ${numeral(high)}`,
      n.toLocaleString('en-GB'),
    ]),
  }
}

function markdownTable({ columns, rows }: Table): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => (typeof cell === 'number' ? numeral(cell) : cell.replaceAll('|', '\\|'))).join(' | ')} |`
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
