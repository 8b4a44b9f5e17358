import type { Plugin } from 'vite'
import type { PageLanguage } from '../shared/contract/configuration/words-by-language.ts'

/** Message for browsers without JavaScript, in each language of the pages. */
export const withoutScripts: Readonly<Record<PageLanguage, string>> = {
  en: 'This page needs JavaScript. Please switch it on and open the page again.',
  de: 'Diese Seite braucht JavaScript. Bitte schalten Sie es ein und öffnen Sie die Seite noch einmal.',
  fr: 'Cette page a besoin de JavaScript. Veuillez l’activer, puis rouvrir la page.',
  es: 'Esta página necesita JavaScript. Actívelo y vuelva a abrir la página.',
  it: 'Questa pagina ha bisogno di JavaScript. Lo attivi e riapra la pagina.',
  pt: 'Esta página precisa de JavaScript. Ative-o e volte a abrir a página.',
  nl: 'Deze pagina heeft JavaScript nodig. Zet het aan en open de pagina opnieuw.',
  pl: 'Ta strona wymaga JavaScriptu. Proszę go włączyć i otworzyć stronę ponownie.',
  ar: 'تحتاج هذه الصفحة إلى \u2066JavaScript\u2069. يُرجى تفعيله وفتح الصفحة من جديد.',
  hi: 'इस पेज के लिए JavaScript ज़रूरी है। कृपया उसे चालू करें और पेज फिर से खोलें।',
  ja: 'このページにはJavaScriptが必要です。有効にして、ページをもう一度開いてください。',
  zh: '本页需要 JavaScript。请启用后重新打开本页。',
}

/** The console has fewer languages than the pages. */
const ofConsole: readonly PageLanguage[] = ['en', 'de', 'ar', 'ja']

/**
 * Adds the message to the empty `<noscript>` of each document, one paragraph per language.
 * [Note: Every language at once] Without scripts only the server knows the wanted language, but all visitors get the same documents, which are
 * cached by browsers, compressed once and listed by the service worker.
 */
export function informedWithoutScripts(): Plugin {
  return {
    name: 'informed-without-scripts',
    transformIndexHtml: (document, { path }) => {
      const languages = /\/console(-preview)?\.html$/.test(path)
        ? ofConsole
        : (Object.keys(withoutScripts) as PageLanguage[])
      return document.replace(
        '<noscript></noscript>',
        `<noscript>${languages.map(paragraph).join('')}</noscript>`,
      )
    },
  }
}

function paragraph(language: PageLanguage): string {
  const direction = language === 'ar' ? ' dir="rtl"' : ''
  return `<p lang="${language}"${direction}>${withoutScripts[language]}</p>`
}
