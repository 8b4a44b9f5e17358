/** The logistic curve: 0.5 at `centre`, rising over about four times `width`. */
export function sigmoid(value: number, centre: number, width: number): number {
  return 1 / (1 + Math.exp((centre - value) / width))
}

/** Rises linearly from 0 at `none` to 1 at `full`, which may be the smaller of the two. */
export function ramp(value: number, none: number, full: number): number {
  return Math.max(0, Math.min(1, (value - none) / (full - none)))
}

/** Converts a share to a component, i.e. an integer from 0 to 100. */
export function component(share: number): number {
  return Math.round(100 * Math.max(0, Math.min(1, share)))
}
