import { createHash, randomUUID } from 'node:crypto'
import type { Db } from '../../kernel/postgres/database.ts'
import { describeError } from '../../kernel/errors.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isCommercialCategory } from '../../crm/consent/rules.ts'
import type { contacts } from '../../crm/contacts/table.ts'
import { renderTemplate } from '../email-templates/service.ts'
import { writeToPatient } from './service.ts'
import { welcomeTemplate } from '../../crm/lead-sources/rules.ts'
import { isGreetable } from '../../crm/leads/rules.ts'
import { welcomedAddresses } from '../../crm/leads/table.ts'

type Contact = Pick<typeof contacts.$inferSelect, 'id' | 'email' | 'firstName' | 'lastName'>

class NotWelcomed extends Error {}

/**
 * Queues the welcome email of a new lead, once per address ever, in the transaction that creates the lead. Spec 8: errors are logged, and
 * the lead still succeeds.
 */
export async function welcome(tx: Db, scope: Scope, { id, email, firstName, lastName }: Contact): Promise<void> {
  if (email === null) return
  if (![firstName, lastName].every(isGreetable)) {
    scope.log.warn({ contactId: id }, 'The welcome email was not sent to a new lead: the name is not a person’s name')
    return
  }
  try {
    await tx.transaction((part) => write(part, scope, id, email))
  } catch (error) {
    const reason = error instanceof NotWelcomed ? error.message : describeError(error)
    scope.log.error({ contactId: id, reason }, 'Failed to send templated email') // spec 8
  }
}

async function write(tx: Db, scope: Scope, contactId: string, email: string): Promise<void> {
  const addressHash = createHash('sha256').update(email.toLowerCase()).digest('base64url')
  const [first] = await tx
    .insert(welcomedAddresses)
    .values({ addressHash, welcomedAt: scope.now() })
    .onConflictDoNothing()
    .returning({ addressHash: welcomedAddresses.addressHash })
  if (!first) return
  const mail = await renderTemplate(tx, scope.env, welcomeTemplate, contactId)
  if (!mail) throw new NotWelcomed(`there is no template ${welcomeTemplate}`)
  const sent = await writeToPatient(tx, scope, {
    contactId,
    address: email,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    documentIds: [],
    isCommercial: isCommercialCategory(mail.category),
    idempotencyKey: randomUUID(),
  })
  if (isRefusal(sent)) throw new NotWelcomed(sent.refusal)
}
