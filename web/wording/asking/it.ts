import type { AskerWording } from '../wording.ts'

export const asking: AskerWording = {
  asker: {
    tab: '{account}: verifica del volto',
    tabAlone: 'Verifica del volto',
    ask: 'Chiedi a {account}',
  },
  loading: {
    title: 'Caricamento della verifica',
    progress: 'Caricamento dalla rete: {loaded} di {total} MB',
    wrongFile:
      'La Sua rete ha risposto con qualcos’altro. Se chiede di accedere, lo faccia prima. Altrimenti usi un’altra rete.',
  },
  getReady: {
    light: 'Di fronte a una luce',
    phone: 'Telefono all’altezza degli occhi',
    desk: 'Fotocamera all’altezza degli occhi',
    moves: 'Si muova quando richiesto',
    time: 'Circa 10 secondi, senza lampeggi.',
  },
  unblock: {
    chromeAndroid: 'Tocchi l’icona accanto all’indirizzo, poi Autorizzazioni, Fotocamera, Consenti.',
    firefox: 'Scelga il simbolo della fotocamera accanto all’indirizzo, rimuova il blocco e riprovi.',
    firefoxAndroid:
      'Tocchi il lucchetto accanto all’indirizzo, poi Fotocamera, finché non compare Consentito.',
    safari: 'Apra il menu Safari, poi Impostazioni per questo sito web, Fotocamera, Consenti.',
  },
  inApp: {
    title: 'La fotocamera non può aprirsi in {app}',
    text: 'Apra il menu di {app} (⋯ o ⋮) e scelga «Apri nel browser». Oppure copi il link e lo apra in Safari o Chrome.',
  },
  surroundings: {
    noPicture: {
      title: 'Questa fotocamera non mostra immagini',
      text: 'Apra il coperchio o scelga un’altra fotocamera.',
    },
    smallPicture: {
      title: 'L’immagine di questa fotocamera è troppo piccola',
      text: 'Scelga un’altra fotocamera o apra la verifica su un altro dispositivo.',
    },
    hiddenPictures: {
      title: 'Questo browser nasconde l’immagine',
      text: 'Consenta i dati canvas a questa pagina con il simbolo accanto all’indirizzo e ricarichi. Oppure apra il link in un altro browser.',
    },
    noWebAssembly: {
      title: 'WebAssembly è disattivato',
      text: 'Lo consenta a questa pagina nelle impostazioni di sicurezza del browser e ricarichi. Oppure apra il link in un altro browser.',
    },
    slowNetwork: {
      title: 'La rete ora è troppo lenta',
      text: 'Cambi rete o si avvicini a questa, poi riprovi.',
    },
  },
}
