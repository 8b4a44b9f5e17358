import type { StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Phrase } from '#web/ui/phrase.tsx'
import { Title } from '#web/ui/title.tsx'
import { type ConsentRow, consentInShort, spokenIn } from '#web/wording/fill.ts'
import { Journey } from './drawings/journey.tsx'
import { headingOf } from './heading.ts'
import { PhoneButton } from './phone-button.tsx'
import type { ScreenProps } from './screen-props.ts'

/**
 * Explains how the pictures are used, before any are taken.
 * [Note: Consent in layers] Purpose, recording and destination are always visible; the rest expands on the same page. Both answers
 * look alike and do not cover the text.
 */
export function ConsentScreen({ state, context, wording, send }: ScreenProps<StateOf<'consent'>>) {
  const { button } = wording
  const plan = context.plan && spokenIn(context.plan, wording.locale)
  if (plan === null) return null
  const { open, folded } = consentInShort(wording, plan)
  return (
    <main class="page consent with-actions">
      <div class="page-body">
        <Journey />
        <Title screen="consent">
          <Phrase text={headingOf(state, wording)} plan={plan} />
        </Title>
        <Facts rows={open} {...{ plan }} />
        <details class="folded">
          <summary>{wording.text.allDetails}</summary>
          <Facts rows={folded} {...{ plan }} />
          <PrivacyLinks {...{ context, wording }} />
        </details>
      </div>
      <div class="actions equal">
        <Button onPress={() => send({ type: 'agree' })}>{button.agree}</Button>
        <Button onPress={() => send({ type: 'disagree' })}>{button.disagree}</Button>
        <div class="asides">
          <PhoneButton kind="quiet" {...{ context, wording, send }} />
          <Button kind="quiet" onPress={() => send({ type: 'anotherWay' })}>
            {button.anotherWay}
          </Button>
        </div>
      </div>
    </main>
  )
}

function Facts({ rows, plan }: { rows: readonly ConsentRow[] } & Pick<ScreenProps['context'], 'plan'>) {
  return (
    <dl class="facts">
      {rows.map(({ term, text }) => (
        <div class="fact" key={term}>
          <dt>{term}</dt>
          <dd>
            <Phrase text={text} plan={plan} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Links to the account's privacy policy and terms. Hidden at a kiosk, which cannot open another window. */
function PrivacyLinks({ context, wording }: Pick<ScreenProps, 'context' | 'wording'>) {
  const { plan, staysHere } = context
  const { privacyUrl = null, termsUrl = null } = plan?.privacy ?? {}
  if (staysHere || (privacyUrl === null && termsUrl === null)) return null
  const { privacy, terms } = wording.links
  const named = [
    [privacyUrl, privacy],
    [termsUrl, terms],
  ] as const
  return (
    <div class="asides">
      {named.map(([address, text]) =>
        address === null ? null : (
          <a class="button quiet" key={text} href={address} target="_blank" rel="noopener">
            <span>
              <Phrase text={text} plan={plan} />
            </span>
          </a>
        ),
      )}
    </div>
  )
}
