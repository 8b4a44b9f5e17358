import { signal } from '@preact/signals'
import { render } from 'preact'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import type { KioskState } from '#web/kiosk/core/state.ts'
import { KioskApp } from '#web/kiosk/screens/kiosk-app.tsx'
import type { KioskView } from '#web/kiosk/screens/kiosk-props.ts'
import { openLanguage } from '#web/kiosk/wording/language.ts'
import { createSpeech } from '#web/ui/speech.ts'

/** Shows a kiosk screen without a running kiosk core. */
export async function showKiosk(
  state: KioskState,
  capturePlan: CapturePlan,
  locale: string | null,
  root: HTMLElement,
): Promise<void> {
  const { words, choose } = await openLanguage(() => [locale])
  const flow = {
    situation: signal({ state, context: { status: { kind: 'ready' as const }, hasPin: true } }),
    visit: signal(null),
    send: () => {},
  }
  const cameras = {
    chosen: () => 'front',
    choose: () => {},
    list: async () => [
      { deviceId: 'front', label: 'Integrated Webcam HD (0c45:6730)' },
      { deviceId: 'other', label: '' },
    ],
  }
  const given = { flow, words, cameras, kiosk: kioskOf(capturePlan), chooseLanguage: choose }
  render(<KioskApp {...given} speech={createSpeech()} />, root)
}

/** The state of a kiosk that has been offline for half a day. */
function kioskOf(capturePlan: CapturePlan): KioskView {
  const at = Date.now() - 3_600_000
  return {
    name: signal('Reception, north door'),
    settings: signal({ locale: null, capturePlan }),
    queue: signal({ waiting: 3, setAside: 1, lastSentAt: at, sending: false }),
    storage: signal({ usedBytes: 41_700_000, quotaBytes: 12_400_000_000, isPersisted: true }),
    drift: signal({ offsetInSeconds: -420, isFlagged: true }),
    errors: signal([
      { at, kind: 'captureRefused', code: 'capture_refused' },
      { at: at - 60_000, kind: 'clockDrift', code: null },
      { at: at - 3_600_000, kind: 'unreachable', code: null },
    ]),
    online: signal(false),
  }
}
