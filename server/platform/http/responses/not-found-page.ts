import { html } from './html.ts'
import { noticePage } from './notice-page.ts'

/** The notice pages' style sheet, which every role's hosts serve. */
export const noticeStylePath = '/notice.css'

type Words = readonly [title: string, remedy: string]

const words = {
  ar: ['هذه الصفحة غير موجودة', 'تحقق من العنوان، أو افتح الرابط الذي وصلك مرة أخرى.'],
  de: [
    'Diese Seite gibt es nicht',
    'Prüfen Sie die Adresse, oder öffnen Sie den Link, den Sie bekommen haben, noch einmal.',
  ],
  en: ['This page does not exist', 'Check the address, or open the link that you were sent again.'],
  es: ['Esta página no existe', 'Compruebe la dirección o vuelva a abrir el enlace que ha recibido.'],
  fr: ['Cette page n’existe pas', 'Vérifiez l’adresse ou rouvrez le lien que vous avez reçu.'],
  hi: ['यह पृष्ठ मौजूद नहीं है', 'पता जाँचें, या आपको भेजा गया लिंक फिर से खोलें।'],
  it: ['Questa pagina non esiste', 'Controlli l’indirizzo o apra di nuovo il link che ha ricevuto.'],
  ja: ['このページは存在しません', 'アドレスを確認するか、届いたリンクをもう一度開いてください。'],
  nl: ['Deze pagina bestaat niet', 'Controleer het adres of open de link die u hebt gekregen opnieuw.'],
  pl: ['Ta strona nie istnieje', 'Proszę sprawdzić adres lub ponownie otworzyć otrzymany link.'],
  pt: ['Esta página não existe', 'Verifique o endereço ou abra de novo a ligação que recebeu.'],
  zh: ['此页面不存在', '请检查网址，或重新打开您收到的链接。'],
} as const satisfies Record<string, Words>

type Language = keyof typeof words

/**
 * The page that people see at an address that does not exist. It repeats no part of the address, which anyone could have
 * crafted.
 * @param preferred returns the person's preferred language among the given ones, or false
 */
export function notFoundPage(preferred: (languages: Language[]) => string | false): string {
  // The first language is the default for browsers that prefer none of the languages.
  const languages = ['en', ...(Object.keys(words) as Language[])] as const
  const language = (preferred([...languages]) || 'en') as Language
  const [title, remedy] = words[language]
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  return noticePage(
    { locale: language, direction, stylePath: noticeStylePath },
    title,
    html`<p>${remedy}</p>`,
  )
}
