import { useState } from 'preact/hooks'
import { mostVersions, type VerificationVersion } from '#shared/contract/configuration/verification.ts'
import { useConsole, useMay } from '#web/console/core/console-context.ts'
import { useLoaded } from '#web/console/core/use-loaded.ts'
import { Confirm } from '#web/console/ui/confirm.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { Badge, Maybe, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { fill } from '#web/wording/fill.ts'
import { checkedSentence } from './checked-sentence.ts'
import { type ConfigChange, changesBetween } from './config-changes.ts'
import { printConfig } from './config-form.ts'

interface VersionsSectionProps {
  readonly id: string
  /** When the current version was saved. A new version reloads the list. */
  readonly lastModified: string
  readonly onRestored: () => void
}

/** The verification's versions, with their authors, changes and times. Each one can be restored. */
export function VersionsSection({ id, lastModified, onRestored }: VersionsSectionProps) {
  const { words, calls } = useConsole()
  const [asked, setAsked] = useState<VerificationVersion | null>(null)
  const found = useLoaded(`${id} ${lastModified}`, () =>
    calls.configuration.getVerificationVersions({ verificationId: id }),
  )
  const { versions } = words.value
  const all = found.last?.versions ?? []
  return (
    <Section title={versions.title}>
      <p class="small">{fill(versions.lead, { n: mostVersions })}</p>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <ol class="timeline" aria-busy={found.isLoading}>
        {all.map((one, i) => (
          <Version
            key={one.version}
            version={one}
            before={all[i + 1]}
            isLatest={i === 0}
            onBack={() => setAsked(one)}
          />
        ))}
      </ol>
      {asked !== null && (
        <Restoring id={id} version={asked} onRestored={onRestored} onClose={() => setAsked(null)} />
      )}
    </Section>
  )
}

interface VersionProps {
  readonly version: VerificationVersion
  /** The preceding version; absent for the oldest stored one. */
  readonly before: VerificationVersion | undefined
  readonly isLatest: boolean
  readonly onBack: () => void
}

function Version({ version: one, before, isLatest, onBack }: VersionProps) {
  const { words } = useConsole()
  const may = useMay()
  const { versions } = words.value
  const number = fill(versions.version, { n: one.version })
  return (
    <li class={isLatest ? 'good' : undefined}>
      <div class="buttons">
        <strong>{number}</strong>
        {isLatest && <Badge tone="good">{versions.inForce}</Badge>}
        {!isLatest && may('updateVerification') && (
          <Button kind="quiet" label={`${versions.back}: ${number}`} onPress={onBack}>
            {versions.back}
          </Button>
        )}
      </div>
      <span class="when">
        <Time at={one.time} /> · <Maybe value={one.by} />
      </span>
      <p>{checkedSentence(one.verificationConfig, words.value)}</p>
      {before === undefined ? <p class="small">{versions.first}</p> : <Changes before={before} after={one} />}
      <details class="raw">
        <summary>{`JSON · ${number}`}</summary>
        <pre dir="ltr">{printConfig(one.verificationConfig)}</pre>
      </details>
    </li>
  )
}

function Changes({ before, after }: { before: VerificationVersion; after: VerificationVersion }) {
  const { words } = useConsole()
  const { versions, verifications } = words.value
  const renamed: readonly ConfigChange[] =
    before.name === after.name ? [] : [{ path: verifications.name, before: before.name, after: after.name }]
  const changes = [...renamed, ...changesBetween(before.verificationConfig, after.verificationConfig)]
  return (
    <ul class="changes">
      {changes.map(({ path, before: was, after: is }) => (
        <li key={path}>
          <code dir="ltr">{path}</code>{' '}
          {was !== null && (
            <del>
              <span class="heard">{versions.was} </span>
              <bdi>{was}</bdi>
            </del>
          )}{' '}
          {is !== null && (
            <ins>
              <span class="heard">{versions.is} </span>
              <bdi>{is}</bdi>
            </ins>
          )}
        </li>
      ))}
    </ul>
  )
}

interface RestoringProps {
  readonly id: string
  readonly version: VerificationVersion
  readonly onRestored: () => void
  readonly onClose: () => void
}

/** Restores a version by saving it again. The versions in between stay in the list. */
function Restoring({ id, version: { version, verificationConfig }, onRestored, onClose }: RestoringProps) {
  const { words, calls, tell } = useConsole()
  const { versions, feedback } = words.value
  return (
    <Confirm
      title={fill(versions.backAsk, { n: version })}
      verb={versions.back}
      onClose={onClose}
      onConfirm={async () => {
        await calls.configuration.updateVerification({ verificationId: id, verificationConfig })
        tell(feedback.saved)
        onRestored()
      }}
    >
      <p>{versions.backLead}</p>
      <p class="sentence">{checkedSentence(verificationConfig, words.value)}</p>
    </Confirm>
  )
}
