import type { Asking } from '../wording.ts'

export const asking: Asking = {
  asker: {
    tab: '{account} : vérification du visage',
    tabAlone: 'Vérification du visage',
    ask: 'Demander à {account}',
  },
  getReady: {
    desk: 'Asseyez-vous face à une lumière, les yeux à hauteur de la caméra. Environ 20 secondes, sans clignotement.',
    moves: 'Restez d’abord immobile, puis bougez comme indiqué. Chaque mouvement s’affiche le moment venu.',
  },
  unblock: {
    chromeAndroid: 'Touchez l’icône avant l’adresse, puis Autorisations, puis Caméra, puis Autoriser.',
    firefox: 'Choisissez le symbole de caméra avant l’adresse, retirez le blocage à côté, puis réessayez.',
    firefoxAndroid: 'Touchez le cadenas avant l’adresse, puis Caméra, jusqu’à lire Autorisé.',
    safari: 'Ouvrez le menu Safari, puis Réglages pour ce site web, puis Caméra, puis Autoriser.',
  },
  inApp: {
    title: 'La caméra ne peut pas s’ouvrir dans {app}',
    text: 'Ouvrez le menu de {app} (⋯ ou ⋮) et choisissez « Ouvrir dans le navigateur ». Ou copiez le lien et ouvrez-le dans Safari ou Chrome.',
  },
}
