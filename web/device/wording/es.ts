import type { DeviceWording } from './device-wording.ts'

/** Spanish. */
export const es: DeviceWording = {
  locale: 'es',
  direction: 'ltr',
  title: {
    tab: 'Este dispositivo',
    before: '¿Qué puede hacer este dispositivo?',
    measuring: 'Midiendo',
    measured: 'Lo que puede hacer este dispositivo',
    failed: 'No se ha podido medir',
  },
  text: {
    before:
      'Esta página mide si este navegador puede hacer la comprobación y con qué rapidez. Las imágenes se quedan en este dispositivo y se descartan. No se envía nada: obtiene un informe que puede copiar.',
    measuring: 'Tarda hasta medio minuto. No se envía nada.',
    report: 'El informe no contiene ninguna imagen ni el nombre de la cámara, e indica qué navegador es:',
  },
  button: {
    withCamera: 'Medir con la cámara',
    withoutCamera: 'Medir sin la cámara',
    copy: 'Copiar informe',
    copied: 'Copiado',
    share: 'Compartir informe',
  },
  findings: {
    locale: 'es',
    question: {
      check: 'Puede hacer la comprobación',
      camera: 'Cámara',
      speed: 'Velocidad',
      memory: 'Memoria',
      storage: 'Almacenamiento',
      passkeys: 'Llaves de acceso en este dispositivo',
      screen: 'Mantiene la pantalla encendida',
    },
    answer: {
      yes: 'sí',
      no: 'no',
      refused: 'rechazado',
      notReported: 'no indicado',
      notKnown: 'desconocido',
      notAsked: 'no se ha preguntado',
      notMeasured: 'no se ha medido',
      roomUnknown: 'espacio no indicado',
      kept: 'se conserva',
      mayBeCleared: 'puede borrarse',
    },
    lacks: (what) => `no, le falta: ${what}`,
    noPicture: (problem) => `sin imagen (${problem})`,
    size: (width, height) => `${width} × ${height}`,
    rate: (pictures) => `${pictures} imágenes por segundo`,
    speed: (seconds, milliseconds, picture) =>
      `primera respuesta a los ${seconds} s, después ${milliseconds} ms por imagen (${picture === 'camera' ? 'de la cámara' : 'imagen dibujada'})`,
    gigabytes: (count) => `unos ${count} GB`,
    room: (megabytes) => `espacio para ${megabytes} MB`,
  },
}
