import { useState } from 'preact/hooks'
import { mayComeBack } from '../session/handing-over.ts'
import type { HandOffCode, StateOf } from '../session/state.ts'
import { fill } from '../wording/fill.ts'
import type { Wording } from '../wording/wording.ts'
import { Button } from './button.tsx'
import { headingOf } from './heading.ts'
import { Page } from './page.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { QrCode } from './qr-code.tsx'
import type { ScreenProps } from './screen-props.ts'
import { TimeLeft } from './time-left.tsx'
import { Title } from './title.tsx'

/** The code for another device: to be scanned, opened, copied or typed. */
export function HandOffScreen(props: ScreenProps<StateOf<'handOff'>>) {
  const { state, context, wording, send } = props
  const { code } = context
  const { button, text } = wording
  if (state.trouble) return <HandOffTrouble {...props} />
  return (
    <main class="page hand-off">
      <div class="page-body">
        <Title screen="handOff">{headingOf(state, wording)}</Title>
        <p class="lead">{text.handOff}</p>
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
        {code !== null && <CopyButton code={code} wording={wording} />}
      </div>
    </main>
  )
}

function HandOffTrouble({ state, wording, send }: ScreenProps<StateOf<'handOff'>>) {
  const { button, linkText } = wording
  return (
    <Page
      screen="handOffTrouble"
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

function Code({ code: { code, url, expiresAt }, wording }: { code: HandOffCode; wording: Wording }) {
  const { text } = wording
  const { host, hostname, pathname } = new URL(url)
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
      {isLoopback(hostname) && <p class="muted">{text.loopbackOnly}</p>}
    </>
  )
}

/** [Note: Loopback leads nowhere] A phone that opens it asks itself. */
function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function CopyButton({ code: { url }, wording }: { code: HandOffCode; wording: Wording }) {
  const [copied, setCopied] = useState('')
  const copy = async () => {
    await navigator.clipboard?.writeText(url)
    setCopied(url)
  }
  return (
    <Button kind="quiet" onPress={copy}>
      {copied === url ? wording.button.copied : wording.button.copyLink}
    </Button>
  )
}

/** The other device has the session: what it does is told here. */
export function FollowingScreen({ state, context, wording, send }: ScreenProps<StateOf<'following'>>) {
  const { phase, number, actionsDone } = state.handOff
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
