/** 0 before 0, 1 after 1, with a smooth transition in between. */
export function smooth(at: number): number {
  const within = Math.max(0, Math.min(1, at))
  return within * within * (3 - 2 * within)
}
