import type { CameraChoice } from '#web/kiosk/core/camera-choice.ts'
import type { Kiosk } from '#web/kiosk/core/kiosk.ts'
import type { KioskEvent, KioskState } from '#web/kiosk/core/state.ts'
import type { KioskWords } from '#web/kiosk/wording/kiosk-wording.ts'

/** The part of the core that screens read. They never call commands. */
export type KioskView = Pick<Kiosk, 'name' | 'settings' | 'queue' | 'storage' | 'drift' | 'errors' | 'online'>

/** The props that every kiosk screen receives. */
export interface KioskProps<S extends KioskState = KioskState> {
  readonly state: S
  readonly words: KioskWords
  readonly kiosk: KioskView
  readonly send: (event: KioskEvent) => void
  readonly chooseLanguage: (locale: string) => void
  readonly cameras: CameraChoice
}
