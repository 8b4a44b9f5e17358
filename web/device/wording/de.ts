import type { DeviceWording } from './device-wording.ts'

/** German. */
export const de: DeviceWording = {
  locale: 'de',
  direction: 'ltr',
  title: {
    tab: 'Dieses Gerät',
    before: 'Was kann dieses Gerät?',
    measuring: 'Messung läuft',
    measured: 'Was dieses Gerät kann',
    failed: 'Das konnte nicht gemessen werden',
  },
  text: {
    before:
      'Diese Seite misst, ob und wie schnell dieser Browser die Prüfung durchführen kann. Bilder bleiben auf diesem Gerät und werden verworfen. Nichts wird gesendet: Sie erhalten einen Bericht, den Sie kopieren können.',
    measuring: 'Das dauert bis zu einer halben Minute. Nichts wird gesendet.',
    report: 'Der Bericht enthält kein Bild und nicht den Namen der Kamera; er nennt diesen Browser:',
  },
  button: {
    withCamera: 'Mit Kamera messen',
    withoutCamera: 'Ohne Kamera messen',
    copy: 'Bericht kopieren',
    copied: 'Kopiert',
    share: 'Bericht teilen',
  },
  findings: {
    locale: 'de',
    question: {
      check: 'Kann die Prüfung durchführen',
      camera: 'Kamera',
      speed: 'Geschwindigkeit',
      memory: 'Arbeitsspeicher',
      storage: 'Speicherplatz',
      passkeys: 'Passkeys auf diesem Gerät',
      screen: 'Lässt den Bildschirm an',
    },
    answer: {
      yes: 'ja',
      no: 'nein',
      refused: 'abgelehnt',
      notReported: 'nicht angegeben',
      notKnown: 'nicht bekannt',
      notAsked: 'nicht gefragt',
      notMeasured: 'nicht gemessen',
      roomUnknown: 'Platz nicht angegeben',
      kept: 'bleibt erhalten',
      mayBeCleared: 'kann gelöscht werden',
    },
    lacks: (what) => `nein, es fehlt: ${what}`,
    noPicture: (problem) => `kein Bild (${problem})`,
    size: (width, height) => `${width} × ${height}`,
    rate: (pictures) => `${pictures} Bilder pro Sekunde`,
    speed: (seconds, milliseconds, picture) =>
      `erste Antwort nach ${seconds} s, dann ${milliseconds} ms je Bild (${picture === 'camera' ? 'von der Kamera' : 'gezeichnet'})`,
    gigabytes: (count) => `etwa ${count} GB`,
    room: (megabytes) => `Platz für ${megabytes} MB`,
  },
}
