import type { DeviceWording } from './device-wording.ts'

/** Portuguese. */
export const pt: DeviceWording = {
  locale: 'pt',
  direction: 'ltr',
  title: {
    tab: 'Este dispositivo',
    before: 'O que consegue fazer este dispositivo?',
    measuring: 'A medir',
    measured: 'O que este dispositivo consegue fazer',
    failed: 'Não foi possível medir',
  },
  text: {
    before:
      'Esta página mede se este navegador consegue fazer a verificação e com que rapidez. As imagens ficam neste dispositivo e são eliminadas. Nada é enviado: recebe um relatório que pode copiar.',
    measuring: 'Demora até meio minuto. Nada é enviado.',
    report: 'O relatório não tem imagens nem o nome da câmara e indica qual é o navegador:',
  },
  button: {
    withCamera: 'Medir com a câmara',
    withoutCamera: 'Medir sem a câmara',
    copy: 'Copiar relatório',
    copied: 'Copiado',
    share: 'Partilhar relatório',
  },
  findings: {
    locale: 'pt',
    question: {
      check: 'Consegue fazer a verificação',
      camera: 'Câmara',
      speed: 'Velocidade',
      memory: 'Memória',
      storage: 'Armazenamento',
      passkeys: 'Chaves de acesso neste dispositivo',
      screen: 'Mantém o ecrã ligado',
    },
    answer: {
      yes: 'sim',
      no: 'não',
      refused: 'recusado',
      notReported: 'não indicado',
      notKnown: 'desconhecido',
      notAsked: 'não perguntado',
      notMeasured: 'não medido',
      roomUnknown: 'espaço não indicado',
      kept: 'fica guardado',
      mayBeCleared: 'pode ser apagado',
    },
    lacks: (what) => `não, falta: ${what}`,
    noPicture: (problem) => `sem imagem (${problem})`,
    size: (width, height) => `${width} × ${height}`,
    rate: (pictures) => `${pictures} imagens por segundo`,
    speed: (seconds, milliseconds, picture) =>
      `primeira resposta ao fim de ${seconds} s, depois ${milliseconds} ms por imagem (${picture === 'camera' ? 'da câmara' : 'desenhada'})`,
    gigabytes: (count) => `cerca de ${count} GB`,
    room: (megabytes) => `espaço para ${megabytes} MB`,
  },
}
