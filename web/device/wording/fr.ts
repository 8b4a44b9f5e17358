import type { DeviceWording } from './device-wording.ts'

/** French. */
export const fr: DeviceWording = {
  locale: 'fr',
  direction: 'ltr',
  title: {
    tab: 'Cet appareil',
    before: 'De quoi cet appareil est-il capable ?',
    measuring: 'Mesure en cours',
    measured: 'Ce dont cet appareil est capable',
    failed: 'La mesure n’a pas pu être faite',
  },
  text: {
    before:
      'Cette page mesure si ce navigateur peut effectuer la vérification, et à quelle vitesse. Les images restent sur cet appareil et sont supprimées. Rien n’est envoyé : vous obtenez un rapport que vous pouvez copier.',
    measuring: 'Cela prend jusqu’à une demi-minute. Rien n’est envoyé.',
    report: 'Le rapport ne contient ni image ni nom de la caméra ; il indique de quel navigateur il s’agit :',
  },
  button: {
    withCamera: 'Mesurer avec la caméra',
    withoutCamera: 'Mesurer sans la caméra',
    copy: 'Copier le rapport',
    copied: 'Copié',
    share: 'Partager le rapport',
  },
  findings: {
    locale: 'fr',
    question: {
      check: 'Peut effectuer la vérification',
      camera: 'Caméra',
      speed: 'Vitesse',
      memory: 'Mémoire',
      storage: 'Stockage',
      passkeys: 'Clés d’accès sur cet appareil',
      screen: 'Garde l’écran allumé',
    },
    answer: {
      yes: 'oui',
      no: 'non',
      refused: 'refusé',
      notReported: 'non indiqué',
      notKnown: 'inconnu',
      notAsked: 'non demandé',
      notMeasured: 'non mesuré',
      roomUnknown: 'espace non indiqué',
      kept: 'conservé',
      mayBeCleared: 'peut être effacé',
    },
    lacks: (what) => `non, il manque : ${what}`,
    noPicture: (problem) => `pas d’image (${problem})`,
    size: (width, height) => `${width} × ${height}`,
    rate: (pictures) => `${pictures} images par seconde`,
    speed: (seconds, milliseconds, picture) =>
      `première réponse après ${seconds} s, puis ${milliseconds} ms par image (${picture === 'camera' ? 'de la caméra' : 'image dessinée'})`,
    gigabytes: (count) => `environ ${count} Go`,
    room: (megabytes) => `espace pour ${megabytes} Mo`,
  },
}
