import type { FurtherTryWording } from '#web/wording/wording.ts'

export const further: FurtherTryWording = {
  furtherTry: {
    title: 'Proviamo ancora una volta',
    text: 'La verifica non è ancora completa. I motivi possono essere molti.',
    otherWay:
      '{account} offre un modo di farla senza un’immagine del suo volto. Se lo sceglie, questa verifica termina.',
    light:
      'Cerchi un posto dove una luce uniforme le illumini il volto, senza nulla di luminoso dietro di lei.',
    size: 'Tenga il volto grande quanto l’ovale, all’altezza degli occhi.',
    blur: 'Resti immobile mentre l’anello si riempie, e pulisca la fotocamera.',
    steps: 'Inizi ogni movimento appena le viene richiesto e faccia solo quello.',
  },
  tries: {
    one: 'Può provare ancora {n} volta.',
    many: 'Può provare ancora {n} volte.',
    other: 'Può provare ancora {n} volte.',
  },
  links: {
    takeOtherWay: 'Scegli l’altro modo',
    privacy: 'Come {account} usa i suoi dati',
    terms: 'Condizioni d’uso di {account}',
  },
}
