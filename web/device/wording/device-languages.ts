import { firstKnownLanguage } from '#shared/languages.ts'
import type { DeviceWording } from './device-wording.ts'
import { en } from './en.ts'

/** Every language except English is loaded when it is chosen. These are the same languages as on the capture page. */
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

/** Loads the first requested language (a tag) that has a wording, falling back to English. */
export async function loadDeviceWording(wanted: readonly string[]): Promise<DeviceWording> {
  return languages[firstKnownLanguage(deviceLanguages, wanted)]!()
}
