/** 0 before 0, 1 after 1, and a smooth transition between. */
export function smooth(at: number): number {
  const within = Math.max(0, Math.min(1, at))
  return within * within * (3 - 2 * within)
}
