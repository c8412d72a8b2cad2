import { sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { listPeople } from '../../../platform/auth/service.ts'
import { assignableRoles } from '../../../crm/contacts/rules.ts'
import { listLeadSources } from '../../../crm/lead-sources/service.ts'
import { listStages } from '../../../crm/pipeline/service.ts'
import { listProcedures } from '../../../crm/procedures/service.ts'

/** Resolves names in a file to the clinic's stages, people, sources, procedures and tags. */
export type Vocabulary = {
  initialStageId: string
  stage: (text: string) => string | undefined
  person: (text: string, field: keyof typeof assignableRoles) => string | undefined
  /** An unknown name is kept as text. */
  source: (text: string) => { leadSourceId: string | null; leadSourceText: string | null }
  procedure: (text: string) => { procedureId: string | null; procedureText: string | null }
  hasTag: (name: string) => boolean
}

const idsByName = (rows: readonly { id: string; name: string }[]) =>
  new Map(
    rows.flatMap(({ id, name }) => [
      [id, id],
      [name.toLowerCase(), id],
    ]),
  )

/** Reads all names; a clinic has a few dozen of each. */
export async function readVocabulary(db: Db): Promise<Vocabulary> {
  const [stages, people, sources, procedures, tags] = await Promise.all([
    listStages(db),
    listPeople(db),
    listLeadSources(db),
    listProcedures(db),
    db.execute<{ name: string }>(sql`select lower(name) as name from tags`),
  ])
  const activeStages = stages.filter(({ isActive }) => isActive)
  const stageIds = new Map([...idsByName(activeStages), ...activeStages.map(({ id, value }) => [value.toLowerCase(), id] as const)])
  const [sourceIds, procedureIds] = [idsByName(sources), idsByName(procedures)]
  const tagNames = new Set(tags.rows.map(({ name }) => name))
  return {
    initialStageId: stages.find(({ isInitial }) => isInitial)!.id,
    stage: (text) => stageIds.get(text.toLowerCase()),
    person(text, field) {
      const roles: readonly string[] = assignableRoles[field]
      const word = text.toLowerCase()
      return people.find(
        ({ name, email, id, role }) => roles.includes(role) && (name.toLowerCase() === word || email.toLowerCase() === word || id === word),
      )?.id
    },
    source(text) {
      const id = sourceIds.get(text.toLowerCase()) ?? null
      return { leadSourceId: id, leadSourceText: id ? null : text }
    },
    procedure(text) {
      const id = procedureIds.get(text.toLowerCase()) ?? null
      return { procedureId: id, procedureText: id ? null : text }
    },
    hasTag: (name) => tagNames.has(name.toLowerCase()),
  }
}
