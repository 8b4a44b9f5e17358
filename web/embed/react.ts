import { createElement, type HTMLAttributes, type ReactElement, useEffect, useRef } from 'react'
import { openVerification, type VerificationError, type VerificationOutcome } from './embed.ts'

export interface FaceCheckProps
  extends Omit<HTMLAttributes<HTMLDivElement>, 'onError' | 'children' | 'title'> {
  /** The signed link, or a session's captureUrl. A new link starts over. */
  readonly link: string
  /** The origin that serves the check; links to other origins are rejected. */
  readonly origin?: string
  /** The frame's title for screen readers. */
  readonly title?: string
  readonly onOutcome?: (outcome: VerificationOutcome) => void
  /** Receives a problem's name, such as `expired` or `denied` (listed in docs/integrate.md). */
  readonly onProblem?: (problem: string) => void
  readonly onError?: (error: VerificationError) => void
}

/**
 * Shows the check inside a React page, like `<selfsame-check>` elsewhere. Unmounting ends the check. To open it in a separate
 * window, call `openVerification` from a click.
 */
export function FaceCheck(props: FaceCheckProps): ReactElement {
  const { link, origin, title, onOutcome, onProblem, onError, ...rest } = props
  const container = useRef<HTMLDivElement>(null)
  // Callbacks may change on every render without restarting the check.
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    if (container.current === null) return
    const stop = new AbortController()
    const { signal } = stop
    openVerification({
      link,
      place: 'frame',
      container: container.current,
      signal,
      onProblem: (problem) => latest.current.onProblem?.(problem),
      ...(origin !== undefined && { origin }),
      ...(title !== undefined && { title }),
    }).then(
      (outcome) => signal.aborted || latest.current.onOutcome?.(outcome),
      (error: VerificationError) => signal.aborted || latest.current.onError?.(error),
    )
    return () => stop.abort()
  }, [link, origin, title])
  return createElement('div', { ...rest, ref: container })
}
