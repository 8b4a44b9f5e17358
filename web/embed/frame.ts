/** As high as a check is on a phone; more where what it shows needs more. */
const usualHeight = 560
const greatestHeight = 4000

/**
 * A frame of the check in a container.
 * [Note: Height of the frame] It fills a container that has a height, and has one of its own in a container that has none: a
 * percentage inside `max()` would count as `auto` there, which is 150 pixels for a frame. It is never higher than the part of the
 * page that can be seen at once, so that what the person is asked for stays in sight; what is longer scrolls in it.
 */
export function placeFrame(container: HTMLElement, source: string, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.title = title
  frame.allow = 'camera; fullscreen; publickey-credentials-get; publickey-credentials-create'
  frame.style.cssText = 'display:block;box-sizing:border-box;width:100%;height:100%;border:0'
  frame.src = source
  container.append(frame)
  growFrame(frame, usualHeight)
  return frame
}

/** Gives the frame at least that height, in pixels, within what the page lets be seen; what is no height changes nothing. */
export function growFrame(frame: HTMLIFrameElement, height: unknown): void {
  const { parentElement: container } = frame
  if (container === null || typeof height !== 'number' || !(height >= usualHeight)) return
  frame.style.minHeight = `${usualHeight}px`
  // Not known to browsers before 2023, which stay with the line above.
  frame.style.minHeight = `clamp(320px,100svh,${Math.min(Math.ceil(height), greatestHeight)}px)`
  makeRoom(container)
}

/** A container that is too low, and does not scroll, would cut the frame off or lay it over what follows. */
function makeRoom(container: HTMLElement): void {
  const missing = container.scrollHeight - container.clientHeight
  const { display, overflowY } = getComputedStyle(container)
  if (missing <= 0 || display === 'inline' || /auto|scroll/.test(overflowY)) return
  container.style.minHeight = `${container.offsetHeight + missing}px`
}
