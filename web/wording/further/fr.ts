import type { FurtherTryWording } from '#web/wording/wording.ts'

export const further: FurtherTryWording = {
  furtherTry: {
    title: 'Essayons encore une fois',
    text: 'La vérification n’est pas encore terminée. Les raisons peuvent être multiples.',
    otherWay:
      '{account} propose une façon de procéder sans image de votre visage. La choisir met fin à cette vérification.',
    light:
      'Trouvez un endroit où la lumière éclaire uniformément votre visage, sans rien de lumineux derrière vous.',
    size: 'Gardez votre visage aussi grand que l’ovale, à hauteur des yeux.',
    blur: 'Ne bougez pas pendant que l’anneau se remplit, et essuyez la caméra.',
    steps: 'Commencez chaque mouvement dès qu’il vous est demandé, et ne faites que celui-là.',
  },
  tries: {
    one: 'Vous pouvez encore essayer {n} fois.',
    many: 'Vous pouvez encore essayer {n} fois.',
    other: 'Vous pouvez encore essayer {n} fois.',
  },
  links: {
    takeOtherWay: 'Choisir l’autre façon',
    privacy: 'Comment {account} utilise vos données',
    terms: 'Conditions d’utilisation de {account}',
  },
}
