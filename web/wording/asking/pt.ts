import type { AskerWording } from '../wording.ts'

export const asking: AskerWording = {
  asker: {
    tab: '{account}: verificação facial',
    tabAlone: 'Verificação facial',
    ask: 'Perguntar a {account}',
  },
  loading: {
    title: 'A carregar a verificação',
    progress: 'A carregar pela sua rede: {loaded} de {total} MB',
    wrongFile:
      'A sua rede respondeu com outra coisa. Se pedir para iniciar sessão, faça-o primeiro. Caso contrário, use outra rede.',
  },
  getReady: {
    light: 'De frente para uma luz',
    phone: 'Telemóvel à altura dos olhos',
    desk: 'Câmara à altura dos olhos',
    moves: 'Mova-se quando for pedido',
    time: 'Cerca de 10 segundos, sem luzes a piscar.',
  },
  unblock: {
    chromeAndroid: 'Toque no ícone ao lado do endereço, depois em Autorizações, Câmara e Permitir.',
    firefox: 'Escolha o símbolo da câmara ao lado do endereço, retire o bloqueio e tente de novo.',
    firefoxAndroid: 'Toque no cadeado ao lado do endereço e depois em Câmara, até aparecer Permitido.',
    safari: 'Abra o menu Safari, depois Definições para este site, Câmara e Permitir.',
  },
  inApp: {
    title: 'A câmara não pode abrir dentro de {app}',
    text: 'Abra o menu de {app} (⋯ ou ⋮) e escolha «Abrir no navegador». Ou copie o link e abra-o no Safari ou no Chrome.',
  },
  surroundings: {
    noPicture: {
      title: 'Esta câmara não mostra imagem',
      text: 'Destape a câmara ou escolha outra.',
    },
    smallPicture: {
      title: 'A imagem desta câmara é demasiado pequena',
      text: 'Escolha outra câmara ou abra a verificação noutro dispositivo.',
    },
    hiddenPictures: {
      title: 'Este navegador oculta a imagem da câmara',
      text: 'Permita os dados de canvas para esta página no símbolo junto ao endereço e recarregue. Ou abra a ligação noutro navegador.',
    },
    noWebAssembly: {
      title: 'O WebAssembly está desligado',
      text: 'Permita-o para esta página nas definições de segurança do navegador e recarregue. Ou abra a ligação noutro navegador.',
    },
    slowNetwork: {
      title: 'A rede está demasiado lenta agora',
      text: 'Mude de rede ou aproxime-se desta e tente de novo.',
    },
  },
}
