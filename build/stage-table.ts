import type { Report, TimedTest } from './test-reports.ts'

/** A check and its duration in wall-clock time. */
export interface TimedCheck extends Pick<Report, 'slowest'> {
  readonly name: string
  readonly seconds: number
}

/** Checks that ran concurrently; the stage takes as long as the slowest, not the sum. */
export interface TimedStage {
  readonly seconds: number
  readonly checks: readonly TimedCheck[]
}

/** Lines with the duration of each stage and check, and the slowest test files. */
export function stageTable(stages: readonly TimedStage[]): string[] {
  const made = stages.filter(({ checks }) => checks.length > 0)
  const all = made.reduce((total, { seconds }) => total + seconds, 0)
  return [
    ...made.flatMap(linesOf),
    row({ title: 'in all', seconds: all }),
    ...made.flatMap(({ checks }) => checks).flatMap(slowestLines),
  ]
}

function linesOf({ seconds, checks }: TimedStage): string[] {
  const [first, ...others] = checks
  if (others.length === 0) return [row({ title: first!.name, seconds })]
  const inner = checks.map((check) => row({ title: `  ${check.name}`, seconds: check.seconds }))
  return [row({ title: 'at once:', seconds }), ...inner]
}

function slowestLines({ name, slowest }: TimedCheck): string[] {
  return slowest.length === 0 ? [] : ['', `slowest files of ${name}:`, ...slowest.map(row)]
}

function row({ title, seconds }: TimedTest): string {
  return `${seconds.toFixed(1).padStart(8)} s  ${title}`
}
