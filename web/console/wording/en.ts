import { access } from './en/access.ts'
import { account } from './en/account.ts'
import { auditWords } from './en/audit.ts'
import { configuration } from './en/configuration.ts'
import { evidenceWords } from './en/evidence.ts'
import { notices } from './en/notices.ts'
import { openidClients } from './en/openid-clients.ts'
import { overview } from './en/overview.ts'
import { people } from './en/people.ts'
import { preview } from './en/preview.ts'
import { sessions } from './en/sessions.ts'
import { shell } from './en/shell.ts'

/** All the words in the console, in English. The other languages are based on them. */
export const en = {
  locale: 'en',
  direction: 'ltr',
  ...shell,
  ...sessions,
  ...overview,
  ...configuration,
  ...preview,
  ...people,
  ...openidClients,
  ...notices,
  ...evidenceWords,
  ...account,
  ...access,
  ...auditWords,
}
