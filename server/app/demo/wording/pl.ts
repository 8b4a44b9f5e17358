import type { AnswerWording } from './answer-wording.ts'

export const pl: AnswerWording = {
  locale: 'pl',
  direction: 'ltr',
  title: 'Co wróciło',
  verdict: { passed: 'Wynik pozytywny', failed: 'Wynik negatywny', untrusted: 'Nie można zaufać' },
  why: {
    passed: 'Wszystko, o co proszono, zostało spełnione.',
    failed: 'Nie podano powodu.',
    untrusted: 'Ta odpowiedź mogła zostać zmieniona po drodze, więc o kontroli nic się nie mówi.',
  },
  reasons: {
    noFace: 'Na zdjęciach nie znaleziono twarzy.',
    multipleFaces: 'Widać było więcej niż jedną twarz.',
    livenessFailed: 'Zdjęcia nie wyglądały na żywą osobę lub były już kiedyś wysłane.',
    challengeFailed: 'Nie wykonano w porę tego, o co proszono, albo zrobiono coś innego.',
    personChanged: 'To nie była cały czas ta sama osoba.',
    lowQuality: 'Zdjęcia były zbyt ciemne, nieostre lub małe.',
    ageNotMet: 'Szacowany wiek nie spełnia reguły.',
    ageUncertain: 'Wieku nie dało się oszacować dość pewnie.',
    duplicateFace: 'Ta twarz była już widziana.',
    faceMismatch: 'Twarz nie należy do tego identyfikatora zewnętrznego.',
    externalIdMissing: 'Link nie podaje identyfikatora zewnętrznego, którego ta kontrola wymaga.',
    externalIdUnknown: 'Identyfikator zewnętrzny nie jest jeszcze znany.',
    consentDeclined: 'Nie wyrażono zgody lub opuszczono stronę.',
    cameraUnavailable: 'Nie było kamery, której można by użyć.',
    sessionExpired: 'Minął kwadrans.',
    assuranceTooLow: 'Nie było dość pewne, że jest tam żywa osoba.',
    evidenceMissing: 'Brakowało zdjęć, które ta strona zawsze wysyła.',
    alternativeChosen: 'Wybrano inną drogę, którą podaje konfiguracja.',
  },
  signature: {
    Valid: 'Podpis się zgadza: wynik pochodzi z tego serwera i nikt go nie zmienił.',
    Invalid: 'Podpis się nie zgadza: proszę nie wierzyć temu wynikowi.',
    Expired: 'Podpis się zgadzał, ale jego czas minął.',
    NonceAlreadyUsed: 'Podpis się zgadzał, ale był już użyty.',
  },
  again: 'Jeszcze raz',
  details: 'Wszystko, co wróciło, nazwa po nazwie',
  tag: 'demo na tym komputerze',
  footer:
    'Zdjęcia trafiają tylko na ten serwer i nie są zapisywane. Wynik jest przechowywany 7 dni. Tam, gdzie twarz ma być rozpoznana, na serwerze zostaje jej kod liczbowy.',
}
