import { useState } from 'preact/hooks'
import type { createKiosk } from '#shared/contract/kiosk/kiosk.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { exactTime } from '#web/console/core/times.ts'
import { useDoing } from '#web/console/core/use-loaded.ts'
import { Button, Submit } from '#web/console/ui/controls.tsx'
import { Dialog } from '#web/console/ui/dialog.tsx'
import { SelectField, TextField } from '#web/console/ui/field.tsx'
import { Form } from '#web/console/ui/form.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { LoopbackNote } from '#web/console/ui/loopback-note.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { fill } from '#web/wording/fill.ts'

interface NewKioskProps {
  readonly verifications: readonly { readonly verificationId: string; readonly name: string }[]
  readonly onMade: () => void
  readonly onClose: () => void
}

type Pairing = ResultOf<typeof createKiosk>

/** Creates a kiosk and shows how to pair its device. */
export function NewKiosk({ verifications, onMade, onClose }: NewKioskProps) {
  const { words } = useConsole()
  const [pairing, setPairing] = useState<Pairing | null>(null)
  const { kiosks } = words.value
  return (
    <Dialog title={pairing === null ? kiosks.new : kiosks.pair} onClose={onClose}>
      {pairing !== null ? (
        <PairingWords pairing={pairing} onClose={onClose} />
      ) : verifications.length === 0 ? (
        <>
          <p>{kiosks.needVerification}</p>
          <Link to={{ page: 'verifications' }} class="press primary">
            {words.value.page.verifications}
          </Link>
        </>
      ) : (
        <KioskForm
          verifications={verifications}
          onClose={onClose}
          onMade={(made) => {
            setPairing(made)
            onMade()
          }}
        />
      )}
    </Dialog>
  )
}

interface KioskFormProps {
  readonly verifications: NewKioskProps['verifications']
  readonly onMade: (pairing: Pairing) => void
  readonly onClose: () => void
}

function KioskForm({ verifications, onMade, onClose }: KioskFormProps) {
  const { words, calls } = useConsole()
  const [name, setName] = useState('')
  const [locale, setLocale] = useState('')
  const [verificationId, setVerificationId] = useState(verifications[0]!.verificationId)
  const doing = useDoing()
  const { kiosks, action } = words.value
  const make = () =>
    doing.run(async () => {
      const language = locale.trim() === '' ? {} : { locale: locale.trim() }
      onMade(await calls.configuration.createKiosk({ name: name.trim(), verificationId, ...language }))
    })
  return (
    <Form onSubmit={make} problem={doing.problem}>
      <TextField label={kiosks.name} value={name} onInput={setName} maxLength={100} at="name" autoFocus />
      <SelectField
        label={kiosks.verification}
        value={verificationId}
        options={verifications.map((one) => [one.verificationId, one.name] as const)}
        onChange={setVerificationId}
        at="verificationId"
      />
      <TextField
        label={kiosks.language}
        hint={kiosks.languageHint}
        value={locale}
        onInput={setLocale}
        at="locale"
      />
      <div class="buttons">
        <Submit isBusy={doing.isBusy}>{action.create}</Submit>
        <Button onPress={onClose}>{action.cancel}</Button>
      </div>
    </Form>
  )
}

function PairingWords({ pairing, onClose }: { pairing: Pairing; onClose: () => void }) {
  const { words } = useConsole()
  const { kiosks, action, locale } = words.value
  const { pairingUrl, pairingCode, pairingExpirationUtcTime } = pairing
  return (
    <>
      <p>{fill(kiosks.pairLead, { time: exactTime(Date.parse(pairingExpirationUtcTime), locale) })}</p>
      <QrCode text={pairingUrl} label={kiosks.qr} />
      <LoopbackNote address={pairingUrl} />
      <p>
        {kiosks.code}{' '}
        <code class="big" dir="ltr">
          {pairingCode}
        </code>
      </p>
      <p>
        <code class="code" dir="ltr">
          {pairingUrl}
        </code>
      </p>
      <div class="buttons">
        <Button kind="primary" onPress={onClose}>
          {action.close}
        </Button>
      </div>
    </>
  )
}
