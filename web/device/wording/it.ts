import type { DeviceWording } from './device-wording.ts'

/** Italian. */
export const it: DeviceWording = {
  locale: 'it',
  direction: 'ltr',
  title: {
    tab: 'Questo dispositivo',
    before: 'Che cosa può fare questo dispositivo?',
    measuring: 'Misurazione in corso',
    measured: 'Che cosa può fare questo dispositivo',
    failed: 'Non è stato possibile misurare',
  },
  text: {
    before:
      'Questa pagina misura se questo browser può eseguire la verifica e con quale velocità. Le immagini restano su questo dispositivo e vengono eliminate. Non viene inviato nulla: si ottiene un rapporto che si può copiare.',
    measuring: 'Richiede fino a mezzo minuto. Non viene inviato nulla.',
    report: 'Il rapporto non contiene immagini né il nome della fotocamera e indica quale browser è:',
  },
  button: {
    withCamera: 'Misura con la fotocamera',
    withoutCamera: 'Misura senza fotocamera',
    copy: 'Copia il rapporto',
    copied: 'Copiato',
    share: 'Condividi il rapporto',
  },
  findings: {
    locale: 'it',
    question: {
      check: 'Può eseguire la verifica',
      camera: 'Fotocamera',
      speed: 'Velocità',
      memory: 'Memoria',
      storage: 'Spazio di archiviazione',
      passkeys: 'Passkey su questo dispositivo',
      screen: 'Tiene acceso lo schermo',
    },
    answer: {
      yes: 'sì',
      no: 'no',
      refused: 'rifiutato',
      notReported: 'non indicato',
      notKnown: 'non noto',
      notAsked: 'non richiesto',
      notMeasured: 'non misurato',
      roomUnknown: 'spazio non indicato',
      kept: 'conservato',
      mayBeCleared: 'può essere cancellato',
    },
    lacks: (what) => `no, manca: ${what}`,
    noPicture: (problem) => `nessuna immagine (${problem})`,
    size: (width, height) => `${width} × ${height}`,
    rate: (pictures) => `${pictures} immagini al secondo`,
    speed: (seconds, milliseconds, picture) =>
      `prima risposta dopo ${seconds} s, poi ${milliseconds} ms per immagine (${picture === 'camera' ? 'della fotocamera' : 'disegnata'})`,
    gigabytes: (count) => `circa ${count} GB`,
    room: (megabytes) => `spazio per ${megabytes} MB`,
  },
}
