import { useState } from 'preact/hooks'
import { type DeviceFacts, findingsOf } from '#shared/browsers/device-report.ts'
import { Button } from '#web/ui/button.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import { Mark } from '#web/ui/mark.tsx'
import { Page } from '#web/ui/page.tsx'
import type { DeviceWording } from './wording/device-wording.ts'

interface DevicePageProps {
  readonly words: DeviceWording
  /** Takes the measurements. With `useCamera`, the browser asks the person for permission. */
  readonly measure: (useCamera: boolean) => Promise<DeviceFacts>
}

type Stage = 'before' | 'measuring' | 'failed' | DeviceFacts

/** Shows what a device can do to integrators, operators, testers and people whom support sends here. */
export function DevicePage({ words, measure }: DevicePageProps) {
  const [stage, setStage] = useState<Stage>('before')
  const run = (useCamera: boolean) => {
    setStage('measuring')
    measure(useCamera).then(setStage, () => setStage('failed'))
  }
  return (
    <div class="shell" data-state={typeof stage === 'string' ? stage : 'measured'}>
      <header class="header">
        <Mark plan={null} />
      </header>
      {typeof stage === 'object' ? (
        <Report words={words} facts={stage} />
      ) : (
        <Before words={words} stage={stage} run={run} />
      )}
    </div>
  )
}

interface BeforeProps {
  readonly words: DeviceWording
  readonly stage: Extract<Stage, string>
  readonly run: (useCamera: boolean) => void
}

function Before({ words: { title, text, button }, stage, run }: BeforeProps) {
  if (stage === 'measuring') {
    return (
      <Page screen="measuring" icon="clock" tone="busy" title={title.measuring}>
        <p class="lead">{text.measuring}</p>
      </Page>
    )
  }
  return (
    <Page
      screen={stage}
      icon="camera"
      title={stage === 'failed' ? title.failed : title.before}
      actions={
        <>
          <Button kind="primary" onPress={() => run(true)}>
            {button.withCamera}
          </Button>
          <Button onPress={() => run(false)}>{button.withoutCamera}</Button>
        </>
      }
    >
      <p class="lead">{text.before}</p>
    </Page>
  )
}

function Report({ words, facts }: { words: DeviceWording; facts: DeviceFacts }) {
  const { title, button } = words
  const [isCopied, setCopied] = useState(false)
  const text = JSON.stringify(facts, null, 1)
  return (
    <Page
      screen="measured"
      icon="tick"
      title={title.measured}
      actions={
        <>
          <Button kind="primary" onPress={async () => setCopied(await copyText(text))}>
            {isCopied ? button.copied : button.copy}
          </Button>
          {'share' in navigator && (
            <Button onPress={() => void navigator.share({ text }).catch(() => {})}>{button.share}</Button>
          )}
        </>
      }
    >
      <dl class="facts by-hand">
        {findingsOf(facts, words.findings).map(([question, found]) => (
          <div key={question} class="fact">
            <dt>{question}</dt>
            <dd>{found}</dd>
          </div>
        ))}
      </dl>
      <label class="copied-by-hand">
        <span class="muted">{words.text.report}</span>
        <textarea class="report" readOnly dir="ltr" rows={6} value={text} />
      </label>
    </Page>
  )
}
