/** The position of an axis's values, and its tick marks. */
export interface Scale {
  /** A value's position in pixels. Undefined if a logarithmic axis cannot show the value. */
  at(value: number): number | undefined
  readonly ticks: readonly number[]
}

export interface Span {
  readonly from: number
  readonly to: number
}

/** A scale between two round numbers that covers all the values. */
export function scaleOf(values: readonly number[], isLogarithmic: boolean, paper: Span): Scale {
  const shown = values.filter((value) => Number.isFinite(value) && (!isLogarithmic || value > 0))
  const low = shown.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  const high = shown.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  if (shown.length === 0) return scaleOf([1, 10], isLogarithmic, paper)
  return isLogarithmic ? logarithmic(low, high, paper) : linear(low, high, paper)
}

function logarithmic(low: number, high: number, paper: Span): Scale {
  const first = Math.floor(Math.log10(low) + 1e-9)
  const last = Math.max(first + 1, Math.ceil(Math.log10(high) - 1e-9))
  const place = between({ from: first, to: last }, paper)
  return {
    at: (value) => (value > 0 ? place(Math.log10(value)) : undefined),
    ticks: Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i)),
  }
}

const roundSteps = [1, 2, 2.5, 5, 10] as const
const mostTicks = 8

function linear(low: number, high: number, paper: Span): Scale {
  const width = high - low || Math.abs(high) || 1
  const power = 10 ** Math.floor(Math.log10(width / mostTicks))
  const step = roundSteps.map((round) => round * power).find((size) => width / size <= mostTicks)!
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  const place = between({ from: first * step, to: last * step }, paper)
  return { at: place, ticks: Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step) }
}

function between(values: Span, paper: Span): (value: number) => number {
  return (value) => paper.from + ((value - values.from) / (values.to - values.from)) * (paper.to - paper.from)
}
