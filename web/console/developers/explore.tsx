import { useState } from 'preact/hooks'
import { showingOf } from '#shared/contract/console/console-paths.ts'
import { Problem } from '#shared/problem.ts'
import { guardedFetch } from '#web/console/core/calls.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { useDoing, useLoaded } from '#web/console/core/use-loaded.ts'
import { Submit } from '#web/console/ui/controls.tsx'
import { FieldGroup, SelectField, TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { Badge, Empty, Id, Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { fill } from '#web/wording/fill.ts'
import {
  type ApiDocument,
  addressOf,
  curlOf,
  isFor,
  matching,
  type Operation,
  operationsOf,
  type Parameter,
  readable,
} from './operations.ts'

/** Calls any API endpoint as the signed-in person. The address names the chosen endpoint. */
export function Explore() {
  const { words, navigation } = useConsole()
  const [wanted, setWanted] = useState('')
  const document = useLoaded('document', async () => {
    const answer = await fetch('/openapi.json')
    return operationsOf((await answer.json()) as ApiDocument)
  })
  const { explore, developers } = words.value
  const all = document.value ?? []
  const [, name] = navigation.address.value.parts
  const chosen = all.find((one) => one.name === name)
  const found = matching(all, wanted)
  const listed = chosen === undefined || found.includes(chosen) ? found : [chosen, ...found]
  const choose = (next: string) => navigation.go({ page: 'developers', parts: ['explore', next] })
  return (
    <Section title={developers.tabs.explore}>
      <p class="small">
        {explore.lead} <a href="/swagger">{explore.document}</a>
      </p>
      <ProblemNote problem={document.problem} onRetry={document.reload} />
      <div class="filters">
        <div class="fields">
          <TextField label={explore.find} value={wanted} onInput={setWanted} type="search" />
          <SelectField
            label={explore.endpoint}
            value={chosen?.name ?? ''}
            options={[
              ['', '—'] as const,
              ...listed.map((one) => [one.name, `${one.method} ${one.path}`] as const),
            ]}
            onChange={(next) => next !== '' && choose(next)}
          />
        </div>
      </div>
      {document.value !== undefined && listed.length === 0 && <Empty title={explore.none} advice="" />}
      {chosen !== undefined && <Calling key={chosen.name} operation={chosen} />}
    </Section>
  )
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly requestId: string
  readonly milliseconds: number
}

/** Sends a call the same way as the console's own calls. */
function useCalling(operation: Operation) {
  const { words, membership } = useConsole()
  const showing = showingOf(useMe())
  const [answer, setAnswer] = useState<Answer>()
  const doing = useDoing()
  const call = (query: Readonly<Record<string, string>>, body: string | undefined) =>
    doing.run(async () => {
      if (body !== undefined && !isWhole(body)) throw Problem.at('#/body', words.value.explore.notJson)
      const send = guardedFetch((address, init) => fetch(address, init), membership.gate, showing)
      const began = performance.now()
      const answered = await send(addressOf(operation, query), {
        method: operation.method,
        headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      })
      const text = readable(await answered.text())
      const requestId = answered.headers.get('X-Request-Id') ?? ''
      setAnswer({ status: answered.status, text, requestId, milliseconds: performance.now() - began })
    })
  return { answer, call, doing }
}

function Calling({ operation }: { operation: Operation }) {
  const { words } = useConsole()
  const { role } = useMe()
  const [query, setQuery] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState(() => JSON.stringify(operation.example ?? {}, null, 2))
  const { answer, call, doing } = useCalling(operation)
  const { explore } = words.value
  const hasBody = operation.example !== undefined
  const isJson = !hasBody || isWhole(body)
  const send = () => call(query, hasBody ? body : undefined)
  if (!isFor(role, operation)) return <p class="note">{explore.notYours}</p>
  return (
    <>
      <What operation={operation} />
      <Form onSubmit={send} problem={doing.problem} label={operation.name}>
        {operation.query.length > 0 && (
          <FieldGroup legend={explore.query}>
            {operation.query.map((parameter) => (
              <QueryField
                key={parameter.name}
                parameter={parameter}
                value={query[parameter.name] ?? ''}
                onInput={(value) => setQuery({ ...query, [parameter.name]: value })}
              />
            ))}
          </FieldGroup>
        )}
        {hasBody && (
          <TextField
            label={explore.body}
            hint={explore.bodyHint}
            error={isJson ? undefined : explore.notJson}
            value={body}
            onInput={setBody}
            at="body"
            lines={12}
            isCode
          />
        )}
        <div class="buttons">
          <Submit isBusy={doing.isBusy}>{explore.send}</Submit>
        </div>
      </Form>
      {answer !== undefined && <Answered answer={answer} />}
      <details class="raw">
        <summary>{explore.curl}</summary>
        <textarea
          class="code"
          dir="ltr"
          readOnly
          rows={8}
          aria-label={explore.curl}
          value={curlOf(location.origin, operation, query, hasBody ? body : undefined)}
        />
      </details>
    </>
  )
}

function What({ operation: { method, path, summary } }: { operation: Operation }) {
  return (
    <p lang="en" dir="ltr">
      <code>
        {method} {path}
      </code>{' '}
      {summary}
    </p>
  )
}

interface QueryFieldProps {
  readonly parameter: Parameter
  readonly value: string
  readonly onInput: (value: string) => void
}

function QueryField({ parameter, value, onInput }: QueryFieldProps) {
  const { words } = useConsole()
  const { name, description, isRequired, choices } = parameter
  const hint = isRequired ? `${words.value.explore.required} ${description}` : description
  if (choices.length === 0) return <TextField label={name} hint={hint} value={value} onInput={onInput} />
  const options = ['', ...choices].map((choice) => [choice, choice] as const)
  return <SelectField label={name} hint={hint} value={value} options={options} onChange={onInput} />
}

function Answered({ answer: { status, text, requestId, milliseconds } }: { answer: Answer }) {
  const { words } = useConsole()
  const { explore } = words.value
  return (
    <section aria-label={explore.answer}>
      <p role="status">
        <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge>{' '}
        {fill(explore.took, { n: Math.round(milliseconds) })} · {explore.id} <Id value={requestId} isShort />
      </p>
      <textarea class="code" dir="ltr" readOnly rows={16} aria-label={explore.answer} value={text} />
    </section>
  )
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
