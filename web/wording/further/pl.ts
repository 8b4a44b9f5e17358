import type { Further } from '#web/wording/wording.ts'

export const further: Further = {
  furtherTry: {
    title: 'Spróbujmy jeszcze raz',
    text: 'Weryfikacja nie jest jeszcze ukończona. Przyczyn może być wiele.',
    otherWay: '{account} oferuje sposób bez zdjęcia twarzy. Jego wybór kończy tę weryfikację.',
    light: 'Proszę znaleźć miejsce, gdzie światło równo pada na twarz, a za plecami nie ma nic jasnego.',
    size: 'Proszę trzymać twarz tak, by była wielkości owalu, na wysokości oczu.',
    blur: 'Proszę się nie ruszać, gdy pierścień się wypełnia, i przetrzeć kamerę.',
    steps: 'Proszę zaczynać każdy ruch zaraz po poleceniu i robić tylko ten jeden.',
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
    terms: 'Warunki {account}',
  },
}
