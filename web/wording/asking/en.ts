import type { AskerWording } from '../wording.ts'

export const asking: AskerWording = {
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
    light: 'Face a light',
    phone: 'Phone at eye level',
    desk: 'Camera at eye level',
    moves: 'Move when asked',
    time: 'About 10 seconds, no flashing.',
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
  surroundings: {
    noPicture: {
      title: 'This camera shows no picture',
      text: 'Open its cover, or choose another camera.',
    },
    smallPicture: {
      title: 'This camera’s picture is too small',
      text: 'Choose another camera, or open the check on another device.',
    },
    hiddenPictures: {
      title: 'This browser hides the camera’s picture',
      text: 'Allow canvas data for this page by the symbol next to the address, then reload. Or open the link in another browser.',
    },
    noWebAssembly: {
      title: 'WebAssembly is off in this browser',
      text: 'Allow it for this page in the security settings of the browser, then reload. Or open the link in another browser.',
    },
    slowNetwork: {
      title: 'The network is too slow right now',
      text: 'Move to another network or closer to this one, then try again.',
    },
  },
}
