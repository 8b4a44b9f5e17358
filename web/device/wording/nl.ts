import type { DeviceWording } from './device-wording.ts'

/** Dutch. */
export const nl: DeviceWording = {
  locale: 'nl',
  direction: 'ltr',
  title: {
    tab: 'Dit apparaat',
    before: 'Wat kan dit apparaat?',
    measuring: 'Bezig met meten',
    measured: 'Wat dit apparaat kan',
    failed: 'Dit kon niet worden gemeten',
  },
  text: {
    before:
      'Deze pagina meet of en hoe snel deze browser de controle kan uitvoeren. Beelden blijven op dit apparaat en worden weggegooid. Er wordt niets verzonden: u krijgt een rapport dat u kunt kopiëren.',
    measuring: 'Dit duurt hooguit een halve minuut. Er wordt niets verzonden.',
    report: 'Het rapport bevat geen beeld en niet de naam van de camera; het vermeldt welke browser dit is:',
  },
  button: {
    withCamera: 'Met camera meten',
    withoutCamera: 'Zonder camera meten',
    copy: 'Rapport kopiëren',
    copied: 'Gekopieerd',
    share: 'Rapport delen',
  },
  findings: {
    locale: 'nl',
    question: {
      check: 'Kan de controle uitvoeren',
      camera: 'Camerabeeld',
      speed: 'Snelheid',
      memory: 'Geheugen',
      storage: 'Opslag',
      passkeys: 'Toegangssleutels op dit apparaat',
      screen: 'Houdt het scherm aan',
    },
    answer: {
      yes: 'ja',
      no: 'nee',
      refused: 'geweigerd',
      notReported: 'niet vermeld',
      notKnown: 'niet bekend',
      notAsked: 'niet gevraagd',
      notMeasured: 'niet gemeten',
      roomUnknown: 'ruimte niet vermeld',
      kept: 'blijft bewaard',
      mayBeCleared: 'kan worden gewist',
    },
    lacks: (what) => `nee, het mist: ${what}`,
    noPicture: (problem) => `geen beeld (${problem})`,
    size: (width, height) => `${width} × ${height}`,
    rate: (pictures) => `${pictures} beelden per seconde`,
    speed: (seconds, milliseconds, picture) =>
      `eerste antwoord na ${seconds} s, daarna ${milliseconds} ms per beeld (${picture === 'camera' ? 'van de camera' : 'getekend'})`,
    gigabytes: (count) => `ongeveer ${count} GB`,
    room: (megabytes) => `ruimte voor ${megabytes} MB`,
  },
}
