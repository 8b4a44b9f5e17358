import type { FurtherTryWording } from '#web/wording/wording.ts'

export const further: FurtherTryWording = {
  furtherTry: {
    title: 'Spróbujmy jeszcze raz',
    text: 'Weryfikacja nie została jeszcze ukończona. Przyczyn może być wiele.',
    otherWay: '{account} oferuje sposób bez zdjęcia twarzy. Wybranie go kończy tę weryfikację.',
    light:
      'Proszę znaleźć miejsce, w którym światło równomiernie pada na twarz, a z tyłu nie ma nic jasnego.',
    size: 'Twarz powinna być wielkości owalu, na wysokości oczu.',
    blur: 'Proszę się nie ruszać, gdy wypełnia się pierścień, i przetrzeć kamerę.',
    steps: 'Każdy ruch proszę zaczynać zaraz po poleceniu i wykonywać tylko ten jeden.',
  },
  tries: {
    one: 'Pozostała {n} próba.',
    few: 'Pozostały {n} próby.',
    many: 'Pozostało {n} prób.',
    other: 'Pozostało {n} próby.',
  },
  links: {
    takeOtherWay: 'Wybierz inny sposób',
    privacy: 'Jak {account} przetwarza Państwa dane',
    terms: 'Regulamin {account}',
  },
}
