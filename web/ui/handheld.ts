/** True for a handheld device, judging by its pointer, because the screen size is not reliable. */
export function isHandheld(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches
}
