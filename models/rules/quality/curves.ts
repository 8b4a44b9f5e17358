/** The logistic curve: 0.5 at `centre`, rising over some four times `width`. */
export function sigmoid(value: number, centre: number, width: number): number {
  return 1 / (1 + Math.exp((centre - value) / width))
}

/** From 0 at `none` to 1 at `full`, straight between them; `full` may be the smaller. */
export function ramp(value: number, none: number, full: number): number {
  return Math.max(0, Math.min(1, (value - none) / (full - none)))
}

/** A component: a share of 100 as a whole number, 0 to 100. */
export function component(share: number): number {
  return Math.round(100 * Math.max(0, Math.min(1, share)))
}
