import { useState } from 'preact/hooks'
import { type DeviceFacts, findingsOf } from '#shared/browsers/device-report.ts'
import { Button } from '#web/ui/button.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import { Mark } from '#web/ui/mark.tsx'
import { Page } from '#web/ui/page.tsx'

interface DevicePageProps {
  /** Measures; `useCamera` asks the person for it. */
  readonly measure: (useCamera: boolean) => Promise<DeviceFacts>
}

type Stage = 'before' | 'measuring' | 'failed' | DeviceFacts

/** [Note: English alone] This page is for whoever integrates, operates or tests; no visitor is sent here. */
export function DevicePage({ measure }: DevicePageProps) {
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
      {typeof stage === 'object' ? <Report facts={stage} /> : <Before stage={stage} run={run} />}
    </div>
  )
}

function Before({ stage, run }: { stage: Extract<Stage, string>; run: (useCamera: boolean) => void }) {
  if (stage === 'measuring') {
    return (
      <Page screen="measuring" icon="clock" tone="busy" title="Measuring">
        <p class="lead">This takes up to half a minute. Nothing is sent.</p>
      </Page>
    )
  }
  return (
    <Page
      screen={stage}
      icon="camera"
      title={stage === 'failed' ? 'This could not be measured' : 'What can this device do?'}
      actions={
        <>
          <Button kind="primary" onPress={() => run(true)}>
            Measure with the camera
          </Button>
          <Button onPress={() => run(false)}>Measure without it</Button>
        </>
      }
    >
      <p class="lead">
        This page measures whether and how fast this browser can do the check. Pictures stay on this device
        and are thrown away. Nothing is sent: you get a report that you may copy.
      </p>
    </Page>
  )
}

function Report({ facts }: { facts: DeviceFacts }) {
  const [isCopied, setCopied] = useState(false)
  const text = JSON.stringify(facts, null, 1)
  return (
    <Page
      screen="measured"
      icon="tick"
      title="What this device can do"
      actions={
        <>
          <Button kind="primary" onPress={async () => setCopied(await copyText(text))}>
            {isCopied ? 'Copied' : 'Copy report'}
          </Button>
          {'share' in navigator && (
            <Button onPress={() => void navigator.share({ text }).catch(() => {})}>Share report</Button>
          )}
        </>
      }
    >
      <dl class="facts by-hand">
        {findingsOf(facts).map(([question, found]) => (
          <div key={question} class="fact">
            <dt>{question}</dt>
            <dd>{found}</dd>
          </div>
        ))}
      </dl>
      <label class="copied-by-hand">
        <span class="muted">
          The report has no picture, no name of the camera, and says which browser this is:
        </span>
        <textarea class="report" readOnly dir="ltr" rows={6} value={text} />
      </label>
    </Page>
  )
}
