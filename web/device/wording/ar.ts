import type { DeviceWording } from './device-wording.ts'

/** Arabic. */
export const ar: DeviceWording = {
  locale: 'ar',
  direction: 'rtl',
  title: {
    tab: 'هذا الجهاز',
    before: 'ما الذي يستطيعه هذا الجهاز؟',
    measuring: 'جارٍ القياس',
    measured: 'ما يستطيعه هذا الجهاز',
    failed: 'تعذّر القياس',
  },
  text: {
    before:
      'تقيس هذه الصفحة إن كان هذا المتصفح يستطيع إجراء التحقق وبأي سرعة. تبقى الصور على هذا الجهاز ثم تُحذف. لا يُرسل شيء: يظهر تقرير يمكن نسخه.',
    measuring: 'يستغرق ذلك نصف دقيقة على الأكثر. لا يُرسل شيء.',
    report: 'لا يحتوي التقرير على صورة ولا على اسم الكاميرا، ويذكر ما هو هذا المتصفح:',
  },
  button: {
    withCamera: 'القياس بالكاميرا',
    withoutCamera: 'القياس دون الكاميرا',
    copy: 'نسخ التقرير',
    copied: 'تم النسخ',
    share: 'مشاركة التقرير',
  },
  findings: {
    locale: 'ar',
    question: {
      check: 'يستطيع إجراء التحقق',
      camera: 'الكاميرا',
      speed: 'السرعة',
      memory: 'الذاكرة',
      storage: 'التخزين',
      passkeys: 'مفاتيح المرور على هذا الجهاز',
      screen: 'يُبقي الشاشة مضاءة',
    },
    answer: {
      yes: 'نعم',
      no: 'لا',
      refused: 'مرفوض',
      notReported: 'غير مذكور',
      notKnown: 'غير معروف',
      notAsked: 'لم يُطلب',
      notMeasured: 'لم تُقَس',
      roomUnknown: 'المساحة غير مذكورة',
      kept: 'يُحتفظ بها',
      mayBeCleared: 'قد تُمحى',
    },
    lacks: (what) => `لا، ينقصه: \u2066${what}\u2069`,
    noPicture: (problem) => `لا صورة (\u2066${problem}\u2069)`,
    size: (width, height) => `\u2066${width} × ${height}\u2069`,
    rate: (pictures) => `عدد الصور في الثانية: ${pictures}`,
    speed: (seconds, milliseconds, picture) =>
      `أول جواب بعد ${seconds} ث، ثم ${milliseconds} ملي ث لكل صورة (${picture === 'camera' ? 'من الكاميرا' : 'مرسومة'})`,
    gigabytes: (count) => `نحو ${count} غيغابايت`,
    room: (megabytes) => `مساحة ${megabytes} ميغابايت`,
  },
}
