import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import type { Language } from '../../shared/translations.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { leadSources } from '../../crm/lead-sources/table.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { type TemplateValues, valuesFor } from './rules.ts'

/** The variables' values for an email to a patient in this language; null when the patient does not exist. */
export async function valuesOfContact(db: Db, env: Env, contactId: string, language: Language): Promise<TemplateValues | null> {
  return (await valuesOfContacts(db, env, new Map([[contactId, language]]))).get(contactId) ?? null
}

/** The same for several patients, given with their languages, by id; those who do not exist are left out. */
export async function valuesOfContacts(db: Db, env: Env, languages: ReadonlyMap<string, Language>): Promise<Map<string, TemplateValues>> {
  const patients = await db
    .select({
      id: contacts.id,
      firstName: contacts.firstName,
      lastName: contacts.lastName,
      email: contacts.email,
      phone: contacts.phone,
      procedureEn: sql<string | null>`coalesce(${procedures.name}, ${contacts.procedureText})`,
      procedureFr: procedures.nameFr,
      leadSource: sql<string | null>`coalesce(${leadSources.name}, ${contacts.leadSourceText})`,
    })
    .from(contacts)
    .leftJoin(procedures, eq(procedures.id, contacts.procedureId))
    .leftJoin(leadSources, eq(leadSources.id, contacts.leadSourceId))
    .where(sql`${contacts.id} = any(${sql.param([...languages.keys()])}::uuid[])`)
  return new Map(
    patients.map(({ id, procedureEn, procedureFr, ...patient }) => {
      const procedure = (languages.get(id) === 'fr' ? procedureFr : null) ?? procedureEn
      return [id, valuesFor({ ...patient, procedure }, company(env))]
    }),
  )
}

export const company = ({ PRACTICE_NAME, MAIL_REPLY_TO, PRACTICE_PHONE, APP_URL }: Env) => ({
  name: PRACTICE_NAME,
  email: MAIL_REPLY_TO,
  phone: PRACTICE_PHONE,
  portal: `${APP_URL}/portal`,
})
