import type { ConsentDefinition } from '../../src/chart/consent-forms/definition-rules.ts'
import type { ConsentText } from '../../src/chart/consent-forms/rules.ts'
import type { Client } from '../server.ts'

const both = (text: string) => ({ en: text, fr: `${text} (fr)` })

/** A consent form with two clauses, of which one needs initials. */
export const definitionOf = (given: Partial<ConsentDefinition> = {}): ConsentDefinition => ({
  title: both('Rhinoplasty'),
  use: 'procedures',
  procedureIds: [],
  intro: both('I, {{patient_name}}, consent to {{procedure}}.'),
  clauses: [
    { id: 'what', kind: 'procedure', title: both('What will be done'), text: both('The nose is reshaped.'), needsInitials: false },
    { id: 'risks', kind: 'risks', title: both('Risks'), text: both('Bleeding and infection.'), needsInitials: true },
  ],
  scopes: [],
  needsWitness: false,
  needsInterpreter: false,
  needsCountersignature: false,
  ...given,
})

/** Publishes a consent form of its own, and returns the template. */
export async function publishConsent(admin: Client, given: Partial<ConsentDefinition> = {}) {
  const { id } = await admin.consentForms.createTemplate({})
  const { draft } = await admin.consentForms.saveDraft({ id, revision: 1, definition: definitionOf(given) })
  return admin.consentForms.publish({ id, revision: draft!.revision })
}

/** Publishes a further version of a consent form. */
export async function republish(admin: Client, id: string, given: Partial<ConsentDefinition>, mustResign: boolean) {
  const { published } = await admin.consentForms.template({ id })
  const { draft } = await admin.consentForms.saveDraft({ id, revision: published!.revision, definition: definitionOf(given) })
  return admin.consentForms.publish({ id, revision: draft!.revision, mustResign })
}

/** What completes a consent form. */
export const completeSigning = ({ clauses, scopes, patientName, substitute }: ConsentText) => ({
  shown: clauses.map(({ id }) => id),
  initials: Object.fromEntries(clauses.filter(({ needsInitials }) => needsInitials).map(({ id }) => [id, 'A.T.'])),
  signature: { kind: 'typed', name: substitute?.name ?? patientName } as const,
  agrees: true,
  scopes: scopes.map(({ scope }) => scope),
  witness: null as string | null,
  interpreter: null as string | null,
})
