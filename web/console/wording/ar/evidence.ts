import type { ConsoleWording } from '../console-wording.ts'

export const evidenceWords: Pick<ConsoleWording, 'evidence' | 'measured' | 'undoing'> = {
  evidence: {
    title: 'الصور',
    kept: 'محفوظة حتى {time}، أو حتى 10 ثوانٍ بعد القرار. يُسجَّل اطلاعك في سجل التدقيق.',
    show: 'عرض الصور',
    showing: 'يُسجَّل عرض الصور في سجل التدقيق.',
    none: 'لا تُحفظ أي صور، فلا يُعرض شيء منها. ما تم قياسه مذكور أدناه.',
    gone: 'لم تعد الصور موجودة: لم تكن مطلوبة، أو اتُّخذ قرار، أو انتهت مدتها.',
    gathered: 'تظهر الصور هنا بعد انتهاء الجلسة عند الحاجة إليها.',
    incomplete: 'تعذّر حفظ بعض الصور، مثلًا لامتلاء القرص. لا تتأثر النتيجة بذلك.',
    straight: 'النظر إلى الأمام',
    picture: 'صورة: {name}',
    tried: 'المحاولة {n}: {name}',
    film: 'مقطع فيديو الزيارة',
    play: 'تشغيل',
    pause: 'إيقاف مؤقت',
    at: 'الصورة {n} من {all}',
  },
  measured: {
    title: 'ما تم قياسه',
    scores: {
      living: 'يبدو شخصًا حيًا',
      sameFace: 'أدنى تشابه للوجه بين الصور',
      age: 'العمر المقدَّر',
      reference: 'التشابه مع الصورة المرجعية',
    },
    limit: '{value} (الحد {limit})',
    noLimit: '{value} (دون حد)',
    cue: {
      light: 'الضوء أثناء دوران الرأس',
      rim: 'الخلفية أثناء دوران الرأس',
      cuts: 'مقطع فيديو بلا انقطاع',
      perspective: 'المنظور',
    },
    answer: {
      held: 'سليم',
      broken: 'غير سليم',
      cannotTell: 'لا يمكن الجزم',
    },
    pictures: 'الصور الجيدة المواجهة للكاميرا',
    of: '{n} من {all}',
    device: 'الجهاز',
  },
  undoing: {
    undo: 'تراجع',
    undoing: 'تم تسجيل {result}. يمكنك التراجع خلال 10 ثوانٍ.',
    undone: 'تم التراجع عن القرار.',
  },
}
