import type { PageLanguage } from '#shared/contract/configuration/words-by-language.ts'

/** A message that invites a person to a check. `{account}`, `{link}` and `{time}` are replaced. */
export interface InvitationText {
  readonly subject: string
  readonly body: string
}

/** The message in each of the page's languages. */
export const invitationTexts: Readonly<Record<PageLanguage, InvitationText>> = {
  en: {
    subject: 'A quick face check for {account}',
    body: 'Hello,\n\n{account} asks you to complete a quick face check. It takes about a minute, on a phone or a computer with a camera:\n\n{link}\n\nThis link is meant for you only and works until {time}.',
  },
  de: {
    subject: 'Kurze Gesichtsprüfung für {account}',
    body: 'Guten Tag,\n\n{account} bittet Sie um eine kurze Gesichtsprüfung. Sie dauert etwa eine Minute, am Telefon oder an einem Computer mit Kamera:\n\n{link}\n\nDer Link ist nur für Sie bestimmt und gilt bis {time}.',
  },
  fr: {
    subject: 'Une brève vérification du visage pour {account}',
    body: 'Bonjour,\n\n{account} vous invite à effectuer une brève vérification de votre visage. Elle prend environ une minute, sur un téléphone ou un ordinateur équipé d’une caméra\u00a0:\n\n{link}\n\nCe lien vous est personnel et reste valable jusqu’au {time}.',
  },
  es: {
    subject: 'Una breve comprobación facial para {account}',
    body: 'Hola:\n\n{account} le pide que realice una breve comprobación facial. Le llevará alrededor de un minuto, con un teléfono o un ordenador con cámara:\n\n{link}\n\nEste enlace es solo para usted y es válido hasta el {time}.',
  },
  it: {
    subject: 'Una breve verifica del volto per {account}',
    body: 'Buongiorno,\n\n{account} le chiede di completare una breve verifica del volto. Richiede circa un minuto, con un telefono o un computer con fotocamera:\n\n{link}\n\nQuesto link è riservato a lei ed è valido fino al {time}.',
  },
  nl: {
    subject: 'Een korte gezichtscontrole voor {account}',
    body: 'Goedendag,\n\n{account} verzoekt u een korte gezichtscontrole te doen. Dat duurt ongeveer een minuut, met een telefoon of een computer met camera:\n\n{link}\n\nDeze link is alleen voor u bestemd en is geldig tot {time}.',
  },
  pl: {
    subject: 'Krótka weryfikacja twarzy dla {account}',
    body: 'Dzień dobry,\n\n{account} prosi Państwa o krótką weryfikację twarzy. Zajmie ona około minuty, na telefonie lub komputerze z kamerą:\n\n{link}\n\nTen link jest przeznaczony wyłącznie dla Państwa i jest ważny do {time}.',
  },
  pt: {
    subject: 'Uma breve verificação facial para {account}',
    body: 'Bom dia,\n\n{account} pede-lhe que faça uma breve verificação facial. Demora cerca de um minuto, num telemóvel ou num computador com câmara:\n\n{link}\n\nEste link é só para si e é válido até {time}.',
  },
  hi: {
    subject: '{account} के लिए चेहरे की छोटी-सी जाँच',
    body: 'नमस्ते,\n\n{account} की ओर से आपसे चेहरे की एक छोटी-सी जाँच पूरी करने का अनुरोध है। फ़ोन या कैमरे वाले कंप्यूटर पर इसमें लगभग एक मिनट लगता है:\n\n{link}\n\nयह लिंक केवल आपके लिए है और {time} तक मान्य है।',
  },
  ja: {
    subject: '{account}より顔確認のお願い',
    body: '{account}より、簡単な顔確認をお願いしております。スマートフォン、またはカメラ付きのパソコンで、1分ほどで終わります。\n\n{link}\n\nこのリンクはご本人専用です。有効期限は{time}です。',
  },
  zh: {
    subject: '{account} 请您完成快速人脸验证',
    body: '您好：\n\n{account} 请您完成一次快速人脸验证。使用手机或带摄像头的电脑，大约需要一分钟：\n\n{link}\n\n此链接仅供您本人使用，有效期至 {time}。',
  },
  ar: {
    subject: 'تحقق سريع من الوجه لصالح {account}',
    body: 'تحية طيبة،\n\nيُرجى منك إجراء تحقق سريع من الوجه لصالح {account}. يستغرق نحو دقيقة، على هاتف أو حاسوب مزوّد بكاميرا:\n\n{link}\n\nهذا الرابط مخصص لك وحدك، وهو صالح حتى {time}.',
  },
}
