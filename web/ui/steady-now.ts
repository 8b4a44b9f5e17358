/** Milliseconds since 1970, from a clock that never jumps. The device's own clock may be changed during a visit. */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now()
}
