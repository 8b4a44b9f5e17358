import type { ComponentType } from 'preact'
import type { KioskStateName, KioskStateOf } from '#web/kiosk/core/state.ts'
import { AttractScreen } from './attract-screen.tsx'
import type { KioskProps } from './kiosk-props.ts'
import { CameraScreen, ErrorsScreen, QueueScreen, StorageScreen } from './section-screens.tsx'
import { InstallingScreen, NewPinScreen, PairingScreen, StandingByScreen } from './setting-up-screens.tsx'
import { MenuScreen, PinScreen, UnpairScreen } from './staff-screens.tsx'
import { AnswerScreen, ClosedScreen, StillThereScreen } from './visiting-screens.tsx'

type OwnName = Exclude<KioskStateName, 'visit'>

/** The component for each kiosk screen. A visit uses the capture page's components. */
const screens: { readonly [N in OwnName]: ComponentType<KioskProps<KioskStateOf<N>>> } = {
  starting: StandingByScreen,
  elsewhere: StandingByScreen,
  pairing: PairingScreen,
  newPin: NewPinScreen,
  installing: InstallingScreen,
  attract: AttractScreen,
  closed: ClosedScreen,
  stillThere: StillThereScreen,
  answer: AnswerScreen,
  pin: PinScreen,
  menu: MenuScreen,
  queue: QueueScreen,
  storage: StorageScreen,
  errors: ErrorsScreen,
  camera: CameraScreen,
  unpair: UnpairScreen,
}

export function KioskScreen(props: KioskProps<KioskStateOf<OwnName>>) {
  const Current = screens[props.state.name] as ComponentType<KioskProps>
  return <Current {...props} />
}
