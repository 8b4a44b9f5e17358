/** Whether this is held in a hand: judged by how it is touched, as its size says little. */
export function isHandheld(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches
}
