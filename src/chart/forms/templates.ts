import type { Scope } from '../../kernel/scope.ts'
import { versionedTemplates } from '../templates/service.ts'
import { maxTemplates, type TemplateLine } from './contract.ts'
import { checkDefinition, definitionLimits, type DefinitionProblem, type FormDefinition } from './definition-rules.ts'
import { allQuestions } from './rules.ts'
import { emptyDefinition, starters } from './starters.ts'
import type { StarterKey } from './starter-rules.ts'
import { formTemplates, formVersions } from './table.ts'

const templates = versionedTemplates<FormDefinition, StarterKey, DefinitionProblem>({
  templates: formTemplates,
  versions: formVersions,
  kind: 'form-template',
  max: maxTemplates,
  titleOf: ({ title }) => title.en,
  check: (_tx, definition) => checkDefinition(definition),
})

export const {
  get: getTemplate,
  saveDraft,
  publishDraft,
  setActive: setTemplateActive,
  /** The version that is sent now; null if the template is unknown, inactive or was never published. */
  current: currentVersion,
} = templates

interface NewTemplate {
  starter: StarterKey | null
  copyOf: string | null
}

/** Adds a form as a draft: empty, from a starter, or as a copy of another with its draft. Null: there is no form to copy. */
export async function createTemplate(scope: Scope, { starter, copyOf }: NewTemplate) {
  if (copyOf === null) return templates.create(scope, starter, starter === null ? emptyDefinition : starters[starter])
  const copied = await getTemplate(scope, copyOf)
  return copied && templates.create(scope, copied.starter, copyTitle((copied.draft ?? copied.published)!.definition))
}

const copyTitle = (definition: FormDefinition): FormDefinition => ({
  ...definition,
  title: {
    en: `${definition.title.en} (copy)`.slice(0, definitionLimits.title),
    fr: `${definition.title.fr} (copie)`.slice(0, definitionLimits.title),
  },
})

/** The forms of the practice by their English title. */
export async function listTemplates(scope: Pick<Scope, 'db'>): Promise<TemplateLine[]> {
  return (await templates.list(scope)).map(({ id, isActive, draft, published }) => {
    const { definition } = (published ?? draft)!
    return {
      id,
      isActive,
      title: definition.title,
      questionCount: allQuestions(definition).length,
      hasDraft: draft !== null,
      publishedNumber: published?.number ?? null,
      publishedAt: published?.publishedAt ?? null,
    }
  })
}
