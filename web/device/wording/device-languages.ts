import { firstKnownLanguage } from '#shared/languages.ts'
import type { DeviceWording } from './device-wording.ts'
import { en } from './en.ts'

/** Every language but English is loaded when it is chosen: those of the check. */
const languages: Readonly<Record<string, () => Promise<DeviceWording>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  ar: async () => (await import('./ar.ts')).ar,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  hi: async () => (await import('./hi.ts')).hi,
  it: async () => (await import('./it.ts')).it,
  ja: async () => (await import('./ja.ts')).ja,
  nl: async () => (await import('./nl.ts')).nl,
  pl: async () => (await import('./pl.ts')).pl,
  pt: async () => (await import('./pt.ts')).pt,
  zh: async () => (await import('./zh.ts')).zh,
}

/** The languages of the page that measures a device. */
export const deviceLanguages: readonly string[] = Object.keys(languages)

/** The words of the first wanted language (tags) that there are words for; English otherwise. */
export async function loadDeviceWording(wanted: readonly string[]): Promise<DeviceWording> {
  return languages[firstKnownLanguage(deviceLanguages, wanted)]!()
}
