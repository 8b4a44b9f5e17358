import type { Wording } from '#web/wording/wording.ts'
import type { KioskWording } from './kiosk-wording.ts'

/** Adapts the capture page's wording to a kiosk, which stands on its own and keeps pictures until they are sent. */
export function visitWords(page: Wording, { visit }: KioskWording): Wording {
  const { device, sent, sentAndKept } = page.consent
  const [light, , cover] = page.tips
  return {
    ...page,
    consent: {
      ...page.consent,
      device: { ...device, text: visit.device },
      sent: { ...sent, text: visit.sent },
      sentAndKept: { ...sentAndKept, text: visit.sentAndKept },
    },
    getReady: { ...page.getReady, phone: visit.ready, desk: visit.ready },
    action: { ...page.action, comeCloser: visit.comeCloser },
    tips: [light, visit.tip, cover],
  }
}
