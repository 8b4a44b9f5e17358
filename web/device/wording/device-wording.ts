import type { FindingWords } from '#shared/browsers/device-report.ts'

/** All the words on `/check-device`. */
export interface DeviceWording {
  /** BCP 47 */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly title: Readonly<Record<'tab' | 'before' | 'measuring' | 'measured' | 'failed', string>>
  readonly text: Readonly<Record<'before' | 'measuring' | 'report', string>>
  readonly button: Readonly<Record<'withCamera' | 'withoutCamera' | 'copy' | 'copied' | 'share', string>>
  readonly findings: FindingWords
}
