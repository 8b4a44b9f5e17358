import { mean, quantile } from '#lab/statistics/quantile.ts'
import type { Bin } from '../../../models/rules/lookup.ts'

/** A measurement's position and the value found there. */
export interface Case {
  readonly x: number
  readonly y: number
}

/** Averages the cases between neighbouring edges. A bin with fewer than `fewest` cases is merged with the previous one (the first with the next). */
export function binsBetween(edges: readonly number[], cases: readonly Case[], fewest: number): Bin[] {
  const groups: Case[][] = []
  let open: Case[] = []
  for (let i = 1; i < edges.length; i++) {
    open.push(...cases.filter(({ x }) => x >= edges[i - 1]! && x < edges[i]!))
    if (open.length < fewest) continue
    groups.push(open)
    open = []
  }
  if (groups.length === 0) return open.length === 0 ? [] : [binOf(open)]
  groups.at(-1)!.push(...open)
  return groups.map(binOf)
}

/** `count` bins with roughly the same number of cases each. */
export function quantileBins(count: number, cases: readonly Case[]): Bin[] {
  const values = cases.map(({ x }) => x)
  const edges = Array.from({ length: count + 1 }, (_, i) => quantile(values, i / count))
  return binsBetween([...edges.slice(0, -1), Number.POSITIVE_INFINITY], cases, 1)
}

function binOf(cases: readonly Case[]): Bin {
  return { x: mean(cases.map(({ x }) => x)), y: mean(cases.map(({ y }) => y)), n: cases.length }
}

/** Levels out neighbouring bins that fall although the curve should rise (pool adjacent violators; Ayer et al. 1955). */
export function rising(bins: readonly Bin[]): Bin[] {
  const blocks: { y: number; n: number; count: number }[] = []
  for (const { y, n } of bins) {
    let block = { y, n, count: 1 }
    for (let last = blocks.at(-1); last !== undefined && last.y > block.y; last = blocks.at(-1)) {
      blocks.pop()
      const total = last.n + block.n
      block = { y: (last.y * last.n + block.y * block.n) / total, n: total, count: last.count + block.count }
    }
    blocks.push(block)
  }
  const levels = blocks.flatMap(({ y, count }) => Array.from({ length: count }, () => y))
  return bins.map((bin, i) => ({ ...bin, y: levels[i]! }))
}

/** Rounds to three decimals, since the cases do not support a higher precision. */
export function rounded(bins: readonly Bin[]): Bin[] {
  const round = (value: number) => Math.round(value * 1000) / 1000
  return bins.map(({ x, y, n }) => ({ x: round(x), y: round(y), n }))
}
