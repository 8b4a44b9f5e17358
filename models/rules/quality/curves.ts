/** The logistic curve: 0.5 at `centre`, rising over some four times `width`. */
export function sigmoid(value: number, centre: number, width: number): number {
  return 1 / (1 + Math.exp((centre - value) / width))
}

/** Linear from 0 at `none` to 1 at `full`; `full` may be the smaller. */
export function ramp(value: number, none: number, full: number): number {
  return Math.max(0, Math.min(1, (value - none) / (full - none)))
}

/** Converts a share to a component: a whole number from 0 to 100. */
export function component(share: number): number {
  return Math.round(100 * Math.max(0, Math.min(1, share)))
}
