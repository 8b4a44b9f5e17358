import type { Further } from '#web/wording/wording.ts'

export const further: Further = {
  furtherTry: {
    title: 'Vamos tentar mais uma vez',
    text: 'A verificação ainda não está concluída. Pode haver muitas razões.',
    otherWay: '{account} oferece uma forma sem imagem do seu rosto. Se a escolher, esta verificação termina.',
    light: 'Procure um lugar com luz uniforme no rosto e nada brilhante atrás de si.',
    size: 'Mantenha o rosto do tamanho da oval, à altura dos olhos.',
    blur: 'Não se mexa enquanto o anel se enche, e limpe a câmara.',
    steps: 'Comece cada movimento assim que for pedido, e faça só esse.',
  },
  tries: {
    one: 'Pode tentar mais {n} vez.',
    many: 'Pode tentar mais {n} vezes.',
    other: 'Pode tentar mais {n} vezes.',
  },
  links: {
    takeOtherWay: 'Escolher a outra forma',
    privacy: 'Como {account} usa os seus dados',
    terms: 'Condições de {account}',
  },
}
