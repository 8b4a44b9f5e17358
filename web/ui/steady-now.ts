/** Milliseconds since 1970 by a clock that only goes on: that of the device may be set while a visit lasts. */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now()
}
