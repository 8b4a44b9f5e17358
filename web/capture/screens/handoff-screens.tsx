import { isLoopbackAddress } from '#shared/web-address.ts'
import { mayComeBack } from '#web/capture/machine/handoff.ts'
import type { HandoffCode } from '#web/capture/machine/handoff-place.ts'
import type { StateOf } from '#web/capture/machine/state.ts'
import { Button } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { Title } from '#web/ui/title.tsx'
import { fill } from '#web/wording/fill.ts'
import type { Wording } from '#web/wording/wording.ts'
import { CopyLink } from './copy-link.tsx'
import { headingOf } from './heading.ts'
import type { ScreenProps } from './screen-props.ts'

/** The code for another device, which can be scanned, opened, copied or typed. */
export function HandoffScreen(props: ScreenProps<StateOf<'handoff'>>) {
  const { state, context, wording, send } = props
  const { code } = context
  const { button, text } = wording
  if (state.trouble) return <HandoffTrouble {...props} />
  return (
    <main class="page handoff">
      <div class="page-body">
        <Title screen="handoff">{headingOf(state, wording)}</Title>
        <p class="lead">{text.handoff}</p>
        {code === null ? (
          <div class="qr-place">
            <ProgressBar share={null} label={text.leaving} />
          </div>
        ) : (
          <Code code={code} wording={wording} />
        )}
      </div>
      <div class="actions">
        <Button onPress={() => send({ type: 'back' })}>{button.useThisDevice}</Button>
        {code !== null && <CopyLink kind="quiet" url={code.url} wording={wording} />}
      </div>
    </main>
  )
}

function HandoffTrouble({ state, wording, send }: ScreenProps<StateOf<'handoff'>>) {
  const { button, linkText } = wording
  return (
    <Page
      screen="handoffTrouble"
      icon="cloud"
      title={headingOf(state, wording)}
      actions={
        <>
          <Button kind="primary" onPress={() => send({ type: 'tryAgain' })}>
            {button.tryAgain}
          </Button>
          <Button onPress={() => send({ type: 'back' })}>{button.useThisDevice}</Button>
        </>
      }
    >
      <p class="lead">{linkText.unreachable}</p>
    </Page>
  )
}

function Code({ code: { code, url, expiresAt }, wording }: { code: HandoffCode; wording: Wording }) {
  const { text } = wording
  const { host, pathname } = new URL(url)
  return (
    <>
      <QrCode text={url} label={text.qr} />
      <dl class="facts by-hand">
        <div class="fact">
          <dt>{text.address}</dt>
          <dd>
            <a href={url} target="_blank" rel="noopener" dir="ltr">
              {host}
              {pathname}
            </a>
          </dd>
        </div>
        <div class="fact">
          <dt>{text.code}</dt>
          <dd>
            <strong class="code" dir="ltr">
              {code}
            </strong>
          </dd>
        </div>
      </dl>
      <TimeLeft text={text.codeFor} until={expiresAt} />
      {isLoopbackAddress(url) && <p class="muted">{text.loopbackOnly}</p>}
    </>
  )
}

/** Shows how far the session on the other device has got. */
export function FollowingScreen({ state, context, wording, send }: ScreenProps<StateOf<'following'>>) {
  const { phase, number, actionsDone } = state.handoff
  const { button, text, title } = wording
  const actions = context.plan?.challenge?.actionCount ?? 0
  return (
    <Page
      screen="following"
      icon={phase === 'checking' ? 'cloud' : 'phone'}
      tone="busy"
      title={headingOf(state, wording)}
      actions={
        mayComeBack(state) && (
          <>
            <Button onPress={() => send({ type: 'usePhone' })}>{button.newCode}</Button>
            <Button onPress={() => send({ type: 'back' })}>{button.useThisDevice}</Button>
          </>
        )
      }
    >
      {phase === 'taken' && number !== null && (
        <>
          <p class="number">{number}</p>
          <p class="lead">{fill(text.following, { number })}</p>
        </>
      )}
      {phase === 'acting' && actions > 0 && (
        <>
          <ProgressBar share={actionsDone / actions} label={title.acting} />
          <p class="count">{fill(text.stepOf, { step: actionsDone, of: actions })}</p>
        </>
      )}
      <p class="muted">{text.staysOpen}</p>
    </Page>
  )
}
