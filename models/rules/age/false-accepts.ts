/** The measured rate at which people below an age limit pass it. */
export interface FalseAccepts {
  readonly threshold: number
  /** The measured margin, i.e. the largest one that does not exceed the requested margin. */
  readonly marginInYears: number
  /** The ages of the people in the measurement: up to three years below the limit, who are the hardest to tell apart. */
  readonly ages: string
  readonly count: number
  /** The share of these people, with its 95 % interval. */
  readonly rate: number
  readonly low: number
  readonly high: number
}

type Row = readonly [marginInYears: number, rate: number, low: number, high: number]

interface MeasuredAges {
  readonly ages: string
  readonly count: number
  readonly rows: readonly Row[]
}

/** From docs/data/accuracy/tables.csv, UTKFace, "Wrong passes of an age limit", for the group closest to the limit. A test compares them. */
const measured: Readonly<Record<number, MeasuredAges>> = {
  18: {
    ages: '15-17',
    count: 47,
    rows: [
      [0, 0.319, 0.204, 0.462],
      [2, 0.213, 0.12, 0.349],
      [3, 0.17, 0.089, 0.301],
      [5, 0.064, 0.022, 0.172],
      [7, 0.043, 0.012, 0.142],
      [10, 0.021, 0.004, 0.111],
    ],
  },
  25: {
    ages: '22-24',
    count: 31,
    rows: [
      [0, 0.419, 0.264, 0.592],
      [2, 0.226, 0.114, 0.398],
      [3, 0.194, 0.092, 0.363],
      [5, 0.097, 0.033, 0.249],
      [7, 0.097, 0.033, 0.249],
      [10, 0.065, 0.018, 0.207],
    ],
  },
}

/** The limits with a measurement. */
export const measuredThresholds: readonly number[] = Object.keys(measured).map(Number)

/** The measurement for a limit, with this margin or the next smaller one. Null if the limit was not measured. */
export function falseAcceptsOf(threshold: number, marginInYears: number): FalseAccepts | null {
  const found = measured[threshold]
  const row = found?.rows.findLast(([margin]) => margin <= marginInYears)
  if (found === undefined || row === undefined) return null
  const [margin, rate, low, high] = row
  return { threshold, marginInYears: margin, ages: found.ages, count: found.count, rate, low, high }
}
