import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * A screen's heading; takes the focus when it appears, and again when `screen` changes. [Note: Focus comes with the screen]
 * In the same breath, not after the next frame: on a busy device that frame is late, and until then the focus would be nowhere.
 */
export function Title({ screen, children }: { screen: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [screen])
  return (
    <h1 class="title" tabIndex={-1} ref={heading}>
      {children}
    </h1>
  )
}
