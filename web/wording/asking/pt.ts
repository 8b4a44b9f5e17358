import type { Asking } from '../wording.ts'

export const asking: Asking = {
  asker: {
    tab: '{account}: verificação do rosto',
    tabAlone: 'Verificação do rosto',
    ask: 'Perguntar a {account}',
  },
  getReady: {
    desk: 'Sente-se de frente para uma luz, com os olhos à altura da câmara. Cerca de 20 segundos, sem luzes a piscar.',
    moves: 'Primeiro não se mexa; depois, mova-se como mostrado. Verá cada movimento no momento certo.',
  },
  unblock: {
    chromeAndroid: 'Toque no ícone antes do endereço, depois Permissões, Câmara e Permitir.',
    firefox: 'Escolha o símbolo da câmara antes do endereço, retire o bloqueio ao lado e tente de novo.',
    firefoxAndroid: 'Toque no cadeado antes do endereço, depois Câmara, até dizer Permitido.',
    safari: 'Abra o menu Safari, depois Definições para este site, Câmara e Permitir.',
  },
  inApp: {
    title: 'A câmara não pode abrir dentro de {app}',
    text: 'Abra o menu de {app} (⋯ ou ⋮) e escolha «Abrir no navegador». Ou copie a ligação e abra-a no Safari ou no Chrome.',
  },
}
