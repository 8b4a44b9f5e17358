/** True for a handheld device, judged by its pointer, since the screen size is not reliable. */
export function isHandheld(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches
}
