import type { ComponentProps } from 'preact'
import { useState } from 'preact/hooks'
import { type PageLanguage, pageLanguages } from '#shared/contract/configuration/words-by-language.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useCopying } from '#web/console/core/copying.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button, Submit } from '#web/console/ui/controls.tsx'
import { Dialog } from '#web/console/ui/dialog.tsx'
import { CheckField, SelectField, TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { lazily } from '#web/console/ui/lazy.tsx'
import { LoopbackNote } from '#web/console/ui/loopback-note.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { type Config, memberAt } from './config-form.ts'
import { linkQuery } from './link-query.ts'
import type { SendLink as Sending } from './send-link.tsx'

/** Loaded along with the first link, because it contains the message in twelve languages. */
const SendLink = lazily<ComponentProps<typeof Sending>>(
  async () => (await import('./send-link.tsx')).SendLink,
)

const lifetimes = { minutes15: 900, hour: 3600, day: 86_400, week: 604_800 } as const
type Lifetime = keyof typeof lifetimes

interface LinkDialogProps {
  readonly verificationId: string
  readonly config: Config
  readonly onClose: () => void
}

/** Creates a link for one visit that can be copied, scanned or opened. Explains why if a link alone cannot start this check. */
export function LinkDialog(props: LinkDialogProps) {
  const { words } = useConsole()
  const { link, action } = words.value
  const type = memberAt(props.config, 'verifierConfigs.reference.type') ?? 'Disabled'
  if (type === 'Disabled') return <LinkMaking {...props} />
  return (
    <Dialog title={link.title} onClose={props.onClose}>
      <p>{link.needsReference}</p>
      <div class="buttons">
        <Button onPress={props.onClose}>{action.close}</Button>
      </div>
    </Dialog>
  )
}

function LinkMaking({ verificationId, onClose }: LinkDialogProps) {
  const { words, calls } = useConsole()
  const [externalId, setExternalId] = useState('')
  const [correlationId, setCorrelationId] = useState('')
  const [isOnce, setOnce] = useState(true)
  const [lifetime, setLifetime] = useState<Lifetime>('hour')
  const [locale, setLocale] = useState<PageLanguage | ''>('')
  const [made, setMade] = useState<MadeLink | null>(null)
  const doing = useDoing()
  const { link, action, locale: own } = words.value
  const make = () =>
    doing.run(async () => {
      const { signedQueryString } = await calls.configuration.createSignature({
        queryString: linkQuery(verificationId, { externalId, correlationId, locale }),
        securitySettings: { enableNonce: isOnce, expirationInSeconds: lifetimes[lifetime] },
      })
      const address = `${location.origin}/verification/${encodeURIComponent(verificationId)}?${signedQueryString}`
      setMade({ address, until: Date.now() + lifetimes[lifetime] * 1000, language: locale || own })
    })
  return (
    <Dialog title={made === null ? link.title : link.ready} onClose={onClose}>
      {made !== null ? (
        <Made {...made} onAnother={() => setMade(null)} onClose={onClose} />
      ) : (
        <Form onSubmit={make} problem={doing.problem}>
          <TextField
            label={link.externalId}
            hint={link.externalHint}
            value={externalId}
            onInput={setExternalId}
          />
          <TextField label={link.correlationId} value={correlationId} onInput={setCorrelationId} />
          <SelectField
            label={link.expires}
            value={lifetime}
            options={(Object.keys(lifetimes) as Lifetime[]).map((one) => [one, link[one]] as const)}
            onChange={setLifetime}
          />
          <LanguageField value={locale} onChange={setLocale} />
          <CheckField label={link.once} checked={isOnce} onChange={setOnce} />
          <div class="buttons">
            <Submit isBusy={doing.isBusy}>{link.make}</Submit>
            <Button onPress={onClose}>{action.cancel}</Button>
          </div>
        </Form>
      )}
    </Dialog>
  )
}

/** The language for the page and for the message that goes with the link. */
function LanguageField({
  value,
  onChange,
}: {
  value: PageLanguage | ''
  onChange: (value: PageLanguage | '') => void
}) {
  const { words } = useConsole()
  const { send, locale } = words.value
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const options = pageLanguages.map((one) => [one, names.of(one) ?? one] as const)
  return (
    <SelectField
      label={send.language}
      value={value}
      options={[['', send.anyLanguage], ...options]}
      onChange={onChange}
    />
  )
}

/** A new link, with its expiry in milliseconds since 1970 and the language of its message. */
interface MadeLink {
  readonly address: string
  readonly until: number
  readonly language: string
}

interface MadeProps extends MadeLink {
  readonly onAnother: () => void
  readonly onClose: () => void
}

function Made({ address, until, language, onAnother, onClose }: MadeProps) {
  const { words } = useConsole()
  const { link, action } = words.value
  const copy = useCopying()
  return (
    <>
      <QrCode text={address} label={link.qr} />
      <LoopbackNote address={address} />
      <textarea class="code" dir="ltr" readOnly rows={4} aria-label={link.ready} value={address} />
      <SendLink address={address} until={until} language={language as PageLanguage} />
      <div class="buttons">
        <Button kind="primary" onPress={() => copy(address)}>
          {action.copy}
        </Button>
        <a class="press plain" href={address} target="_blank" rel="noreferrer">
          {link.openIt}
        </a>
        <Button onPress={onAnother}>{link.another}</Button>
        <Button onPress={onClose}>{action.close}</Button>
      </div>
    </>
  )
}
