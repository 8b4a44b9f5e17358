import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A screen's heading; takes the focus when it appears, and again when `screen` changes. */
export function Title({ screen, children }: { screen: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [screen])
  return (
    <h1 class="title" tabIndex={-1} ref={heading}>
      {children}
    </h1>
  )
}
