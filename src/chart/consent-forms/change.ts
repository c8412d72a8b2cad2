import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { handOver } from '../../platform/mail/service.ts'
import type { Mail } from '../../platform/mail/rules.ts'
import { addEvent } from './evidence.ts'
import type { ConsentRow } from './read.ts'
import { consentForms, consentTemplateVersions } from './table.ts'

/** What the audit log says of a consent form: never what was signed, nor why it was declined. */
export const describe = ({ id, status, versionId, surgeryId, documentId, countersignedAt, withdrawnAt, withdrawnScopes }: ConsentRow) => ({
  id,
  status,
  versionId,
  surgeryId,
  documentId,
  countersignedAt,
  withdrawnAt,
  withdrawnScopes,
})

const closedCodes = { signed: 'SIGNED', declined: 'DECLINED', withdrawn: 'WITHDRAWN', cancelled: 'CANCELLED' } as const
/** Why it can no longer be signed; null: it can. */
export const closedCode = ({ status }: ConsentRow) => (status === 'sent' ? null : closedCodes[status])

/** Writes a change, which the caller has checked. */
export async function writeConsent(tx: Db, scope: Scope, before: ConsentRow, change: Partial<ConsentRow>): Promise<ConsentRow> {
  const [after] = await tx.update(consentForms).set(change).where(eq(consentForms.id, before.id)).returning()
  await recordConsentChange(tx, scope, before, after!)
  return after!
}

export async function recordConsentChange(tx: Db, scope: Scope, before: ConsentRow, after: ConsentRow): Promise<void> {
  const change = { before: describe(before), after: describe(after) }
  await recordChange(tx, scope, { action: 'changed', kind: 'consent form', contactIds: [after.contactId], ...change })
  await announce(tx, after)
}

/** Whether a surgery is ready may depend on it. */
export async function announce(tx: Db, { id, surgeryId }: ConsentRow): Promise<void> {
  await publish(tx, 'consent-form', id)
  if (surgeryId !== null) await publish(tx, 'surgery', surgeryId)
}

/**
 * An open consent form is always of the newest published version, so that no one is asked to sign one that no longer counts: its link stays, and
 * the change is a step of its evidence. The caller has locked it.
 */
export async function toNewestVersion(tx: Db, scope: Scope, form: ConsentRow): Promise<ConsentRow> {
  if (form.status !== 'sent') return form
  const { id, number, templateId } = consentTemplateVersions
  const [own] = await tx.select({ number, templateId }).from(consentTemplateVersions).where(eq(id, form.versionId))
  const [newest] = await tx
    .select({ id, number })
    .from(consentTemplateVersions)
    .where(and(eq(templateId, own!.templateId), isNotNull(consentTemplateVersions.publishedAt)))
    .orderBy(desc(number))
    .limit(1)
  if (newest!.id === form.versionId) return form
  const after = await writeConsent(tx, scope, form, { versionId: newest!.id })
  const detail = { version: newest!.number, before: own!.number }
  await addEvent(tx, scope, form.id, { kind: 'revised', name: scope.env.PRACTICE_NAME, detail })
  return after
}

/** After a publication: the same for all that are open. */
export async function reviseOpen(tx: Db, scope: Scope, templateId: string): Promise<void> {
  const open = await tx
    .select({ id: consentForms.id })
    .from(consentForms)
    .innerJoin(consentTemplateVersions, eq(consentTemplateVersions.id, consentForms.versionId))
    .where(and(eq(consentTemplateVersions.templateId, templateId), eq(consentForms.status, 'sent')))
    .orderBy(consentForms.id)
  for (const { id } of open) {
    const [form] = await tx.select().from(consentForms).where(eq(consentForms.id, id)).for('update')
    if (form) await toNewestVersion(tx, scope, form)
  }
}

/** Sends an email about a consent form, and keeps why it could not be sent. */
export async function mailAbout(scope: Parameters<typeof handOver>[0], id: string, mail: Mail, attempt: { last: boolean }): Promise<void> {
  const problem = await handOver(scope, mail, attempt)
  await scope.db.transaction(async (tx) => {
    const changed = and(eq(consentForms.id, id), sql`${consentForms.emailProblem} is distinct from ${problem}`)
    const rows = await tx.update(consentForms).set({ emailProblem: problem }).where(changed).returning({ id: consentForms.id })
    if (rows.length > 0) await publish(tx, 'consent-form', id)
  })
}
