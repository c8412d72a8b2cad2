import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { languageOf } from '../../crm/contacts/service.ts'
import { type Language, toLanguage } from '../../shared/translations.ts'
import type { Secret } from './receive/placeholders.ts'
import { chooseRecipient } from './recipient.ts'
import { textPatient } from './sms/start.ts'
import { plainText } from './text-rules.ts'

/** The number (E.164) at which a patient wants to be reached and can be; null: by email, as before. */
export async function preferredNumber(db: Db, scope: Scope, contactId: string): Promise<string | null> {
  const [row] = await db.select({ channel: contacts.preferredChannel }).from(contacts).where(eq(contacts.id, contactId))
  if (row?.channel !== 'text') return null
  const recipient = await chooseRecipient(db, scope, { contactId, channel: 'text', isCommercial: false })
  return isRefusal(recipient) ? null : recipient.address
}

type Notice = {
  contactId: string
  /** Without clinical words: others may see the phone. */
  text: (language: Language) => string
  /** What only the reader may see, and its placeholder in the text. */
  secret?: Secret
  /** When the page ends that its link opens. */
  until?: Date | null
}

/** Texts a patient who prefers it, in their language, in a transaction of its own. False: nothing was sent, and an email is due. */
export const textIfPreferred = (scope: Scope, { contactId, text, secret, until = null }: Notice): Promise<boolean> =>
  scope.db.transaction(async (tx) => {
    const number = await preferredNumber(tx, scope, contactId)
    if (number === null) return false
    const language = toLanguage(await languageOf(tx, contactId)) ?? 'en'
    const sent = await textPatient(tx, scope, {
      contactId,
      number,
      text: plainText(text(language)),
      html: null,
      isCommercial: false,
      documentIds: [],
      ...(secret && { secret }),
      linksUntil: until,
      idempotencyKey: randomUUID(),
    })
    return !isRefusal(sent)
  })
