import { and, desc, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { RequiredConsent } from './contract.ts'
import { selectConsents, stateOf, toConsents, versionSummary } from './read.ts'
import { isInForce, type SignedState } from './status-rules.ts'
import { coveredProcedures, findCase, type SurgeryCase } from './surgeries.ts'
import { consentForms, consentTemplates, consentTemplateVersions } from './table.ts'

type Case = Pick<SurgeryCase, 'id' | 'procedures'>

/** The published consent forms that each surgery requires by its procedures; a surgery without any is left out. */
async function requirementsOf(db: Db, cases: readonly Case[]) {
  const offered = await db
    .selectDistinctOn([consentTemplateVersions.templateId], versionSummary)
    .from(consentTemplateVersions)
    .innerJoin(consentTemplates, eq(consentTemplates.id, consentTemplateVersions.templateId))
    .where(and(eq(consentTemplates.isActive, true), isNotNull(consentTemplateVersions.publishedAt)))
    .orderBy(consentTemplateVersions.templateId, desc(consentTemplateVersions.number))
  return cases.flatMap(({ id, procedures }) => {
    const required = offered.flatMap((version) => {
      const needed = coveredProcedures(version, procedures).map((procedure) => procedure.id)
      return needed.length > 0 ? [{ version, needed }] : []
    })
    return required.length > 0 ? [{ surgeryId: id, required }] : []
  })
}

/** An earlier one stays in force while a newer one is open, but not once the patient declined or withdrew a newer one. */
function countUntilRefused(newestFirst: readonly { state: SignedState }[]): number {
  const at = newestFirst.findIndex(({ state }) => state.status === 'declined' || state.status === 'withdrawn')
  return at < 0 ? newestFirst.length : at
}

/** The one that a surgery may rely on. */
export const findInForce = <Given extends { state: SignedState }>(
  newestFirst: readonly Given[],
  needed: readonly string[],
): Given | undefined => newestFirst.slice(0, countUntilRefused(newestFirst)).find(({ state }) => isInForce(state, needed))

const ofSurgeries = (ids: readonly string[]) => and(inArray(consentForms.surgeryId, [...ids]), ne(consentForms.status, 'cancelled'))

/** The consent forms that surgeries require, with the newest one given for each and whether the surgery may rely on it. */
export async function requiredOf(db: Db, scope: Pick<Scope, 'env'>, cases: readonly Case[]): Promise<Map<string, RequiredConsent[]>> {
  const requirements = await requirementsOf(db, cases)
  const found = await selectConsents(db, ofSurgeries(requirements.map(({ surgeryId }) => surgeryId)))
  const shown = await toConsents(db, scope, found)
  return new Map(
    requirements.map(({ surgeryId, required }) => [
      surgeryId,
      required.map(({ version, needed }) => {
        const { templateId, title, number: versionNumber } = version
        const own = found.flatMap((one, at) =>
          one.form.surgeryId === surgeryId && one.version.templateId === templateId ? [{ state: stateOf(one), consent: shown[at]! }] : [],
        )
        const valid = findInForce(own, needed)
        return {
          templateId,
          title,
          versionNumber,
          consent: (valid ?? own[0])?.consent ?? null,
          isInForce: valid !== undefined,
        }
      }),
    ]),
  )
}

/** For the checklist: the instant when the last required consent form came into force; null while one is missing. Surgeries that require none are left out. */
export async function consentsInForce(db: Db, scope: Pick<Scope, 'env'>, cases: readonly Case[]): Promise<Map<string, Date | null>> {
  const required = await requiredOf(db, scope, cases)
  return new Map(
    [...required].map(([id, ofCase]) => {
      const instants = ofCase.map(({ isInForce: isValid, consent }) =>
        isValid && consent ? (consent.countersignedAt ?? consent.signedAt)!.getTime() : null,
      )
      return [id, instants.includes(null) ? null : new Date(Math.max(...(instants as number[])))]
    }),
  )
}

/** Null: no such surgery. */
export async function listOfSurgery(scope: Scope, id: string): Promise<RequiredConsent[] | null> {
  const found = await findCase(scope.db, id)
  if (!found) return null
  await scope.recordView({ kind: 'consent form', contactIds: [found.contactId] })
  return (await requiredOf(scope.db, scope, [found])).get(id) ?? []
}
