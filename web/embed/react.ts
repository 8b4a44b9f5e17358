import { createElement, type HTMLAttributes, type ReactElement, useEffect, useRef } from 'react'
import { openVerification, type VerificationError, type VerificationOutcome } from './embed.ts'

export interface FaceCheckProps
  extends Omit<HTMLAttributes<HTMLDivElement>, 'onError' | 'children' | 'title'> {
  /** The signed link, or the captureUrl of a session. Another one begins anew. */
  readonly link: string
  /** The origin of the host that serves the check: a link that leads to any other is refused. */
  readonly origin?: string
  /** What the frame is called for those who do not see it. */
  readonly title?: string
  readonly onOutcome?: (outcome: VerificationOutcome) => void
  /** Told what keeps the check from going on, such as `expired` or `denied`; docs/integrate.md lists the words. */
  readonly onProblem?: (problem: string) => void
  readonly onError?: (error: VerificationError) => void
}

/**
 * The check in its place on a React page, as `<selfsame-check>` shows it on any other. It goes with its component. For a window
 * of its own call `openVerification` from a click.
 */
export function FaceCheck(props: FaceCheckProps): ReactElement {
  const { link, origin, title, onOutcome, onProblem, onError, ...rest } = props
  const container = useRef<HTMLDivElement>(null)
  // What is to be called may be another function with each render: that is no reason to begin anew.
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
