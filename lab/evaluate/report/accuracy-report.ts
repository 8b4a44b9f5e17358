import { csvText } from '#lab/csv.ts'
import type { Figure, Table } from '#lab/evaluate/figures.ts'
import type { MeasuredTask } from '#lab/evaluate/measure.ts'
import type { Part } from '#lab/evaluate/part.ts'
import { numeral } from '#lab/evaluate/print.ts'
import { type Chapter, chapters, type Headline, type Unit, unknowns } from './chapters.ts'
import { drawPlot } from './plot-svg.ts'

export interface Report {
  /** The generated part of docs/accuracy.md. */
  readonly markdown: string
  /** The contents of the files in the `data` folder, by file name: plots as SVG, and all figures and tables as CSV. */
  readonly files: Readonly<Record<string, string>>
}

interface Circumstances {
  /** The lines from `configurationOf`. */
  readonly configuration: readonly string[]
  readonly part: Part
  /** The folder with the data files, as it is named in the report. */
  readonly data: string
}

const partWords: Readonly<Record<Part, string>> = {
  all: 'All pictures of each set were measured.',
  tuning: 'Measured on the half that was calibrated on: **not fit for publication**.',
  'held-out':
    'Thresholds and score tables were calibrated on one half of each set, divided by people; the figures below were measured on the other half. A set of a few clips or people is too small for that, so it was measured whole, which its section notes.',
}

/** The generated part of docs/accuracy.md and its data. It starts with what cannot be known, followed by a chapter for each task. */
export function accuracyReport(measured: readonly MeasuredTask[], circumstances: Circumstances): Report {
  const shown = measured.filter(({ figures }) => figures.all.length > 0)
  const files: Record<string, string> = {
    'figures.csv': csvText([figureColumns, ...shown.flatMap(figureRows)]),
    'tables.csv': csvText([tableColumns, ...shown.flatMap(tableRows)]),
  }
  const parts = chapters
    .map((chapter) => [chapter, shown.filter(({ task }) => task === chapter.task)] as const)
    .filter(([, sets]) => sets.length > 0)
    .map(([chapter, sets]) => chapterOf(chapter, sets, circumstances.data, files))
  return { markdown: [...headOf(circumstances, measured), ...parts].join('\n\n'), files }
}

function headOf({ configuration, data, part }: Circumstances, measured: readonly MeasuredTask[]): string[] {
  return [
    '## What cannot be known from this data',
    unknowns.map((line) => `- ${line}`).join('\n'),
    '## What was measured',
    partWords[part] + halvedByPicture(measured),
    `[figures.csv](${data}/figures.csv) has every figure of every set with its interval and count, [tables.csv](${data}/tables.csv) every table: confusions, groups, margins, perturbations.`,
    'One configuration, the one that ships:',
    `\`\`\`\n${configuration.join('\n')}\n\`\`\``,
  ]
}

function halvedByPicture(measured: readonly MeasuredTask[]): string {
  const shown = measured.filter(
    ({ figures, isHalvedByPicture }) => isHalvedByPicture && figures.all.length > 0,
  )
  const sets = [...new Set(shown.map(({ set }) => set))].sort()
  if (sets.length === 0) return ''
  return ` Sets that do not say who is in each picture were halved by picture, and a person may stand in both halves: ${sets.join(', ')}.`
}

function chapterOf(
  chapter: Chapter,
  sets: readonly MeasuredTask[],
  folder: string,
  files: Record<string, string>,
): string {
  return [
    `## ${chapter.title}`,
    ...chapter.opening,
    headlineTable(chapter.headlines, sets),
    ...sets.flatMap((set) => setOf(set, folder, files)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function headlineTable(headlines: readonly Headline[], sets: readonly MeasuredTask[]): string {
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

function setOf(
  { task, set, figures }: MeasuredTask,
  folder: string,
  files: Record<string, string>,
): string[] {
  const plots = figures.plots.map((plot, i) => {
    const file = `${task}-${set}-${i + 1}.svg`
    files[file] = drawPlot(plot)
    return `![${plot.title}](${folder}/${file})`
  })
  const notes = figures.notes.map((note) => `- ${note}`).join('\n')
  const said = [notes, ...plots].filter((part) => part !== '')
  return said.length === 0 ? [] : [`### ${set}`, ...said]
}

const figureColumns = ['task', 'set', 'figure', 'value', 'low', 'high', 'n']

function figureRows({ task, set, figures }: MeasuredTask): string[][] {
  return figures.all.map(({ name, value, low, high, n }) => [
    ...[task, set, name, numeral(value)],
    ...[low, high].map((bound) => (bound === undefined ? '' : numeral(bound))),
    String(n),
  ])
}

const tableColumns = ['task', 'set', 'table', 'row', 'column', 'value']

/** Uses one line per cell, because tables have different columns. */
function tableRows({ task, set, figures }: MeasuredTask): string[][] {
  return figures.tables.flatMap(({ title, columns, rows }) =>
    rows.flatMap(([name, ...cells]) =>
      cells.map((cell, i) => [...[task, set, title, textOf(name!)], columns[i + 1]!, textOf(cell)]),
    ),
  )
}

const textOf = (cell: string | number) => (typeof cell === 'number' ? numeral(cell) : cell)

function markdownTable({ columns, rows }: Table): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => textOf(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
