import type { DeviceWording } from './device-wording.ts'

/** Hindi. */
export const hi: DeviceWording = {
  locale: 'hi',
  direction: 'ltr',
  title: {
    tab: 'यह डिवाइस',
    before: 'यह डिवाइस क्या कर सकता है?',
    measuring: 'माप हो रहा है',
    measured: 'यह डिवाइस क्या कर सकता है',
    failed: 'माप नहीं हो सका',
  },
  text: {
    before:
      'यह पेज मापता है कि यह ब्राउज़र जाँच कर सकता है या नहीं, और कितनी तेज़ी से। तस्वीरें इसी डिवाइस पर रहती हैं और मिटा दी जाती हैं। कुछ भी भेजा नहीं जाता: एक रिपोर्ट मिलती है जिसे कॉपी किया जा सकता है।',
    measuring: 'इसमें अधिकतम आधा मिनट लगता है। कुछ भी भेजा नहीं जाता।',
    report: 'रिपोर्ट में न कोई तस्वीर है, न कैमरे का नाम; वह बताती है कि यह कौन-सा ब्राउज़र है:',
  },
  button: {
    withCamera: 'कैमरे के साथ मापें',
    withoutCamera: 'कैमरे के बिना मापें',
    copy: 'रिपोर्ट कॉपी करें',
    copied: 'कॉपी हो गया',
    share: 'रिपोर्ट शेयर करें',
  },
  findings: {
    locale: 'hi',
    question: {
      check: 'जाँच कर सकता है',
      camera: 'कैमरा',
      speed: 'गति',
      memory: 'मेमोरी',
      storage: 'स्टोरेज',
      passkeys: 'इस डिवाइस पर पासकी',
      screen: 'स्क्रीन को जलाए रखता है',
    },
    answer: {
      yes: 'हाँ',
      no: 'नहीं',
      refused: 'मना कर दिया',
      notReported: 'नहीं बताया',
      notKnown: 'पता नहीं',
      notAsked: 'नहीं पूछा गया',
      notMeasured: 'नहीं मापा गया',
      roomUnknown: 'जगह नहीं बताई',
      kept: 'रखा जाता है',
      mayBeCleared: 'मिटाया जा सकता है',
    },
    lacks: (what) => `नहीं, इसमें यह नहीं है: ${what}`,
    noPicture: (problem) => `कोई तस्वीर नहीं (${problem})`,
    size: (width, height) => `${width} × ${height}`,
    rate: (pictures) => `प्रति सेकंड ${pictures} तस्वीरें`,
    speed: (seconds, milliseconds, picture) =>
      `पहला जवाब ${seconds} सेकंड बाद, फिर हर तस्वीर पर ${milliseconds} मिलीसेकंड (${picture === 'camera' ? 'कैमरे की' : 'बनाई हुई'})`,
    gigabytes: (count) => `लगभग ${count} GB`,
    room: (megabytes) => `${megabytes} MB की जगह`,
  },
}
