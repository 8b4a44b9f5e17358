import type { AnswerWording } from './answer-wording.ts'

export const pt: AnswerWording = {
  locale: 'pt',
  direction: 'ltr',
  title: 'O que voltou',
  verdict: { passed: 'Aprovada', failed: 'Não aprovada', untrusted: 'Não é de confiança' },
  why: {
    passed: 'Tudo o que era pedido foi cumprido.',
    failed: 'Nenhum motivo foi indicado.',
    untrusted: 'Esta resposta pode ter sido alterada no caminho: nada se diz da verificação.',
  },
  reasons: {
    noFace: 'Nenhum rosto foi encontrado nas imagens.',
    multipleFaces: 'Havia mais de um rosto à vista.',
    livenessFailed: 'As imagens não pareciam de uma pessoa viva, ou já tinham sido enviadas.',
    challengeFailed: 'O que se pediu não foi feito a tempo, ou foi feita outra coisa.',
    personChanged: 'Não foi sempre a mesma pessoa.',
    lowQuality: 'As imagens estavam muito escuras, desfocadas ou pequenas.',
    ageNotMet: 'A idade estimada não cumpre a regra.',
    ageUncertain: 'A idade não pôde ser estimada com certeza suficiente.',
    duplicateFace: 'Este rosto já tinha sido visto.',
    faceMismatch: 'O rosto não é o que pertence ao identificador externo.',
    externalIdMissing: 'O link não indica o identificador externo de que esta verificação precisa.',
    externalIdUnknown: 'O identificador externo ainda não é conhecido.',
    consentDeclined: 'A pessoa não concordou, ou saiu.',
    cameraUnavailable: 'Não havia câmera que pudesse ser usada.',
    sessionExpired: 'O quarto de hora terminou.',
    assuranceTooLow: 'Não era certo o bastante que uma pessoa viva estivesse ali.',
    evidenceMissing: 'Faltavam imagens que esta página sempre envia.',
    alternativeChosen: 'A pessoa tomou o outro caminho que a configuração indica.',
  },
  signature: {
    Valid: 'A assinatura confere: este resultado vem deste servidor e ninguém o alterou.',
    Invalid: 'A assinatura não confere: não acredite neste resultado.',
    Expired: 'A assinatura conferia, mas o prazo dela passou.',
    NonceAlreadyUsed: 'A assinatura conferia, mas já tinha sido usada.',
  },
  again: 'Tentar de novo',
  details: 'Tudo o que voltou, nome por nome',
  tag: 'demonstração nesta máquina',
  footer:
    'As imagens vão só para este servidor e não são guardadas. Um resultado fica 7 dias. Onde um rosto deve ser reconhecido, um código numérico dele fica neste servidor.',
}
