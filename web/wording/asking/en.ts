import type { Asking } from '../wording.ts'

export const asking: Asking = {
  asker: {
    tab: '{account}: face check',
    tabAlone: 'Face check',
    ask: 'Ask {account}',
  },
  loading: {
    title: 'Loading the check',
    progress: 'Loading over your network: {loaded} of {total} MB',
    wrongFile:
      'Your network answered with something else. If it asks you to sign in, do that first. Otherwise use another network.',
  },
  getReady: {
    desk: 'Sit facing a light, your eyes level with the camera. About 20 seconds, no flashing.',
    moves: 'First hold still, then move as shown. You’ll see each movement when it’s time.',
  },
  unblock: {
    chromeAndroid: 'Tap the icon next to the address, then Permissions, then Camera, then Allow.',
    firefox: 'Choose the camera symbol next to the address, remove the block, then try again.',
    firefoxAndroid: 'Tap the lock next to the address, then Camera, until it says Allowed.',
    safari: 'Open the Safari menu, then Settings for this website, then Camera, then Allow.',
  },
  inApp: {
    title: 'The camera can’t open inside {app}',
    text: 'Open the menu of {app} (⋯ or ⋮) and choose “Open in browser”. Or copy the link and open it in Safari or Chrome.',
  },
}
