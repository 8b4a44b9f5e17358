import { useEffect, useRef, useState } from 'preact/hooks'
import { returnPath } from '#shared/contract/console/openid.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button, Submit } from '#web/console/ui/controls.tsx'
import { Dialog } from '#web/console/ui/dialog.tsx'
import { TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { fill } from '#web/wording/fill.ts'
import type { OpenidClient } from './client-form.ts'
import type { SignInOutcome, StandIn } from './walk-sign-in.ts'

const windowFeatures = 'popup,width=520,height=800'

interface ClientTrialProps {
  readonly client: OpenidClient
  readonly onClose: () => void
}

/** Runs a complete sign-in with a temporary copy of the client, and shows what the site would receive. */
export function ClientTrial({ client: { clientId, name }, onClose }: ClientTrialProps) {
  const { words, calls } = useConsole()
  const [standIn, setStandIn] = useState<StandIn | null>(null)
  const doing = useDoing()
  const { openidClients, action } = words.value
  const redirectUri = location.origin + returnPath
  const begin = () =>
    doing.run(async () => setStandIn(await calls.configuration.tryOpenidClient({ clientId, redirectUri })))
  return (
    <Dialog title={fill(openidClients.tryTitle, { name })} onClose={onClose}>
      {standIn === null ? (
        <Form onSubmit={begin} problem={doing.problem}>
          <p>{openidClients.tryLead}</p>
          <div class="buttons">
            <Submit isBusy={doing.isBusy}>{openidClients.tryBegin}</Submit>
            <Button onPress={onClose}>{action.cancel}</Button>
          </div>
        </Form>
      ) : (
        <Walking standIn={standIn} redirectUri={redirectUri} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface WalkingProps {
  readonly standIn: StandIn
  readonly redirectUri: string
  readonly onClose: () => void
}

type State = 'asked' | 'open' | 'blocked' | SignInOutcome

/** The state of a trial sign-in. Clients that compare faces need a person's external id. */
function useWalk(standIn: StandIn, redirectUri: string) {
  const { visits } = useConsole()
  const [state, setState] = useState<State>('asked')
  const doing = useDoing()
  const waiting = useRef<(() => void) | undefined>(undefined)
  useEffect(() => () => waiting.current?.(), [])

  const walkIn = async (opened: Window, loginHint: string | undefined) => {
    const { beginWalk } = await import('./walk-sign-in.ts')
    const send = (address: string, init?: RequestInit) => fetch(address, init)
    const walk = await beginWalk(send, standIn, { redirectUri, loginHint })
    if (!('url' in walk)) {
      opened.close()
      return setState(walk)
    }
    waiting.current?.()
    const { returned, cancel } = visits.await(walk.isAnswer)
    waiting.current = cancel
    opened.location.replace(walk.url)
    setState('open')
    void returned.then(walk.finish).then(setState, (problem: unknown) => {
      setState('asked')
      void doing.run(() => Promise.reject(problem))
    })
  }

  /** [Note: Opened by the click] Browsers only allow windows to open during a click. This one navigates once the request has been pushed. */
  const go = (loginHint: string | undefined) => {
    const opened = window.open('about:blank', '_blank', windowFeatures)
    if (opened === null) return setState('blocked')
    return doing.run(() =>
      walkIn(opened, loginHint).catch((error: unknown) => {
        opened.close()
        throw error
      }),
    )
  }
  return { state, doing, go }
}

function Walking({ standIn, redirectUri, onClose }: WalkingProps) {
  const { words } = useConsole()
  const [hint, setHint] = useState('')
  const { state, doing, go } = useWalk(standIn, redirectUri)
  const { openidClients, openid, action } = words.value
  const isMatch = standIn.scope.split(' ').includes('match')
  if (typeof state === 'object') return <Outcome walked={state} onClose={onClose} />
  return (
    <Form onSubmit={() => go(isMatch ? hint : undefined)}>
      {isMatch && (
        <TextField
          label={openidClients.externalId}
          hint={openidClients.externalIdHint}
          value={hint}
          onInput={setHint}
        />
      )}
      <p>
        {openidClients.asks} <code dir="ltr">{standIn.scope}</code>
      </p>
      <p class="small" role="status">
        {state === 'open' ? openidClients.waiting : state === 'blocked' ? openid.blocked : ''}
      </p>
      <ProblemNote problem={doing.problem} />
      <div class="buttons">
        <Submit isBusy={doing.isBusy}>{openidClients.open}</Submit>
        <Button onPress={onClose}>{action.cancel}</Button>
      </div>
    </Form>
  )
}

function Outcome({ walked, onClose }: { walked: SignInOutcome; onClose: () => void }) {
  const { words } = useConsole()
  const { openidClients, action } = words.value
  return (
    <>
      {'error' in walked ? (
        <div class="note warn" role="alert">
          <strong>{fill(openidClients.refused, { error: walked.error })}</strong>
          {walked.detail !== undefined && (
            <p>
              <bdi>{walked.detail}</bdi>
            </p>
          )}
        </div>
      ) : (
        <>
          <p class="note good" role="status">
            {openidClients.checked}
          </p>
          <Table
            caption={openidClients.claims}
            rows={Object.entries(walked.claims)}
            rowKey={([claim]) => claim}
            columns={[
              { name: 'claim', head: openidClients.claim, cell: ([claim]) => <code dir="ltr">{claim}</code> },
              {
                name: 'value',
                head: openidClients.value,
                cell: ([, value]) => <code dir="ltr">{JSON.stringify(value)}</code>,
              },
            ]}
          />
        </>
      )}
      <div class="buttons">
        <Button kind="primary" onPress={onClose}>
          {action.close}
        </Button>
      </div>
    </>
  )
}
