import type { Figures } from '#lab/evaluate/figures.ts'
import { wilson } from '#lab/statistics/wilson.ts'
import {
  acceptedWrongPass,
  bandsAround,
  type ErrorCount,
  margins,
  recommendedMargin,
  thresholds,
  within,
  wrongFails,
  wrongPasses,
} from './age-decisions.ts'
import { aged, type Estimate, type LabelledEstimate } from './estimate.ts'

/** Adds the wrong passes and wrong failures at an age limit, for each margin. */
export function addDecisions(figures: Figures, estimates: readonly Estimate[]): void {
  const all = aged(estimates)
  if (all.length === 0) return
  for (const threshold of thresholds) {
    for (const margin of margins) {
      const [pass, fail] = [wrongPasses(all, threshold, margin), wrongFails(all, threshold, margin)]
      figures.rate(`wrongPassAt${threshold}Margin${margin}`, pass.hits, pass.n)
      figures.rate(`wrongFailAt${threshold}Margin${margin}`, fail.hits, fail.n)
    }
    addTables(figures, all, threshold)
    addPlot(figures, all, threshold)
    recommend(figures, all, threshold)
  }
}

type Group = readonly [name: string, estimates: readonly LabelledEstimate[]]

function addTables(figures: Figures, all: readonly LabelledEstimate[], threshold: number): void {
  const bands = bandsAround(threshold).map((band): Group => [`${band.name} years`, within(band, all)])
  const of = (key: 'gender' | 'race') =>
    [...new Set(all.map((one) => one[key]))]
      .filter((name) => name !== undefined)
      .sort()
      .map((name): Group => [name, all.filter((one) => one[key] === name)])
  for (const [what, decide] of [
    ['Wrong passes', wrongPasses],
    ['Wrong fails', wrongFails],
  ] as const) {
    const cells = ([name, some]: Group) => {
      const wrong = margins.map((margin) => decide(some, threshold, margin))
      return wrong[0]!.n === 0 ? [] : [[name, wrong[0]!.n, ...wrong.map(shown)]]
    }
    figures.table({
      title: `${what} of an age limit of ${threshold} by margin in years`,
      columns: ['group', 'n', ...margins.map((margin) => `+${margin}`)],
      rows: [...bands, ...of('gender'), ...of('race')].flatMap(cells),
    })
  }
}

function shown({ hits, n }: ErrorCount): string {
  const { low, high } = wilson(hits, n)
  const percent = (share: number) => (100 * share).toFixed(1)
  return `${percent(hits / n)} % [${percent(low)}, ${percent(high)}]`
}

function addPlot(figures: Figures, all: readonly LabelledEstimate[], threshold: number): void {
  const curve = (decide: typeof wrongPasses) =>
    margins.map((margin): [number, number] => {
      const { hits, n } = decide(all, threshold, margin)
      return [margin, hits / n]
    })
  figures.plot({
    title: `An age limit of ${threshold}: wrong decisions by margin`,
    x: { label: 'margin, years' },
    y: { label: 'share' },
    curves: [
      { label: `under ${threshold} and passes`, points: curve(wrongPasses) },
      { label: `${threshold} or older and fails`, points: curve(wrongFails) },
    ],
  })
}

function recommend(figures: Figures, all: readonly LabelledEstimate[], threshold: number): void {
  const near = all.filter(({ years }) => years < threshold && years >= threshold - 5).length
  if (near === 0) return
  const margin = recommendedMargin(all, threshold)
  const rule = `at most ${100 * acceptedWrongPass} % of people up to five years too young pass, with 95 % confidence (n=${near})`
  if (margin === undefined) {
    figures.note(
      `For an age limit of ${threshold}, no margin up to ${margins.at(-1)} years is enough for the rule: ${rule}.`,
    )
    return
  }
  figures.add(`recommendedMarginAt${threshold}`, margin, near)
  figures.note(`An age limit of ${threshold} needs a margin of ${margin} years under the rule: ${rule}.`)
}
