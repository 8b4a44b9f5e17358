import type { FurtherTryWording } from '#web/wording/wording.ts'

export const further: FurtherTryWording = {
  furtherTry: {
    title: 'Vamos tentar mais uma vez',
    text: 'A verificação ainda não está concluída. Pode haver muitos motivos.',
    otherWay:
      '{account} oferece uma forma de a fazer sem imagem do seu rosto. Se a escolher, esta verificação termina.',
    light: 'Procure um lugar onde a luz lhe incida por igual no rosto, sem nada brilhante atrás de si.',
    size: 'Mantenha o rosto do tamanho do oval, à altura dos olhos.',
    blur: 'Não se mova enquanto o anel se preenche e limpe a câmara.',
    steps: 'Comece cada movimento assim que lhe for pedido e faça só esse.',
  },
  tries: {
    one: 'Pode tentar mais {n} vez.',
    many: 'Pode tentar mais {n} vezes.',
    other: 'Pode tentar mais {n} vezes.',
  },
  links: {
    takeOtherWay: 'Escolher a outra forma',
    privacy: 'Como {account} usa os seus dados',
    terms: 'Condições de utilização de {account}',
  },
}
