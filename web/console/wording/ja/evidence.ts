import type { ConsoleWording } from '../console-wording.ts'

export const evidenceWords: Pick<ConsoleWording, 'evidence' | 'measured' | 'undoing'> = {
  evidence: {
    title: '画像',
    kept: '{time}まで、または判断の10秒後まで保存されます。閲覧は監査ログに記録されます。',
    show: '画像を表示',
    showing: '画像を表示すると監査ログに記録されます。',
    none: '画像は保存されないため、表示されません。測定結果は下にあります。',
    gone: '画像はもうありません。不要だったか、判断が済んだか、期限が過ぎました。',
    gathered: '必要な場合、セッションの終了後に画像がここに表示されます。',
    incomplete: 'ディスクの空き不足などで、一部の画像を保存できませんでした。判定には影響しません。',
    straight: '正面',
    picture: '画像：{name}',
    tried: '{n}回目：{name}',
    film: 'セッションの動画',
    play: '再生',
    pause: '一時停止',
    at: '{all}枚中{n}枚目',
  },
  measured: {
    title: '測定結果',
    scores: {
      living: '実在の人物らしさ',
      sameFace: '全画像を通した顔の一致度（最小値）',
      age: '推定年齢',
      reference: '参照画像との類似度',
    },
    limit: '{value}（基準値{limit}）',
    noLimit: '{value}（比較対象なし）',
    cue: {
      light: '頭を動かす間の光',
      rim: '頭を動かす間の背景',
      cuts: '動画の連続性',
      perspective: '遠近',
    },
    answer: {
      held: '問題なし',
      broken: '不自然',
      cannotTell: '判別不可',
    },
    pictures: '良好な正面の画像',
    of: '{all}枚中{n}枚',
    device: '端末',
  },
  undoing: {
    undo: '元に戻す',
    undoing: '{result}と記録しました。10秒間は取り消せます。',
    undone: '判断を取り消しました。',
  },
}
