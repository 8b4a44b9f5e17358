import type { KioskState } from '#web/kiosk/core/state.ts'
import { AttractScreen } from './attract-screen.tsx'
import type { KioskProps } from './kiosk-props.ts'
import { CameraScreen, ErrorsScreen, QueueScreen, StorageScreen } from './section-screens.tsx'
import { InstallingScreen, NewPinScreen, PairingScreen, StandingByScreen } from './setting-up-screens.tsx'
import { MenuScreen, PinScreen, UnpairScreen } from './staff-screens.tsx'
import { AnswerScreen, ClosedScreen, StillThereScreen } from './visiting-screens.tsx'

/** The screen of a state: the kiosk's table of contents. A visit has the capture page's own. */
export function KioskScreen(props: KioskProps<Exclude<KioskState, { readonly name: 'visit' }>>) {
  const { state, ...given } = props
  switch (state.name) {
    case 'starting':
    case 'elsewhere':
      return <StandingByScreen state={state} {...given} />
    case 'pairing':
      return <PairingScreen state={state} {...given} />
    case 'newPin':
      return <NewPinScreen state={state} {...given} />
    case 'installing':
      return <InstallingScreen state={state} {...given} />
    case 'attract':
      return <AttractScreen state={state} {...given} />
    case 'closed':
      return <ClosedScreen state={state} {...given} />
    case 'stillThere':
      return <StillThereScreen state={state} {...given} />
    case 'answer':
      return <AnswerScreen state={state} {...given} />
    case 'pin':
      return <PinScreen state={state} {...given} />
    case 'menu':
      return <MenuScreen state={state} {...given} />
    case 'queue':
      return <QueueScreen state={state} {...given} />
    case 'storage':
      return <StorageScreen state={state} {...given} />
    case 'errors':
      return <ErrorsScreen state={state} {...given} />
    case 'camera':
      return <CameraScreen state={state} {...given} />
    case 'unpair':
      return <UnpairScreen state={state} {...given} />
  }
}
