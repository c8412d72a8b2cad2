import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import type { Language } from '../../shared/translations.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { sanitiseWritten } from '../../platform/mail/service.ts'
import { picturesIn, textOfWritten } from '../../platform/mail/written-rules.ts'
import { languageOf } from '../../crm/contacts/service.ts'
import { htmlFromText } from '../email-templates/rules.ts'
import { maxSignature } from './contract.ts'
import { signatures } from './table.ts'

/** The actor's signatures, by language. */
export const listSignatures = (db: Db, userId: string) =>
  db
    .select({ language: signatures.language, html: signatures.html })
    .from(signatures)
    .where(eq(signatures.userId, userId))
    .orderBy(asc(signatures.language))

/** Saves the actor's signature in a language; one without words is removed. */
export async function saveSignature(scope: Scope, { language, html: given }: { language: Language; html: string | null }) {
  const { id: userId } = staff(scope)
  const html = given === null ? '' : await sanitiseWritten(given)
  if (html === null || html.length > maxSignature) return invalidReference({ html: 'This signature has too much formatting' })
  if (picturesIn(html).length > 0) return invalidReference({ html: 'A signature has no pictures' })
  return scope.db.transaction(async (tx) => {
    if (textOfWritten(html) === '') await tx.delete(signatures).where(and(eq(signatures.userId, userId), eq(signatures.language, language)))
    else
      await tx
        .insert(signatures)
        .values({ userId, language, html })
        .onConflictDoUpdate({ target: [signatures.userId, signatures.language], set: { html } })
    await recordChange(tx, scope, { action: 'changed', kind: 'signature', contactIds: [], after: { language } })
    return listSignatures(tx, userId)
  })
}

/** An email with its author's signature: in the patient's language, otherwise the one there is. Without one it stays as it is. */
export async function signed(
  db: Db,
  userId: string,
  contactId: string | null,
  { text, html }: { text: string; html: string | null },
): Promise<{ text: string; html: string | null }> {
  const found = await listSignatures(db, userId)
  const language = contactId === null ? 'en' : await languageOf(db, contactId)
  const signature = found.find((one) => one.language === language) ?? found[0]
  if (!signature) return { text, html }
  return {
    text: `${text}\n\n-- \n${textOfWritten(signature.html)}`,
    html: `${html ?? htmlFromText(text)}\n<div style="margin-top:24px">${signature.html}</div>`,
  }
}
