import type { Asking } from '../wording.ts'

export const asking: Asking = {
  asker: {
    tab: '{account}: verifica del volto',
    tabAlone: 'Verifica del volto',
    ask: 'Chieda a {account}',
  },
  getReady: {
    desk: 'Si sieda di fronte a una luce, con gli occhi all’altezza della fotocamera. Circa 20 secondi, senza lampeggi.',
    moves: 'Prima resti immobile, poi si muova come mostrato. Ogni movimento apparirà al momento giusto.',
  },
  unblock: {
    chromeAndroid: 'Tocchi l’icona prima dell’indirizzo, poi Autorizzazioni, Fotocamera, Consenti.',
    firefox: 'Scelga il simbolo della fotocamera prima dell’indirizzo, tolga il blocco accanto e riprovi.',
    firefoxAndroid: 'Tocchi il lucchetto prima dell’indirizzo, poi Fotocamera, finché non dice Consentito.',
    safari: 'Apra il menu Safari, poi Impostazioni per questo sito web, Fotocamera, Consenti.',
  },
  inApp: {
    title: 'La fotocamera non si apre dentro {app}',
    text: 'Apra il menu di {app} (⋯ o ⋮) e scelga «Apri nel browser». Oppure copi il link e lo apra in Safari o Chrome.',
  },
}
