import type { ComponentChildren } from 'preact'
import { fill } from '#web/wording/fill.ts'
import { usePlayground } from './playground-context.ts'
import { RequestNote } from './request-note.tsx'
import { curlOf, type PictureRequest, typescriptOf } from './shown-request.ts'
import type { CallState } from './use-asked.ts'

interface AnswerSectionProps<T> {
  readonly title: string
  readonly asked: CallState<T>
  readonly request: PictureRequest
  readonly children: (value: T) => ComponentChildren
}

/** An endpoint's answer, along with the request that produced it. */
export function AnswerSection<T>({ title, asked, request, children }: AnswerSectionProps<T>) {
  const { publicOrigin } = usePlayground()
  return (
    <section class="play-answer" aria-label={title}>
      <h3>{title}</h3>
      <Awaited asked={asked}>{children}</Awaited>
      <RequestNote curl={curlOf(publicOrigin, request)} typescript={typescriptOf(publicOrigin, request)} />
    </section>
  )
}

/** Shows an answer, or until it arrives, the progress or an error. */
export function Awaited<T>({ asked, children }: Pick<AnswerSectionProps<T>, 'asked' | 'children'>) {
  const { words } = usePlayground()
  const { value, problem, again } = asked
  if (problem !== undefined) {
    return (
      <div role="alert">
        <p class="play-fault">{fill(words.refused, { detail: problem })}</p>
        <button type="button" class="play-press plain small" onClick={again}>
          {words.again}
        </button>
      </div>
    )
  }
  if (value === undefined) return <p class="play-muted">{words.looking}</p>
  return <>{children(value)}</>
}
