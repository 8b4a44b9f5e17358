import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * A screen's heading. It takes the focus when it appears and when `screen` changes. [Note: Focus comes with the screen]
 * The focus moves synchronously, because on a busy device the next frame may come late and the focus would be lost until then.
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
