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
  const [patient] = await db
    .select({
      firstName: contacts.firstName,
      lastName: contacts.lastName,
      email: contacts.email,
      phone: contacts.phone,
      procedure: sql<
        string | null
      >`coalesce(${language === 'fr' ? procedures.nameFr : null}, ${procedures.name}, ${contacts.procedureText})`,
      leadSource: sql<string | null>`coalesce(${leadSources.name}, ${contacts.leadSourceText})`,
    })
    .from(contacts)
    .leftJoin(procedures, eq(procedures.id, contacts.procedureId))
    .leftJoin(leadSources, eq(leadSources.id, contacts.leadSourceId))
    .where(eq(contacts.id, contactId))
  return patient ? valuesFor(patient, company(env)) : null
}

export const company = ({ PRACTICE_NAME, MAIL_REPLY_TO, PRACTICE_PHONE }: Env) => ({
  name: PRACTICE_NAME,
  email: MAIL_REPLY_TO,
  phone: PRACTICE_PHONE,
})
