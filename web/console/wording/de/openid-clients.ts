import type { ConsoleWording } from '#web/console/wording/console-wording.ts'

export const openidClients: Pick<ConsoleWording, 'openidClients'> = {
  openidClients: {
    lead: 'Websites, die OpenID Connect beherrschen, schicken Personen bei der Anmeldung zur Prüfung hierher. Eine solche Website wird mit dem Aussteller, der ID und dem Geheimnis eines Clients eingerichtet.',
    caption: 'OpenID-Clients',
    name: 'Name',
    nameHint: 'Personen lesen ihn dort, wo sie um ihre Einwilligung gebeten werden.',
    id: 'Client-ID',
    issuer: 'Aussteller',
    verification: 'Verifikation',
    redirectUris: 'Weiterleitungsadressen',
    redirectUrisHint: 'Eine je Zeile. Sie werden Zeichen für Zeichen verglichen.',
    ages: 'Altersgrenzen, nach denen er fragen darf',
    agesHint: 'Bis zu fünf von 13 bis 30, etwa 18, 21.',
    estimate: 'Darf nach dem geschätzten Alter selbst fragen',
    isPublic: 'Hat kein Geheimnis: eine Seite oder App ohne Server',
    public: 'Öffentlich',
    unusable: 'Seine Verifikation wurde gelöscht',
    new: 'Neuer Client',
    secretOf: 'Das Geheimnis von „{name}“',
    rotate: 'Neues Geheimnis',
    rotateAsk: 'Ein neues Geheimnis für „{name}“ erstellen?',
    rotateLead: '24 Stunden lang gelten beide Geheimnisse, damit die Website umstellen kann.',
    removeAsk: '„{name}“ entfernen?',
    removeLead:
      'Niemand kann sich mehr von hier aus bei dieser Website anmelden. Ihre Codes und Tokens gelten sofort nicht mehr.',
    empty: 'Noch keine Clients',
    emptyAdvice:
      'Legen Sie für jede Website einen Client an. Der Server muss mit OPENID_PROVIDER=on gestartet worden sein.',
    needVerification: 'Legen Sie zuerst eine Verifikation an: Sie sagt, was bei der Anmeldung geprüft wird.',
    try: 'Anmeldung ausprobieren',
    tryTitle: 'Die Anmeldung von „{name}“ ausprobieren',
    tryLead:
      'Sie melden sich an wie eine Person dieser Website. Für 20 Minuten tritt ein Stellvertreter mit eigener ID, eigenem Geheimnis und eigener Adresse an die Stelle des Clients; alles andere ist wie beim Client.',
    tryBegin: 'Vorbereiten',
    externalId: 'Externe ID der Person',
    externalIdHint: 'Mit deren Gesicht Ihres verglichen wird.',
    asks: 'Gefragt wird nach:',
    open: 'Anmeldung öffnen',
    waiting: 'Wartet auf die Anmeldung im anderen Fenster …',
    refused: 'Die Website erhält den Fehler {error}.',
    checked:
      'Angemeldet. Signatur, Aussteller, Nonce und Zeit des ID-Tokens stimmen, und Userinfo nennt dieselbe Person.',
    claims: 'Was die Website erfährt',
    claim: 'Angabe',
    value: 'Wert',
  },
}
