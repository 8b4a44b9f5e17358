import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import type { SessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { duration } from '#web/console/core/times.ts'
import { Link } from '#web/console/ui/link.tsx'
import { Badge, Fact, Facts, Id, Maybe, Section } from '#web/console/ui/pieces.tsx'
import { fill } from '#web/wording/fill.ts'
import type { OneSession } from './one-session.ts'
import { secondsOf } from './sorting.ts'

const tones = { Pass: 'good', Fail: 'bad', NotExecuted: 'plain' } as const

type Outcome = keyof typeof tones

/** [Note: No rule, no verdict] A value that is only calculated cannot pass a rule, so it never gets a positive badge. */
function CheckBadge({ outcome, isRule }: { outcome: Outcome; isRule: boolean }) {
  const { words } = useConsole()
  const { check } = words.value
  if (outcome === 'Pass' && !isRule) return <Badge tone="plain">{check.calculated}</Badge>
  return <Badge tone={tones[outcome]}>{check[outcome]}</Badge>
}

/** The results of the checks. */
export function Checks({ result, asked }: { result: SessionResult; asked: SessionTimeline['asked'] }) {
  const { words } = useConsole()
  const { session, assurance, assuranceMeans, reason } = words.value
  const row = (name: string, what: keyof SessionTimeline['asked'], outcome: Outcome, found?: string) => (
    <Fact name={name}>
      <CheckBadge outcome={outcome} isRule={asked[what] !== 'CalculationOnly'} />
      {found !== undefined && <span>{found}</span>}
    </Fact>
  )
  const { estimatedAge } = result
  const age =
    estimatedAge === undefined ? undefined : fill(session.estimatedAge, { n: Math.round(estimatedAge) })
  const { referenceSimilarity: n } = result
  const similarity = n === null ? undefined : fill(session.similarity, { n })
  return (
    <Section title={session.checks}>
      <Facts>
        {row(session.liveness, 'liveness', result.livenessVerificationResult)}
        {row(session.age, 'age', result.ageVerificationResult, age)}
        {row(session.face, 'faceRecognition', result.faceRecognitionResult)}
        {row(session.reference, 'reference', result.referenceResult, similarity)}
        {row(session.gender, 'gender', result.genderVerificationResult, result.estimatedGender)}
        <Fact name={words.value.sessions.assurance}>
          <strong>{assurance[result.assurance]}</strong> <span>{assuranceMeans[result.assurance]}</span>
        </Fact>
        {result.passkeys.map(({ use, attestation, unattestedBecause: why }) => (
          <Fact key={use} name={session.passkey[use]}>
            {attestation !== null && fill(session.attested, { format: attestation.format })}
            {why !== null && session.unattested[why]}
          </Fact>
        ))}
        <Fact name={session.faces}>{result.totalFaceCount}</Fact>
        {result.wouldFail.length > 0 && (
          <Fact name={session.wouldFail}>{result.wouldFail.map((one) => reason[one]).join(' · ')}</Fact>
        )}
      </Facts>
    </Section>
  )
}

/** Similar earlier sessions, suspicious devices, and signs that the pictures did not come from a camera. */
export function Resemblances({ result }: { result: SessionResult }) {
  const { words } = useConsole()
  const { session } = words.value
  if (result.findings.length === 0 && result.injectionHints.length === 0) return null
  return (
    <Section title={session.findings}>
      <ul class="plain-list">
        {result.findings.map(({ kind, verificationSessionId }) => (
          <li key={kind + verificationSessionId}>
            <Badge tone="warn">{session.finding[kind]}</Badge>{' '}
            {verificationSessionId !== result.verificationSessionId && (
              <Link to={{ page: 'sessions', parts: [verificationSessionId] }}>
                <code dir="ltr">{verificationSessionId.slice(0, 8)}</code>
              </Link>
            )}
          </li>
        ))}
        {result.denied !== undefined && (
          <li>
            <Badge tone="bad">{words.value.face.match}</Badge>{' '}
            <Link to={{ page: 'collections', parts: [result.denied.collectionId] }}>
              <bdi>{result.denied.externalId ?? result.denied.faceId}</bdi>
            </Link>
          </li>
        )}
        {result.injectionHints.map((hint) => (
          <li key={hint}>
            <Badge tone="warn">{session.hints}</Badge> {session.hint[hint]}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Other details: ids, tries, duration and link parameters. */
export function Details({ one: { listed, result } }: { one: OneSession }) {
  const { words } = useConsole()
  const { session, sessions, environment, source, locale } = words.value
  const parameters = Object.entries(result?.customInputParameters ?? {})
  const seconds = listed === undefined ? null : secondsOf(listed)
  const took = seconds === null ? null : duration(seconds, locale)
  return (
    <Section title={session.details}>
      <Facts>
        {listed !== undefined && (
          <>
            <Fact name={sessions.person}>
              <Maybe value={listed.externalId} />
            </Fact>
            <Fact name={sessions.correlation}>
              <Maybe value={listed.correlationId} />
            </Fact>
            <Fact name={sessions.verification}>
              {listed.verificationId === null ? (
                sessions.noVerification
              ) : (
                <Link to={{ page: 'verifications', parts: [listed.verificationId] }}>
                  <bdi>{listed.verificationName ?? listed.verificationId}</bdi>
                </Link>
              )}
            </Fact>
            <Fact name={sessions.source}>{source[listed.source]}</Fact>
            <Fact name={words.value.shell.environment}>{environment[listed.environment]}</Fact>
            <Fact name={session.tries}>{listed.tries}</Fact>
            <Fact name={session.took}>
              <Maybe value={took} />
            </Fact>
          </>
        )}
        {result !== undefined && (
          <>
            {result.faceId !== undefined && (
              <Fact name={session.faceId}>
                <Id value={result.faceId} />
              </Fact>
            )}
            <Fact name={session.policy}>
              <bdi>{result.policyVersion}</bdi>
            </Fact>
            <Fact name={session.resultId}>
              <Id value={result.resultId} />
            </Fact>
          </>
        )}
        {parameters.map(([name, value]) => (
          <Fact key={name} name={name}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}
