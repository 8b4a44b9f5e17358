import { useState } from 'preact/hooks'
import { failedReasons } from '#shared/contract/sessions/session.ts'
import type { StateName } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import type { ScreenProps } from './screen-props.ts'

/** States in which there is nothing left to end. */
const overStates: ReadonlySet<StateName> = new Set<StateName>([
  'opening',
  'linkProblem',
  'sending',
  'offline',
  'passed',
  'notCompleted',
  'declined',
  'timeOver',
  'moved',
  'following',
  'passkeyOffered',
])

const selectId = 'test-outcome'

type Result = 'passed' | (typeof failedReasons)[number]

/**
 * Marks a session as a test and lets the person choose its result, unless the link or the call that created it already did.
 * It is only a label at a kiosk, because captures are judged later there.
 */
export function TestBanner({ state, context, wording, send }: ScreenProps) {
  const [chosen, choose] = useState<Result>('passed')
  const test = context.plan?.test
  if (test === undefined) return null
  const result = test.outcome ?? chosen
  // The results of further tries are not known here.
  const isFirst = context.furtherTry === null
  return (
    <aside class="banner testing" aria-label={wording.text.testMode}>
      <p>{wording.text.testMode}</p>
      {!overStates.has(state.name) && !context.staysHere && (
        <div class="test-controls">
          {test.outcome === null ? (
            <>
              <label for={selectId}>{wording.text.testOutcome}</label>
              <select
                id={selectId}
                value={chosen}
                onChange={({ currentTarget }) => choose(currentTarget.value as Result)}
              >
                {['passed', ...failedReasons].map((one) => (
                  <option key={one} value={one} lang="en" dir="ltr">
                    {one}
                  </option>
                ))}
              </select>
            </>
          ) : (
            isFirst && (
              <p>
                <span class="test-words">{wording.text.testOutcome}</span>{' '}
                <bdi lang="en" dir="ltr">
                  {test.outcome}
                </bdi>
              </p>
            )
          )}
          <Button kind="quiet" onPress={() => send({ type: 'endTest', result })}>
            {wording.button.endTest}
          </Button>
        </div>
      )}
    </aside>
  )
}
