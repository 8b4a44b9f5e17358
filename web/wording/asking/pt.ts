import type { Asking } from '../wording.ts'

export const asking: Asking = {
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
    desk: 'Sente-se de frente para uma luz, com os olhos à altura da câmara. Cerca de 20 segundos, sem luzes a piscar.',
    moves: 'Primeiro não se mova; depois, mova-se como indicado. Verá cada movimento no momento certo.',
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
}
