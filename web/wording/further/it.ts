import type { Further } from '#web/wording/wording.ts'

export const further: Further = {
  furtherTry: {
    title: 'Proviamo ancora una volta',
    text: 'La verifica non è ancora completa. Le ragioni possono essere molte.',
    otherWay: '{account} offre un modo senza un’immagine del volto. Se lo sceglie, questa verifica termina.',
    light: 'Cerchi un posto con una luce uniforme sul volto e niente di luminoso dietro.',
    size: 'Tenga il volto grande come l’ovale, all’altezza degli occhi.',
    blur: 'Resti immobile mentre l’anello si riempie, e pulisca la fotocamera.',
    steps: 'Cominci ogni movimento appena richiesto, e faccia solo quello.',
  },
  tries: {
    one: 'Può provare ancora {n} volta.',
    many: 'Può provare ancora {n} volte.',
    other: 'Può provare ancora {n} volte.',
  },
  links: {
    takeOtherWay: 'Scegli l’altro modo',
    privacy: 'Come {account} usa i suoi dati',
    terms: 'Condizioni di {account}',
  },
}
