import { asc, desc, eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { contacts } from '../../crm/contacts/table.ts'
import { insertDraft } from './drafts.ts'
import type { NoteRow } from './read.ts'
import type { TemplateSection } from './rules.ts'
import { noteTemplates } from './table.ts'

const section = (id: string, title: string, prefill: string | null = null): TemplateSection => ({
  id,
  title,
  type: 'text',
  options: [],
  prefill,
})

/** With what the practice starts; it may change the template like any other. */
const firstTemplate = {
  name: 'Adverse event',
  kind: 'adverse_event' as const,
  sections: [
    section('what_happened', 'What happened'),
    section('care', 'Immediate care, and the patient’s condition'),
    section('disclosure', 'What was said to the patient or the family, by whom and when'),
    section('causes', 'What contributed'),
    section('follow_up', 'What follows'),
  ],
}

/** Starts the narrative of an adverse event: a note like any other, from the practice's template for it, which is added when it is first needed. */
export async function startNarrative(tx: Db, scope: Scope, contact: typeof contacts.$inferSelect, occurredOn: string): Promise<NoteRow> {
  const template = (await findTemplate(tx)) ?? (await addTemplate(tx))
  return insertDraft(tx, scope, { contact, template, occurredOn })
}

async function findTemplate(tx: Db) {
  const [found] = await tx
    .select()
    .from(noteTemplates)
    .where(eq(noteTemplates.kind, 'adverse_event'))
    .orderBy(desc(noteTemplates.isActive), asc(noteTemplates.createdAt))
    .limit(1)
  return found
}

/** Under another name if the practice has a template of this one for something else. */
async function addTemplate(tx: Db) {
  for (const name of [firstTemplate.name, `${firstTemplate.name} narrative`, `${firstTemplate.name} ${crypto.randomUUID()}`]) {
    const [added] = await tx
      .insert(noteTemplates)
      .values({ ...firstTemplate, name })
      .onConflictDoNothing()
      .returning()
    const found = added ?? (await findTemplate(tx))
    if (found) return found
  }
  throw new Error('The template of adverse events could not be added')
}
