/** A check's height on a phone. It grows if the content needs more. */
const usualHeight = 560
const greatestHeight = 4000

/**
 * Creates the check's frame inside a container.
 * [Note: Height of the frame] The frame fills a container that has a height. Otherwise the frame gets its own height, because a
 * percentage inside `max()` would count as `auto`, which is 150 pixels for a frame. It is never taller than the
 * viewport, so that instructions stay visible. Longer content scrolls inside it.
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

/** Grows the frame to at least this height in pixels, up to the viewport height. Ignores invalid values. */
export function growFrame(frame: HTMLIFrameElement, height: unknown): void {
  const { parentElement: container } = frame
  if (container === null || typeof height !== 'number' || !(height >= usualHeight)) return
  frame.style.minHeight = `${usualHeight}px`
  // Browsers from before 2023 do not support this unit and keep the previous value.
  frame.style.minHeight = `clamp(320px,100svh,${Math.min(Math.ceil(height), greatestHeight)}px)`
  makeRoom(container)
}

/** A container that is too low and does not scroll would clip the frame or overlap the content below it. */
function makeRoom(container: HTMLElement): void {
  const missing = container.scrollHeight - container.clientHeight
  const { display, overflowY } = getComputedStyle(container)
  if (missing <= 0 || display === 'inline' || /auto|scroll/.test(overflowY)) return
  container.style.minHeight = `${container.offsetHeight + missing}px`
}
