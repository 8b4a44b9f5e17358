import type { AnswerWording } from './answer-wording.ts'

export const ja: AnswerWording = {
  locale: 'ja',
  direction: 'ltr',
  title: '戻ってきた内容',
  verdict: { passed: '確認できました', failed: '確認できませんでした', untrusted: '信頼できません' },
  why: {
    passed: '求められたことはすべて満たされています。',
    failed: '理由は示されていません。',
    untrusted: 'この回答は途中で変更された可能性があるため、確認の結果はお伝えしません。',
  },
  reasons: {
    noFace: '写真に顔が見つかりませんでした。',
    multipleFaces: '複数の顔が写っていました。',
    livenessFailed: '写真が生きた人のものに見えないか、以前に送られたものでした。',
    challengeFailed: '求められた動作が時間内に行われないか、別の動作が行われました。',
    personChanged: '途中で別の人になりました。',
    lowQuality: '写真が暗すぎるか、ぼやけているか、小さすぎました。',
    ageNotMet: '推定年齢が条件を満たしていません。',
    ageUncertain: '年齢を十分確実に推定できませんでした。',
    duplicateFace: 'この顔は以前に確認されています。',
    faceMismatch: '顔が外部 ID のものと一致しません。',
    externalIdMissing: 'この確認に必要な外部 ID がリンクにありません。',
    externalIdUnknown: '外部 ID はまだ登録されていません。',
    consentDeclined: '同意されなかったか、途中で終了しました。',
    cameraUnavailable: '使えるカメラがありませんでした。',
    sessionExpired: '15 分の時間が過ぎました。',
    assuranceTooLow: '生きた人がいたことを十分確実に確かめられませんでした。',
    evidenceMissing: 'このページが常に送る画像が足りませんでした。',
    alternativeChosen: '設定にある別の方法が選ばれました。',
  },
  signature: {
    Valid: '署名は正しく、この結果はこのサーバーのもので、変更されていません。',
    Invalid: '署名が正しくありません。この結果を信じないでください。',
    Expired: '署名は正しいものでしたが、期限が過ぎています。',
    NonceAlreadyUsed: '署名は正しいものでしたが、すでに使われています。',
  },
  again: 'もう一度試す',
  details: '戻ってきたすべての項目',
  tag: 'このコンピューター上のデモ',
  footer:
    '写真はこのサーバーにだけ送られ、保存されません。結果は 7 日間保存されます。顔を再び認識する場合は、顔の数値コードがこのサーバーに残ります。',
}
