import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ListedSession, noteMaximum } from '#shared/contract/sessions/session-list.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { isWriting } from '#web/console/core/shortcuts.ts'
import { FasterReview } from '#web/console/sessions/decided-review.tsx'
import { Reasons, StandingBadge } from '#web/console/sessions/session-badges.tsx'
import { UndoNote } from '#web/console/sessions/undo-note.tsx'
import { whyRefused } from '#web/console/sessions/why-refused.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { CheckField } from '#web/console/ui/field.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, Fact, Facts, Id, Key, Maybe, PageHead, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { fill } from '#web/wording/fill.ts'
import { LookedAt } from './looked-at.tsx'
import { type QueueKey, queueKeys } from './queue.ts'
import { useQueue } from './use-queue.ts'

/** Shows the sessions that need a decision one after another, with keyboard control. */
export function ReviewPage() {
  const { words } = useConsole()
  const [withPassed, setWithPassed] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const queue = useQueue(withPassed)
  const { found, doing, session, move, decide, decided, undo, over } = queue
  const { review, page } = words.value
  useQueueKeys((key) => {
    if (key === 'next') move(1)
    else if (key === 'previous') move(-1)
    else if (key === 'note') field.current?.focus()
    else void decide(key)
  })
  return (
    <>
      <PageHead title={page.review} />
      <p class="under-head">{review.lead}</p>
      <CheckField label={review.all} checked={withPassed} onChange={setWithPassed} />
      <ProblemNote problem={found.problem ?? doing.problem} onRetry={found.reload} />
      {decided !== undefined && (
        <UndoNote decided={decided} isBusy={doing.isBusy} onUndo={undo} onOver={over} />
      )}
      {found.value !== undefined && session === undefined && (
        <Empty title={review.empty} advice={review.emptyAdvice} />
      )}
      {session !== undefined && <Card queue={queue} session={session} field={field} />}
    </>
  )
}

interface CardProps {
  readonly queue: ReturnType<typeof useQueue>
  readonly session: ListedSession
  readonly field: NoteFieldProps['field']
}

function Card({ queue, session, field }: CardProps) {
  const { words } = useConsole()
  const may = useMay()
  const { at, count, note, setNote, faster, doing, move, decide } = queue
  const { review } = words.value
  return (
    <article class="card" aria-labelledby="queue-position">
      <p id="queue-position" class="small" role="status">
        {fill(review.position, { n: at + 1, all: count })}
      </p>
      <p class="why">
        <StandingBadge session={session} /> {whyRefused(session, words.value)}
      </p>
      <LookedAt session={session}>
        <Queued session={session} />
      </LookedAt>
      {faster !== undefined && (
        <FasterReview review={faster}>
          <Link to={{ page: 'sessions', parts: [session.verificationSessionId] }}>{review.lookAgain}</Link>
        </FasterReview>
      )}
      {may('reviewSession') && <NoteField note={note} onInput={setNote} field={field} />}
      <div class="buttons">
        {may('reviewSession') && (
          <>
            <Button kind="primary" isBusy={doing.isBusy} onPress={() => decide('Pass')}>
              {review.pass} <Key name="p" />
            </Button>
            <Button kind="danger" isBusy={doing.isBusy} onPress={() => decide('Fail')}>
              {review.fail} <Key name="f" />
            </Button>
          </>
        )}
        <Button onPress={() => move(-1)}>
          {review.previous} <Key name="k" />
        </Button>
        <Button onPress={() => move(1)}>
          {review.next} <Key name="j" />
        </Button>
      </div>
      <p class="small">{review.keys}</p>
    </article>
  )
}

/** Listens for the queue's keys, except in text fields and when single-key shortcuts are disabled. */
function useQueueKeys(act: (key: QueueKey) => void): void {
  const { preferences } = useConsole()
  const latest = useRef(act)
  latest.current = act
  const { hasShortcuts } = preferences.value
  useEffect(() => {
    if (!hasShortcuts) return
    let before = ''
    const hear = (event: KeyboardEvent) => {
      // After `g`, the second key belongs to the page shortcuts.
      const isSecond = before === 'g'
      before = event.key
      if (isSecond || isWriting(event) || document.querySelector('dialog[open]') !== null) return
      const key = queueKeys[event.key]
      if (key === undefined || event.repeat) return
      event.preventDefault()
      latest.current(key)
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [hasShortcuts])
}

interface NoteFieldProps {
  readonly note: string
  readonly onInput: (note: string) => void
  readonly field: RefObject<HTMLTextAreaElement | null>
}

function NoteField({ note, onInput, field }: NoteFieldProps) {
  const { words } = useConsole()
  const { session, review } = words.value
  return (
    <div class="field">
      <label for="queue-note">{session.note}</label>
      <textarea
        ref={field}
        id="queue-note"
        rows={2}
        maxLength={noteMaximum}
        value={note}
        aria-describedby="queue-note-hint"
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <span class="hint" id="queue-note-hint">
        {session.noteHint} {review.noteKeys}
      </span>
    </div>
  )
}

/** The device and browser used for the visit, if known. */
function deviceOf({ device, browser }: ListedSession, words: ConsoleWording): string | null {
  const known = [device && words.device[device], browser && words.browser[browser]].filter(Boolean)
  return known.length === 0 ? null : known.join(', ')
}

function Queued({ session }: { session: ListedSession }) {
  const { words } = useConsole()
  const { sessions, assurance, session: phrases } = words.value
  return (
    <Facts>
      <Fact name={sessions.person}>
        <Maybe value={session.externalId} />
      </Fact>
      <Fact name={sessions.reasons}>
        <Reasons session={session} />
      </Fact>
      <Fact name={sessions.verification}>
        <Maybe value={session.verificationName} />
      </Fact>
      <Fact name={sessions.assurance}>
        <Maybe value={session.assurance === null ? null : assurance[session.assurance]} />
      </Fact>
      <Fact name={words.value.measured.device}>
        <Maybe value={deviceOf(session, words.value)} />
      </Fact>
      <Fact name={sessions.tries}>{session.tries}</Fact>
      <Fact name={phrases.findings}>{session.findings?.length ?? 0}</Fact>
      <Fact name={sessions.time}>
        <Time at={session.createdAt} isExact />
      </Fact>
      <Fact name={sessions.session}>
        <Id value={session.verificationSessionId} isShort />{' '}
        <Link to={{ page: 'sessions', parts: [session.verificationSessionId] }}>
          {words.value.action.open}
        </Link>
      </Fact>
    </Facts>
  )
}
