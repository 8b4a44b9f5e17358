import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Problem } from '#shared/problem.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { placeOf } from '#web/console/core/explain.ts'
import {
  Faults,
  hasFaults,
  noFaults,
  type PlacedFault,
  placeFaults,
  showField,
  showFirstFault,
  unreadNumbers,
} from './faults.ts'
import { ProblemNote } from './problem-note.tsx'

interface FormProps {
  readonly onSubmit: () => void
  /** The last submission's error. Faults are shown at their fields, and the first one gets the focus. [Note: Faults at their field] */
  readonly problem?: unknown
  readonly label?: string
  readonly class?: string
  readonly children: ComponentChildren
}

interface PlacedFaults {
  readonly problem: unknown
  readonly faults: readonly PlacedFault[]
}

/** A form that is submitted by a script. */
export function Form({ onSubmit, problem, label, class: name = 'form', children }: FormProps) {
  const { words } = useConsole()
  const form = useRef<HTMLFormElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const [unread, setUnread] = useState<Problem>()
  const [placed, setPlaced] = useState<PlacedFaults>({ problem: undefined, faults: noFaults })
  const shown = unread ?? problem ?? undefined
  useLayoutEffect(() => {
    if (shown !== placed.problem) setPlaced({ problem: shown, faults: placeFaults(form.current!, shown) })
  }, [shown])
  useEffect(() => {
    if (placed.problem === undefined || showFirstFault(form.current!, placed.faults)) return
    head.current?.focus({ preventScroll: true })
    head.current?.scrollIntoView({ block: 'nearest' })
  }, [placed])
  return (
    <Faults.Provider value={placed.faults}>
      <form
        ref={form}
        class={name}
        aria-label={label}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const found = unreadNumbers(event.currentTarget, words.value.fault.number)
          setUnread(found)
          if (found === undefined) onSubmit()
        }}
      >
        {shown !== undefined && (
          <div ref={head} class="form-problem" tabIndex={-1}>
            {hasFaults(shown) ? (
              <FaultSummary problem={shown} faults={placed.faults} />
            ) : (
              <ProblemNote problem={shown} />
            )}
          </div>
        )}
        {children}
      </form>
    </Faults.Provider>
  )
}

/** A list of all faults that links to their fields. */
function FaultSummary({ problem, faults }: { problem: Problem; faults: readonly PlacedFault[] }) {
  const { words } = useConsole()
  const { fault, problem: said } = words.value
  return (
    <div class="note bad" role="alert">
      <strong>{fault.title}</strong>
      <ul>
        {faults.map(({ path, message, fields }) => (
          <li key={path + message}>
            {fields[0] === undefined ? <code dir="ltr">{placeOf(path)}</code> : <FieldLink {...fields[0]} />}{' '}
            <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
      {problem.requestId !== undefined && (
        <p class="small">
          {said.request} <code dir="ltr">{problem.requestId}</code>
        </p>
      )}
    </div>
  )
}

function FieldLink({ id, label }: PlacedFault['fields'][number]) {
  const show = (event: Event) => {
    event.preventDefault()
    const field = document.getElementById(id)
    if (field !== null) showField(field)
  }
  return (
    <a href={`#${id}`} onClick={show}>
      {label}
    </a>
  )
}
