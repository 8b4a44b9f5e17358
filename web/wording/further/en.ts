import type { FurtherTryWording } from '#web/wording/wording.ts'

export const further: FurtherTryWording = {
  furtherTry: {
    title: 'Let’s try that once more',
    text: 'The check isn’t complete yet. There can be many reasons.',
    otherWay: '{account} offers a way without a picture of your face. Taking it ends this check.',
    light: 'Find a place where even light falls on your face, with nothing bright behind you.',
    size: 'Keep your face as large as the oval, at eye level.',
    blur: 'Hold still while the ring fills, and wipe the camera.',
    steps: 'Start each movement as soon as you’re asked, and make only that one.',
  },
  tries: { one: 'You can try {n} more time.', other: 'You can try {n} more times.' },
  links: {
    takeOtherWay: 'Take the other way',
    privacy: 'How {account} uses your data',
    terms: 'Terms of {account}',
  },
}
