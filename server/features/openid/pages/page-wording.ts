import { firstKnownLanguage } from '#shared/languages.ts'

/** The texts on the provider's own pages, in one language. */
export interface PageWording {
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly title: string
  readonly refused: string
  readonly expired: string
  readonly tooMany: string
  /** Precedes the code and the description, which are for the site's developers. */
  readonly forSite: string
  /** The title of the page that posts a response back to the site. */
  readonly back: string
  /** Its button, for browsers that do not run scripts. */
  readonly goOn: string
}

type Row = readonly [
  title: string,
  refused: string,
  expired: string,
  tooMany: string,
  forSite: string,
  back: string,
  goOn: string,
]

const rows: Readonly<Record<string, Row>> = {
  ar: [
    'لا يمكن متابعة تسجيل الدخول',
    'طلب الموقع الذي أرسلك إلى هنا شيئًا لا يمكننا تلبيته. يُرجى العودة إليه والبدء من جديد.',
    'انتهت صلاحية تسجيل الدخول هذا. يُرجى العودة إلى الموقع والبدء من جديد.',
    'محاولات كثيرة جدًا. يُرجى الانتظار قليلًا ثم البدء من جديد.',
    'لمن يدير الموقع:',
    'العودة إلى الموقع',
    'متابعة',
  ],
  de: [
    'Diese Anmeldung geht nicht weiter',
    'Die Website, von der Sie kommen, hat um etwas gebeten, das wir nicht beantworten können. Gehen Sie zurück und beginnen Sie noch einmal.',
    'Diese Anmeldung ist abgelaufen. Gehen Sie zurück zur Website und beginnen Sie noch einmal.',
    'Zu viele Versuche. Warten Sie eine Weile und beginnen Sie dann noch einmal.',
    'Für die Betreiber der Website:',
    'Zurück zur Website',
    'Weiter',
  ],
  en: [
    'This sign-in cannot go on',
    'The site that sent you here asked for something that we cannot answer. Go back to it and start again.',
    'This sign-in has expired. Go back to the site and start again.',
    'Too many attempts. Wait a while, then start again.',
    'For the people who run the site:',
    'Back to the site',
    'Continue',
  ],
  es: [
    'Este inicio de sesión no puede continuar',
    'El sitio desde el que ha llegado ha pedido algo que no podemos atender. Vuelva a él y empiece de nuevo.',
    'Este inicio de sesión ha caducado. Vuelva al sitio y empiece de nuevo.',
    'Demasiados intentos. Espere un poco y empiece de nuevo.',
    'Para quienes gestionan el sitio:',
    'Volver al sitio',
    'Continuar',
  ],
  fr: [
    'Cette connexion ne peut pas se poursuivre',
    'Le site d’où vous venez a demandé quelque chose à quoi nous ne pouvons pas donner suite. Retournez-y et recommencez.',
    'Cette connexion a expiré. Retournez sur le site et recommencez.',
    'Trop de tentatives. Patientez un moment, puis recommencez.',
    'Pour les responsables du site\u00a0:',
    'Retour au site',
    'Continuer',
  ],
  hi: [
    'यह साइन-इन आगे नहीं बढ़ सकता',
    'जिस साइट ने आपको यहाँ भेजा, उसने कुछ ऐसा माँगा जो हम नहीं दे सकते। साइट पर लौटें और फिर से शुरू करें।',
    'इस साइन-इन का समय समाप्त हो गया है। साइट पर लौटें और फिर से शुरू करें।',
    'बहुत ज़्यादा कोशिशें हुईं। थोड़ी देर रुकें, फिर दोबारा शुरू करें।',
    'साइट चलाने वालों के लिए:',
    'साइट पर वापस',
    'जारी रखें',
  ],
  it: [
    'Questo accesso non può continuare',
    'Il sito da cui proviene ha chiesto qualcosa che non possiamo soddisfare. Torni al sito e ricominci.',
    'Questo accesso è scaduto. Torni al sito e ricominci.',
    'Troppi tentativi. Attenda un po’, poi ricominci.',
    'Per chi gestisce il sito:',
    'Torna al sito',
    'Continua',
  ],
  ja: [
    'このサインインは続けられません',
    '元のサイトから、対応できない要求がありました。サイトに戻って、もう一度始めてください。',
    'このサインインの有効期限が切れました。サイトに戻って、もう一度始めてください。',
    '試行回数が多すぎます。しばらく待ってから、もう一度始めてください。',
    'サイトの運営者の方へ：',
    'サイトに戻ります',
    '続ける',
  ],
  nl: [
    'Deze aanmelding kan niet doorgaan',
    'De site waarvandaan u komt, heeft om iets gevraagd waaraan wij niet kunnen voldoen. Ga terug en begin opnieuw.',
    'Deze aanmelding is verlopen. Ga terug naar de site en begin opnieuw.',
    'Te veel pogingen. Wacht even en begin dan opnieuw.',
    'Voor de beheerders van de site:',
    'Terug naar de site',
    'Doorgaan',
  ],
  pl: [
    'Nie można kontynuować tego logowania',
    'Strona, z której nastąpiło przekierowanie, poprosiła o coś, czego nie możemy zrobić. Proszę do niej wrócić i zacząć od nowa.',
    'To logowanie wygasło. Proszę wrócić na stronę i zacząć od nowa.',
    'Zbyt wiele prób. Proszę chwilę odczekać i zacząć od nowa.',
    'Dla osób prowadzących stronę:',
    'Powrót na stronę',
    'Dalej',
  ],
  pt: [
    'Este início de sessão não pode continuar',
    'O site de onde veio pediu algo que não podemos satisfazer. Volte ao site e comece de novo.',
    'Este início de sessão expirou. Volte ao site e comece de novo.',
    'Demasiadas tentativas. Espere um pouco e comece de novo.',
    'Para quem gere o site:',
    'Voltar ao site',
    'Continuar',
  ],
  zh: [
    '此次登录无法继续',
    '您所访问的网站提出了我们无法处理的请求。请返回该网站并重新开始。',
    '此次登录已过期。请返回该网站并重新开始。',
    '尝试次数过多。请稍后再重新开始。',
    '供网站管理人员参考：',
    '返回网站',
    '继续',
  ],
}

/** The texts in the first preferred language that is available, or in English. */
export function pageWordingFor(wanted: readonly string[]): PageWording {
  const locale = firstKnownLanguage(Object.keys(rows), wanted)
  const [title, refused, expired, tooMany, forSite, back, goOn] = rows[locale]!
  const direction = locale === 'ar' ? 'rtl' : 'ltr'
  return { locale, direction, title, refused, expired, tooMany, forSite, back, goOn }
}
