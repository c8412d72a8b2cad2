import { inArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { procedures } from '../../crm/procedures/table.ts'
import { listProcedures } from '../../crm/procedures/service.ts'
import { versionedTemplates } from '../templates/service.ts'
import { reviseOpen } from './change.ts'
import { maxTemplates, type TemplateLine } from './contract.ts'
import { checkDefinition, type ConsentDefinition, type DefinitionProblem } from './definition-rules.ts'
import { emptyDefinition, starters } from './starters.ts'
import type { StarterKey } from './starter-rules.ts'
import { consentTemplates, consentTemplateVersions } from './table.ts'

const templates = versionedTemplates<ConsentDefinition, StarterKey, DefinitionProblem, { mustResign: boolean }>({
  templates: consentTemplates,
  versions: consentTemplateVersions,
  kind: 'consent-template',
  max: maxTemplates,
  titleOf: ({ title }) => title.en,
  async check(tx, definition) {
    const known = await tx.select({ id: procedures.id }).from(procedures).where(inArray(procedures.id, definition.procedureIds))
    const isKnown = definition.procedureIds.every((id) => known.some((row) => row.id === id))
    const unknown: DefinitionProblem = { at: null, field: 'procedureIds', code: 'UNKNOWN_PROCEDURE' }
    return [...checkDefinition(definition), ...(isKnown ? [] : [unknown])]
  },
  onPublish: reviseOpen,
})

export const { get: getTemplate, saveDraft, publishDraft, setActive: setTemplateActive, current: currentVersion } = templates

export async function createTemplate(scope: Scope, starter: StarterKey | null) {
  if (starter === null) return templates.create(scope, null, emptyDefinition)
  const { definition, procedure } = starters[starter]
  // The practice has its own procedures: those with a fitting name are chosen.
  const fitting = procedure ? (await listProcedures(scope.db)).filter(({ name, isActive }) => isActive && procedure.test(name)) : []
  return templates.create(scope, starter, { ...definition, procedureIds: fitting.map(({ id }) => id) })
}

/** The consent forms of the practice by their English title. */
export async function listTemplates(scope: { db: Db }): Promise<TemplateLine[]> {
  return (await templates.list(scope)).map(({ id, isActive, draft, published }) => {
    const { definition } = (published ?? draft)!
    return {
      id,
      isActive,
      title: definition.title,
      use: definition.use,
      procedureIds: definition.procedureIds,
      clauseCount: definition.clauses.length,
      hasDraft: draft !== null,
      publishedNumber: published?.number ?? null,
      publishedAt: published?.publishedAt ?? null,
    }
  })
}
